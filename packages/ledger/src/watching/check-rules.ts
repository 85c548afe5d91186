import { randomUUID } from 'node:crypto';
import type { AlertRow, Ledger, WatchCounts, WatchRuleRow } from '../index.ts';
import { createTally } from '../index.ts';
import { readFigure, testWindow } from './compare-windows.ts';

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
      readFigure(figure, current.get(name) ?? createTally()),
      earlier && readFigure(figure, earlier.get(name) ?? createTally()),
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
