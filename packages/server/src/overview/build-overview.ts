import type { z } from 'zod';
import type { schemas } from '../api/index.ts';
import type { DecidedCase, FigureSlice, Ledger } from '@agonhq/ledger';
import {
  agreementBetween,
  expectedCalibrationError,
  meanOf,
  quantiles,
  reliabilityBins,
  tenthOf,
} from '@agonhq/engine/statistics';
import { AgonError } from '@agonhq/engine/agon-error';
import { measureReviewers } from './reviewer-agreement.ts';

export const dayMs = 86_400_000;
const minuteMs = 60_000;
/** A year, and the days around it. */
const mostDays = 400;

/** A day somewhere, as much of it as was asked for. */
interface LocalDay {
  /** `2026-11-15`. */
  day: string;
  from: Date;
  to: Date;
}

/** Where the day of a moment begins, for somebody who is so many minutes ahead of UTC. */
export function findMidnight(moment: Date, offsetMinutes: number): Date {
  const ahead = offsetMinutes * minuteMs;
  return new Date(Math.floor((moment.getTime() + ahead) / dayMs) * dayMs - ahead);
}

/** Every day from one moment up to another. */
export function listLocalDays(since: Date, until: Date, offsetMinutes: number): LocalDay[] {
  if (since >= until)
    throw new AgonError('bad-request', 'The period ends before it begins.', 'Give `since` before `until`.');
  const days: LocalDay[] = [];
  for (let from = since; from < until;) {
    const midnight = findMidnight(from, offsetMinutes);
    const to = new Date(Math.min(midnight.getTime() + dayMs, until.getTime()));
    days.push({ day: new Date(midnight.getTime() + offsetMinutes * minuteMs).toISOString().slice(0, 10), from, to });
    if (days.length > mostDays)
      throw new AgonError('bad-request', `More than ${mostDays} days were asked for.`, 'Ask for less at once.');
    from = to;
  }
  return days;
}

export type Overview = z.infer<typeof schemas.overview>;

export interface OverviewTime {
  since: Date;
  until: Date;
  job?: string | undefined;
  offsetMinutes: number;
}

/** The most frequent categories and models are shown. */
const mostNamed = 20;

/** What happened over a time, in figures. Percentiles are exact: all latencies of the time are looked at. */
export async function buildOverview(
  ledger: Pick<Ledger, 'figures' | 'reviews'>,
  { since, until, job, offsetMinutes }: OverviewTime,
): Promise<Overview> {
  const whole = createTally();
  const decided: DecidedCase[] = [];
  const [categories, models] = [new Map<string, Named>(), new Map<string, Named>()];

  const spread = (values: readonly number[]) => {
    const [p50, p95] = quantiles(values, [0.5, 0.95]) as [number | null, number | null];
    return { p50, p95 };
  };
  const shared = (tally: Tally) => ({
    cases: tally.cases,
    byLabel: tally.byLabel,
    escalated: tally.escalated,
    disagreement: meanOf(tally.disagreements),
    costUsd: tally.priced === 0 ? null : tally.costUsd,
    latencyMs: spread(tally.latenciesMs),
    decided: tally.decided,
    overturned: tally.overturned,
  });

  const days: Overview['days'] = [];
  for (const { day, from, to } of listLocalDays(since, until, offsetMinutes)) {
    const tally = createTally();
    for await (const slice of ledger.figures.readFigures({ from, to, ...(job ? { job } : {}) })) {
      addToTally(tally, slice);
      addToTally(whole, slice);
      decided.push(...slice.decided);
      countNames(slice, categories, models);
    }
    days.push({ day, ...shared(tally) });
  }

  const forecasts = decided.flatMap(({ risk, decisions }) =>
    risk === null ? [] : [{ probability: risk, positive: decisions.at(-1)!.label === 'unsafe' }],
  );
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    totals: { ...shared(whole), degraded: whole.degraded, undecided: whole.byLabel['undecided'] ?? 0 },
    days,
    actions: countActions(whole.actions, decided),
    disagreement: countTenths(whole.disagreements),
    calibration: {
      bins: reliabilityBins(forecasts).map(({ from, to, items, meanProbability, share, interval }) => ({
        from,
        to,
        items,
        predicted: meanProbability,
        unsafe: share,
        interval,
      })),
      items: forecasts.length,
      ece: expectedCalibrationError(forecasts),
    },
    categories: rankNames(categories).map(([id, { cases }]) => ({ id, cases })),
    models: rankNames(models).map(([id, { cases, costUsd, priced }]) => ({
      id,
      cases,
      costUsd: priced === 0 ? null : costUsd,
    })),
    reviewers: agreementBetween(
      decided.map((one) => new Map(listDecisionsOfPeople(one).map(({ by, label }) => [by, label]))),
    ),
    byReviewer: measureReviewers(decided.map((one) => ({ ...one, decisions: listDecisionsOfPeople(one) }))),
    queue: await ledger.reviews.countWaiting(job ? { job } : {}),
  };
}

