import { randomUUID } from 'node:crypto';
import {
  createTally,
  type AlertRow,
  type Ledger,
  type Measured,
  type WatchCounts,
  type WatchRuleRow,
} from '../index.ts';
import type { WatchFinding, WatchRule } from './watched.ts';

const minuteMs = 60_000;
/** Groups that a rule looks at: those with the most cases. */
const mostGroups = 200;
/** Alerts that stand at once, of all rules. */
const mostStanding = 1_000;

export interface CheckReport {
  /** How many rules were looked at. */
  rules: number;
  raised: readonly AlertRow[];
  ended: readonly AlertRow[];
  /** All that stand now. */
  standing: readonly AlertRow[];
}

/**
 * Looks whether what is watched has drifted: raises what is new, ends what is over. One that stands is not raised
 * again, and stays while there is too little to say.
 *
 * @example const { standing } = await checkRules(ledger)
 */
export async function checkRules(
  ledger: Pick<Ledger, 'alerts' | 'watching'>,
  { now = new Date() }: { now?: Date } = {},
): Promise<CheckReport> {
  const rules = await ledger.alerts.listRules();
  const before = await listStanding(ledger);
  for (const rule of rules) await checkRule(ledger, rule, before, now);
  const standing = await listStanding(ledger);
  const [old, current] = [new Set(before.map(({ id }) => id)), new Set(standing.map(({ id }) => id))];
  const over = before.filter(({ id }) => !current.has(id));
  const ended = await Promise.all(over.map(({ id }) => ledger.alerts.findAlert(id)));
  return {
    rules: rules.length,
    raised: standing.filter(({ id }) => !old.has(id)),
    ended: ended.filter((alert) => alert !== undefined),
    standing,
  };
}

async function listStanding({ alerts }: Pick<Ledger, 'alerts'>): Promise<readonly AlertRow[]> {
  return (await alerts.listAlerts({ standing: true, limit: mostStanding })).rows;
}

async function checkRule(
  { alerts, watching }: Pick<Ledger, 'alerts' | 'watching'>,
  { id, rule }: WatchRuleRow,
  standing: readonly AlertRow[],
  now: Date,
): Promise<void> {
  const { job, by, value, windowMinutes, test, figure } = rule;
  const from = new Date(now.getTime() - windowMinutes * minuteMs);
  const about = { job: job ?? undefined, by: by ?? undefined, value: value ?? undefined };
  const { groups: current } = await watching.readCounts({ from, to: now, ...about });
  const start = test.kind === 'drift' ? new Date(from.getTime() - test.windows * windowMinutes * minuteMs) : from;
  const earlier =
    test.kind === 'drift' ? (await watching.readCounts({ from: start, to: from, ...about })).groups : null;
  for (const name of listGroups(current, earlier, by === null ? '' : value)) {
    const { fires, ...outcome } = testWindow(
      rule,
      figureReadings[figure](current.get(name) ?? createTally()),
      earlier && figureReadings[figure](earlier.get(name) ?? createTally()),
    );
    const finding = { from: from.toISOString(), to: now.toISOString(), ...outcome };
    const stands = standing.find((alert) => alert.rule.id === id && alert.value === name);
    if (fires) await alerts.raiseAlert({ id: `alert-${randomUUID()}`, rule: id, value: name, finding });
    else if (fires === false && stands) await alerts.endAlert(stands.id);
  }
  await alerts.markChecked(id, now);
}

/** The one that is asked for, or all that there are: what no longer comes in is looked at too. */
function listGroups(
  current: ReadonlyMap<string, WatchCounts>,
  earlier: ReadonlyMap<string, WatchCounts> | null,
  only: string | null,
): string[] {
  if (only !== null) return [only];
  const cases = (name: string) => (current.get(name)?.cases ?? 0) + (earlier?.get(name)?.cases ?? 0);
  const names = [...new Set([...current.keys(), ...(earlier?.keys() ?? [])])];
  return names.toSorted((a, b) => cases(b) - cases(a) || (a < b ? -1 : 1)).slice(0, mostGroups);
}

