import { randomUUID } from 'node:crypto';
import { AgonError } from '@agonhq/engine/agon-error';
import type { AlertRow, PairedDifference, ShadowRow, WatchRuleRow } from '@agonhq/ledger';
import { cohenKappa, wilsonInterval } from '@agonhq/engine/statistics';
import { reviewerName } from '../auth/principal.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { findPolicy, keepSentPolicy } from '../policies/policy-work.ts';
import { buildWatch } from '../watching/build-watch.ts';
import { makeCandidateSettings } from '../watching/shadow-trials.ts';

const mostRules = 200;
const mostRunning = 10;

/** What happens over time, and when somebody is told. */
export const watchingHandlers: Handlers<GroupOf<'watching'>> = {
  'watching.figures': ({ query, signal }, { watching, longReads }) =>
    longReads.take(() => buildWatch(watching, query), signal),

  'watching.rules': async (_, { ledger }) => ({ rows: (await ledger.alerts.listRules()).map(showRule) }),

  async 'watching.addRule'({ body, principal }, { ledger }) {
    if (body.value !== null && body.by === null)
      throw new AgonError('bad-request', 'A group is named, but not what it is a group of.', 'Give `by` too.');
    if (body.test.kind === 'bound' && body.test.above === null && body.test.below === null)
      throw new AgonError('bad-request', 'A bound is neither above nor below anything.', 'Give `above` or `below`.');
    if ((await ledger.alerts.listRules()).length >= mostRules)
      throw new AgonError('too-many-rules', `There are already ${mostRules} rules.`, 'Remove one first.');
    const id = `rule-${randomUUID()}`;
    await ledger.alerts.keepRule({ id, rule: body, createdBy: reviewerName(principal) });
    return showRule((await ledger.alerts.findRule(id))!);
  },

  async 'watching.removeRule'({ params }, { ledger }) {
    if (!(await ledger.alerts.findRule(params.id)))
      throw new AgonError('unknown-rule', `There is no rule ${params.id}.`, 'GET /api/watching/rules lists them.');
    await ledger.alerts.removeRule(params.id);
    return null;
  },

  async 'watching.check'({ signal }, { alerts }) {
    const { rules, raised, ended, standing } = await alerts.check(signal);
    return { rules, raised: raised.map(showAlert), ended: ended.map(showAlert), standing: standing.map(showAlert) };
  },

  async 'watching.alerts'({ query: { limit, after, standing } }, { ledger }) {
    const { rows, next } = await ledger.alerts.listAlerts({ standing, limit, after: after ?? null });
    return { rows: rows.map(showAlert), next };
  },

  async 'watching.acknowledge'({ params, body, principal }, { ledger }) {
    if (!(await ledger.alerts.findAlert(params.id)))
      throw new AgonError('unknown-alert', `There is no alert ${params.id}.`, 'GET /api/watching/alerts lists them.');
    await ledger.alerts.acknowledgeAlert(params.id, reviewerName(principal), body.note || null);
    return showAlert((await ledger.alerts.findAlert(params.id))!);
  },
};

/** What is judged in the shadow of what is in force. */
export const shadowHandlers: Handlers<GroupOf<'shadows'>> = {
  'shadows.list': async (_, { ledger }) => ({ rows: (await ledger.shadows.listShadows()).map(showShadow) }),

  async 'shadows.start'({ body, principal }, context) {
    const { ledger, agons, shadows } = context;
    if (body.policy === null && body.sensitivity === null && body.method === null && isEmpty(body.seats))
      throw new AgonError(
        'no-change',
        'The candidate is what is in force.',
        'Name another policy, other seats, another sensitivity or method.',
      );
    if ((await ledger.shadows.listShadows({ running: true })).length >= mostRunning)
      throw new AgonError('too-many-shadows', `${mostRunning} candidates judge already.`, 'End one first.');
    await agons.refresh();
    const policy = body.policy === null ? null : await findPolicy(body.policy, context);
    if (policy) await keepSentPolicy(ledger, policy);
    // What cannot be judged by is said now, and not case by case.
    await (await agons.openAgon(body.job, makeCandidateSettings(body), policy ?? undefined)).close();
    const id = `shadow-${randomUUID()}`;
    const candidate = { ...body, policy: policy?.hash ?? null };
    await ledger.shadows.startShadow({ id, candidate, createdBy: reviewerName(principal) });
    await shadows.refresh();
    return showShadow((await ledger.shadows.findShadow(id))!);
  },

  async 'shadows.get'({ params }, { ledger }) {
    const row = await requireShadow(ledger.shadows, params.id);
    const { labels, cost, latency, decided } = await ledger.shadows.compare(row.id);
    const pairs = labels.reduce((sum, { cases }) => sum + cases, 0);
    const same = labels.reduce((sum, { inForce, candidate, cases }) => sum + (inForce === candidate ? cases : 0), 0);
    return {
      ...showShadow(row),
      pairs,
      agreement: pairs === 0 ? null : same / pairs,
      interval: pairs === 0 ? null : wilsonInterval(same, pairs),
      kappa: measureKappa(labels),
      labels,
      costUsd: showDifference(cost),
      latencyMs: showDifference(latency),
      decided,
    };
  },

  async 'shadows.pairs'({ params, query: { limit, after, ...filter } }, { ledger }) {
    const { id } = await requireShadow(ledger.shadows, params.id);
    return ledger.shadows.listPairs(id, { ...filter, limit, after: after ?? null });
  },

  async 'shadows.end'({ params, principal }, { ledger, shadows }) {
    const { id } = await requireShadow(ledger.shadows, params.id);
    await ledger.shadows.endShadow(id, `Ended by ${reviewerName(principal) ?? 'somebody'}.`);
    await shadows.refresh();
    return showShadow((await ledger.shadows.findShadow(id))!);
  },
};

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

async function requireShadow(store: { findShadow(id: string): Promise<ShadowRow | undefined> }, id: string) {
  const row = await store.findShadow(id);
  if (row) return row;
  throw new AgonError('unknown-shadow', `There is no shadow ${id}.`, 'GET /api/shadows lists them.');
}

function showRule({ rule, ...row }: WatchRuleRow) {
  return { ...row, ...rule };
}

function showAlert({ rule, finding, ...alert }: AlertRow) {
  return { ...alert, rule: showRule(rule), ...finding };
}

function showShadow({ candidate, ...row }: ShadowRow) {
  return { ...row, ...candidate };
}

/** The mean difference with its 95 % interval. */
function showDifference({ pairs, inForce, candidate, difference, deviation }: PairedDifference) {
  if (pairs === 0) return { pairs, inForce: null, candidate: null, difference: null, interval: null };
  const margin = (1.96 * deviation) / Math.sqrt(pairs);
  const interval = pairs < 2 ? null : [difference - margin, difference + margin];
  return { pairs, inForce, candidate, difference, interval };
}

function measureKappa(labels: readonly { inForce: string; candidate: string; cases: number }[]): number | null {
  const repeat = (of: 'inForce' | 'candidate') =>
    labels.flatMap((row) => Array.from({ length: row.cases }, () => row[of]));
  return labels.length === 0 ? null : cohenKappa(repeat('inForce'), repeat('candidate'));
}
