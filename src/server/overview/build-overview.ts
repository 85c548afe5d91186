import type { z } from 'zod';
import type { schemas } from '../../api/index.ts';
import type { DecidedCase, FigureSlice, Ledger } from '../../ledger/index.ts';
import {
  agreementBetween,
  expectedCalibrationError,
  meanOf,
  quantiles,
  reliabilityBins,
  tenthOf,
} from '../../statistics/index.ts';
import { localDays } from './local-days.ts';
import { addTo, byPeople, emptyTally, type Tally } from './tally.ts';

export type Overview = z.infer<typeof schemas.overview>;

export interface OverviewTime {
  since: Date;
  until: Date;
  job?: 'moderation' | 'evaluation' | 'documents' | undefined;
  offsetMinutes: number;
}

/** The most frequent categories and models are shown. */
const mostNamed = 20;

/** What happened over a time, in figures. Percentiles are exact: all latencies of the time are looked at. */
export async function overviewOf(
  ledger: Pick<Ledger, 'figures' | 'reviews'>,
  { since, until, job, offsetMinutes }: OverviewTime,
): Promise<Overview> {
  const whole = emptyTally();
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
  for (const { day, from, to } of localDays(since, until, offsetMinutes)) {
    const tally = emptyTally();
    for await (const slice of ledger.figures.readFigures({ from, to, ...(job ? { job } : {}) })) {
      addTo(tally, slice);
      addTo(whole, slice);
      decided.push(...slice.decided);
      count(slice, categories, models);
    }
    days.push({ day, ...shared(tally) });
  }

  const forecasts = decided.flatMap(({ probability, score, decisions }) => {
    const said = probability ?? score;
    return said === null ? [] : [{ probability: said, positive: decisions.at(-1)!.label === 'unsafe' }];
  });
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    totals: { ...shared(whole), degraded: whole.degraded, undecided: whole.byLabel['undecided'] ?? 0 },
    days,
    disagreement: tenSteps(whole.disagreements),
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
    categories: mostFrequent(categories).map(([id, { cases }]) => ({ id, cases })),
    models: mostFrequent(models).map(([id, { cases, costUsd, priced }]) => ({
      id,
      cases,
      costUsd: priced === 0 ? null : costUsd,
    })),
    reviewers: agreementBetween(decided.map((one) => new Map(byPeople(one).map(({ by, label }) => [by, label])))),
    queue: await ledger.reviews.countWaiting(job ? { job } : {}),
  };
}

interface Named {
  cases: number;
  costUsd: number;
  priced: number;
}

function count({ groups }: FigureSlice, categories: Map<string, Named>, models: Map<string, Named>): void {
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

function mostFrequent(counted: ReadonlyMap<string, Named>): [string, Named][] {
  return [...counted]
    .toSorted(([a, one], [b, other]) => other.cases - one.cases || (a < b ? -1 : 1))
    .slice(0, mostNamed);
}

function tenSteps(values: readonly number[]): Overview['disagreement'] {
  const steps = Array.from({ length: 10 }, (_, step) => ({ from: step / 10, to: (step + 1) / 10, cases: 0 }));
  for (const value of values) steps[tenthOf(value)]!.cases += 1;
  return steps;
}