/** A figure of some cases: what it is, how many cases say it, and what its variance is by them. */
export interface ComparedReading {
  value: number;
  /** Cases behind it. */
  count: number;
  /** Of one case. */
  variance: number;
}

const readShare = (part: number, count: number): ComparedReading => {
  const value = count === 0 ? 0 : part / count;
  return { value, count, variance: value * (1 - value) };
};

const readMean = ({ count, sum, squares }: Measured): ComparedReading => {
  const value = count === 0 ? 0 : sum / count;
  const variance = count < 2 ? 0 : Math.max(0, (squares - count * value ** 2) / (count - 1));
  return { value, count, variance };
};

export const figureReadings: Record<WatchRule['figure'], (counts: WatchCounts) => ComparedReading> = {
  flagged: ({ flagged, cases }) => readShare(flagged, cases),
  undecided: ({ undecided, cases }) => readShare(undecided, cases),
  escalated: ({ escalated, cases }) => readShare(escalated, cases),
  degraded: ({ degraded, cases }) => readShare(degraded, cases),
  overridden: ({ overridden, decided }) => readShare(overridden, decided),
  risk: ({ risk }) => readMean(risk),
  cost: ({ cost }) => readMean(cost),
  latency: ({ latency }) => readMean(latency),
  // How many come in a window: a Poisson count, whose variance is its mean.
  cases: ({ cases }) => ({ value: cases, count: cases, variance: cases }),
};

/**
 * How many standard errors a figure is from what it was: for shares the two-proportion test with the pooled share, for
 * means that of Welch, for counts that of two Poisson rates. Null where there is nothing to tell apart.
 */
export function measureDrift(
  figure: WatchRule['figure'],
  now: ComparedReading,
  before: ComparedReading,
  windows: number,
) {
  if (figure === 'cases') {
    const expected = before.value / windows;
    const error = Math.sqrt(expected + expected / windows);
    return error === 0 ? null : (now.value - expected) / error;
  }
  if (now.count === 0 || before.count === 0) return null;
  const isMean = figure === 'risk' || figure === 'cost' || figure === 'latency';
  const pooled = (now.value * now.count + before.value * before.count) / (now.count + before.count);
  const spread = pooled * (1 - pooled);
  const error = isMean
    ? Math.sqrt(now.variance / now.count + before.variance / before.count)
    : Math.sqrt(spread / now.count + spread / before.count);
  return error === 0 ? null : (now.value - before.value) / error;
}

type Outcome = { fires: boolean | null } & Pick<WatchFinding, 'now' | 'cases' | 'before' | 'casesBefore' | 'z' | 'why'>;

/** Whether a rule is broken by a window, held against those before; null where there is too little to say. */
export function testWindow({ figure, test }: WatchRule, now: ComparedReading, before: ComparedReading | null): Outcome {
  const found = { now: now.value, cases: now.count };
  if (test.kind === 'bound') {
    const { above, below, least } = test;
    const isAbove = above !== null && now.value > above;
    const isBelow = below !== null && now.value < below;
    const why = isAbove ? `above ${above}` : isBelow ? `below ${below}` : 'within its bounds';
    // That nothing comes in is what a lower bound on the number of cases is for.
    const fires = figure !== 'cases' && now.count < least ? null : isAbove || isBelow;
    return { fires, ...found, before: null, casesBefore: null, z: null, why };
  }
  const old = before ?? { value: 0, count: 0, variance: 0 };
  const usual = figure === 'cases' ? old.value / test.windows : old.value;
  const z = measureDrift(figure, now, old, test.windows);
  const tooFew = figure === 'cases' ? old.count < test.least : now.count < test.least || old.count < test.least;
  const change = now.value - usual;
  const turned = test.direction === 'up' ? change > 0 : test.direction === 'down' ? change < 0 : true;
  const fires = tooFew ? null : z !== null && Math.abs(z) >= test.z && Math.abs(change) >= test.change && turned;
  const why = z === null ? 'as it was' : `${Math.abs(z).toFixed(1)} standard errors ${change > 0 ? 'above' : 'below'}`;
  return { fires, ...found, before: usual, casesBefore: old.count, z, why };
}