/** What is proposed, what people decided on, and where that was something else. */
function countActions(proposed: Tally['actions'], decided: readonly DecidedCase[]): Overview['actions'] {
  const counts = new Map<string, Overview['actions'][number]>();
  const of = (id: string) => {
    const known = counts.get(id) ?? { id, proposed: 0, decided: 0, changed: 0 };
    counts.set(id, known);
    return known;
  };
  for (const [id, cases] of proposed) of(id).proposed += cases;
  for (const one of decided) {
    const action = listDecisionsOfPeople(one).at(-1)?.action ?? null;
    if (action === null) continue;
    of(action).decided += 1;
    if (one.action !== null && one.action !== action) of(action).changed += 1;
  }
  return [...counts.values()]
    .toSorted((a, b) => b.proposed + b.decided - (a.proposed + a.decided) || (a.id < b.id ? -1 : 1))
    .slice(0, mostNamed);
}

interface Named {
  cases: number;
  costUsd: number;
  priced: number;
}

function countNames({ groups }: FigureSlice, categories: Map<string, Named>, models: Map<string, Named>): void {
  for (const { cases, costUsd, priced, ...group } of groups) {
    for (const [names, counted] of [
      [group.categories, categories],
      [group.models, models],
    ] as const) {
      for (const name of names) {
        const known = counted.get(name) ?? { cases: 0, costUsd: 0, priced: 0 };
        counted.set(name, {
          cases: known.cases + cases,
          costUsd: known.costUsd + costUsd,
          priced: known.priced + priced,
        });
      }
    }
  }
}

function rankNames(counted: ReadonlyMap<string, Named>): [string, Named][] {
  return [...counted]
    .toSorted(([a, one], [b, other]) => other.cases - one.cases || (a < b ? -1 : 1))
    .slice(0, mostNamed);
}

function countTenths(values: readonly number[]): Overview['disagreement'] {
  const steps = Array.from({ length: 10 }, (_, step) => ({ from: step / 10, to: (step + 1) / 10, cases: 0 }));
  for (const value of values) steps[tenthOf(value)]!.cases += 1;
  return steps;
}

/** What the cases of a time came to, as it is added up. */
interface Tally {
  cases: number;
  byLabel: Record<string, number>;
  /** Cases by what is proposed. */
  actions: Map<string, number>;
  escalated: number;
  degraded: number;
  costUsd: number;
  priced: number;
  disagreements: number[];
  latenciesMs: number[];
  decided: number;
  overturned: number;
}

function createTally(): Tally {
  return {
    cases: 0,
    byLabel: {},
    actions: new Map(),
    escalated: 0,
    degraded: 0,
    costUsd: 0,
    priced: 0,
    disagreements: [],
    latenciesMs: [],
    decided: 0,
    overturned: 0,
  };
}

/** Adds some cases to what is there. */
function addToTally(tally: Tally, { groups, decided }: FigureSlice): void {
  for (const { label, action, cases, escalated, degraded, costUsd, priced, disagreements, latenciesMs } of groups) {
    tally.cases += cases;
    tally.byLabel[label] = (tally.byLabel[label] ?? 0) + cases;
    if (action !== null) tally.actions.set(action, (tally.actions.get(action) ?? 0) + cases);
    tally.escalated += escalated;
    tally.degraded += degraded;
    tally.costUsd += costUsd;
    tally.priced += priced;
    for (const value of disagreements) tally.disagreements.push(value);
    for (const value of latenciesMs) tally.latenciesMs.push(value);
  }
  for (const one of decided) {
    const last = listDecisionsOfPeople(one).at(-1);
    if (!last) continue;
    tally.decided += 1;
    if (last.label !== one.verdict) tally.overturned += 1;
  }
}

/** What persons said, in their order: labelled data is no person. */
function listDecisionsOfPeople({ decisions }: DecidedCase): DecidedCase['decisions'] {
  return decisions.filter(({ by }) => !by.startsWith('dataset:'));
}
