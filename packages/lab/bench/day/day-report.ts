import { percentile } from '../statistics.ts';
import type { DayPlan, Failure } from './day-plan.ts';
import type { DayRecord } from './simulate-day.ts';

const hour = 3_600_000;
/** What waits no longer than this is worked off as it comes. */
const usualWaitMs = 60_000;

export interface HourReport {
  hour: number;
  came: number;
  deepest: number;
  p50Ms: number;
  p99Ms: number;
}

export interface DayReport {
  items: number;
  ended: number;
  setAside: number;
  /** Items that were begun by a worker that was lost, and were tried again. */
  triedAgain: number;
  latencyMs: { p50: number; p90: number; p99: number; p999: number; most: number };
  hours: HourReport[];
  failures: {
    what: string;
    at: string;
    awayMs: number;
    deepest: number;
    oldestMs: number;
    recoveredMs: number | null;
  }[];
}

/** A day in figures, in items. */
export function reportDay(plan: DayPlan, record: DayRecord): DayReport {
  const { grain } = plan;
  const waits = record.ended.map(({ cameMs, endedMs }) => endedMs - cameMs).sort((a, b) => a - b);
  const byHour = Map.groupBy(record.ended, ({ cameMs }) => Math.min(23, Math.max(0, Math.floor(cameMs / hour))));
  return {
    items: record.put * grain,
    ended: record.ended.length * grain,
    setAside: record.setAside * grain,
    triedAgain: record.lostInHand * grain,
    latencyMs: {
      p50: percentile(waits, 0.5),
      p90: percentile(waits, 0.9),
      p99: percentile(waits, 0.99),
      p999: percentile(waits, 0.999),
      most: waits.at(-1) ?? Number.NaN,
    },
    hours: [...byHour]
      .sort(([a], [b]) => a - b)
      .map(([at, ended]) => {
        const took = ended.map(({ cameMs, endedMs }) => endedMs - cameMs);
        const looks = record.looks.filter(({ atMs }) => Math.floor(atMs / hour) === at);
        return {
          hour: at,
          came: ended.length * grain,
          deepest: Math.max(0, ...looks.map(({ waiting }) => waiting)) * grain,
          p50Ms: percentile(took, 0.5),
          p99Ms: percentile(took, 0.99),
        };
      }),
    failures: plan.failures
      .filter(({ what }) => what !== 'single workers')
      .toSorted((a, b) => a.atMs - b.atMs)
      .map((failure) => ({ what: failure.what, ...describeFailure(failure, plan, record) })),
  };
}

function describeFailure({ atMs, awayMs }: Failure, { grain }: DayPlan, { looks }: DayRecord) {
  const after = looks.filter((look) => look.atMs >= atMs);
  const over = after.findIndex((look) => look.atMs > atMs + awayMs && look.oldestMs <= usualWaitMs);
  const during = over === -1 ? after : after.slice(0, over + 1);
  return {
    at: new Date(atMs).toISOString().slice(11, 16),
    awayMs,
    deepest: Math.max(0, ...during.map(({ waiting }) => waiting)) * grain,
    oldestMs: Math.max(0, ...during.map(({ oldestMs }) => oldestMs)),
    recoveredMs: over === -1 ? null : after[over]!.atMs - atMs - awayMs,
  };
}
