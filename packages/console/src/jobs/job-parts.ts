import type { Client } from '@agonhq/server/client';
import { describeStop, findWords, nameRule, nameSpeaker, type DebateTerms } from '@agonhq/engine/view';
import type { Sensitivity } from '@agonhq/engine/policy/sensitivity';
import type { ConsoleJob, ConsoleDraft, JobRecord, JudgingOptions, JobTerms, RoleLook } from './console-job.ts';

/* What the jobs of the console have in common. */

export const asConfigured: JudgingOptions = { method: '', sensitivity: '', policy: '', seats: {}, budgetUsd: '' };

export const emptyDraft: ConsoleDraft = { texts: {}, files: [], options: asConfigured };

/** How it is to be judged, as a request says it: only what differs. */
export function writeOptions<const Id extends string>(
  { method, sensitivity, policy, seats, budgetUsd }: JudgingOptions,
  methods: readonly (readonly [id: Id, title: string])[],
) {
  const known = methods.find(([id]) => id === method);
  const chosen = Object.entries(seats)
    .map(([seat, model]) => [seat, model.trim()] as const)
    .filter(([, model]) => model !== '');
  return {
    ...(known ? { method: known[0] } : {}),
    ...(sensitivity === '' ? {} : { sensitivity: sensitivity as Sensitivity }),
    ...(policy === '' ? {} : { policy }),
    ...(chosen.length > 0 ? { seats: Object.fromEntries(chosen) } : {}),
    ...(Number(budgetUsd) > 0 ? { budgetUsd: Number(budgetUsd) } : {}),
  };
}

/** The files a case can be saved as; `notice` is what its short form is called. */
export function listReports(notice: string): JobRecord['reports'] {
  return [
    { title: 'Markdown', format: 'markdown', ending: 'md' },
    { title: 'JSON', format: 'json', ending: 'json' },
    { title: notice, format: 'notice', ending: 'notice.md' },
  ];
}

/** Has a sample judged to its end; returns the case's id. */
export async function judgeSample(client: Client, { form }: ConsoleJob, texts: ConsoleDraft['texts']): Promise<string> {
  let id = '';
  const order = form.makeOrder({ ...emptyDraft, texts });
  for await (const event of order.stream(client, new AbortController().signal))
    if ('debate' in event && typeof event.debate === 'string') id = event.debate;
  return id;
}

/** What a job's ids mean, in the words of its view; `roles` is how each role is drawn. */
export function describeTerms(terms: DebateTerms, roles: Readonly<Record<string, RoleLook>>) {
  const { subject, rules, notApplied, parts, deciders, outcomes, stops, methods } = terms;
  return {
    subject,
    isRisk: true,
    roles: Object.fromEntries(
      Object.entries(roles).map(([role, look]) => {
        const task = look.task ?? findWords(parts, role);
        return [role, task === undefined ? look : { ...look, task }];
      }),
    ),
    rules,
    notApplied,
    describeRule: (id) => findWords(deciders, id) ?? nameRule(id),
    outcomes,
    describeStop: (reason) => findWords(stops, reason) ?? describeStop(reason),
    describeSeat: nameSpeaker,
    describeMethod: (method) => findWords(methods, method) ?? { title: method, how: '' },
  } satisfies Partial<JobTerms>;
}
