import type { z } from 'zod';
import type { schemas } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { createTally, type Ledger, type WatchCounts } from '@agonhq/ledger';
import type { WatchGroup } from '@agonhq/ledger/watching/watched';
import { dayMs, findMidnight } from '../overview/build-overview.ts';

export type WatchReport = z.infer<typeof schemas.watchReport>;
type WatchFigures = Ledger['watching'];
type Step = z.output<typeof schemas.watchQuery>['step'];

const hourMs = 3_600_000;
const mostSteps = 400;
const stepsByDefault = 30;
/** Groups that are told one by one. */
const mostGroups = 12;
const stepMs: Record<Step, number> = { hour: hourMs, day: dayMs, week: 7 * dayMs };

export interface WatchAsked {
  since?: Date | undefined;
  until?: Date | undefined;
  step: Step;
  job?: string | undefined;
  by?: WatchGroup | undefined;
  value?: string | undefined;
  offsetMinutes: number;
}

/** What happened over a time, step by step and by group. */
export async function buildWatch(watching: WatchFigures, asked: WatchAsked): Promise<WatchReport> {
  const { job, by, value } = asked;
  const steps = listWatchSteps(asked);
  const groups = new Map<string, WatchCounts[]>();
  const whole: WatchCounts[] = [];
  for (const [place, { from, to }] of steps.entries()) {
    const { all, groups: counted } = await watching.readCounts({ from, to, job, by, value });
    for (const [name, counts] of counted) {
      if (!groups.has(name))
        groups.set(
          name,
          steps.map(() => createTally()),
        );
      groups.get(name)![place] = counts;
    }
    whole.push(all);
  }
  const ranked = [...groups]
    .map(([name, points]) => showSeries(name, points))
    .toSorted((a, b) => b.cases - a.cases || (a.value < b.value ? -1 : 1));
  return {
    since: steps[0]!.from.toISOString(),
    until: steps.at(-1)!.to.toISOString(),
    steps: steps.map(({ from, to }) => ({ from: from.toISOString(), to: to.toISOString() })),
    whole: showSeries('', whole),
    groups: by === undefined ? [] : ranked.slice(0, mostGroups),
    others: by === undefined ? 0 : Math.max(0, ranked.length - mostGroups),
  };
}

/** The steps of a time: each begins at a full hour, at midnight, or on a Monday, where somebody is. */
export function listWatchSteps({ since, until = new Date(), step, offsetMinutes }: WatchAsked) {
  const start = since ?? new Date(until.getTime() - (stepsByDefault - 1) * stepMs[step]);
  if (start >= until)
    throw new AgonError('bad-request', 'The period ends before it begins.', 'Give `since` before `until`.');
  const steps: { from: Date; to: Date }[] = [];
  for (let from = findStart(start, step, offsetMinutes); from < until;) {
    const next = new Date(from.getTime() + stepMs[step]);
    steps.push({ from, to: next < until ? next : until });
    if (steps.length > mostSteps)
      throw new AgonError('bad-request', `More than ${mostSteps} steps were asked for.`, 'Ask for longer steps.');
    from = next;
  }
  return steps;
}

function findStart(moment: Date, step: Step, offsetMinutes: number): Date {
  if (step === 'hour') return new Date(Math.floor(moment.getTime() / hourMs) * hourMs);
  const midnight = findMidnight(moment, offsetMinutes);
  if (step === 'day') return midnight;
  const local = new Date(midnight.getTime() + offsetMinutes * 60_000);
  return new Date(midnight.getTime() - ((local.getUTCDay() + 6) % 7) * dayMs);
}

function addUp(all: readonly WatchCounts[]): WatchCounts {
  const sum = createTally();
  for (const one of all) {
    for (const name of ['cases', 'flagged', 'undecided', 'escalated', 'degraded', 'decided', 'overridden'] as const)
      sum[name] += one[name];
    for (const name of ['cost', 'latency', 'risk'] as const)
      for (const part of ['count', 'sum', 'squares'] as const) sum[name][part] += one[name][part];
    one.tenths.forEach((cases, tenth) => (sum.tenths[tenth]! += cases));
  }
  return sum;
}

function showSeries(value: string, points: readonly WatchCounts[]) {
  return { value, ...showCounts(addUp(points)), points: points.map(showCounts) };
}

function showCounts({ cost, latency, risk, tenths, ...counts }: WatchCounts) {
  const mean = ({ count, sum }: { count: number; sum: number }) => (count === 0 ? null : sum / count);
  return {
    ...counts,
    costUsd: cost.count === 0 ? null : cost.sum,
    latencyMs: mean(latency),
    risk: mean(risk),
    tenths: [...tenths],
  };
}
