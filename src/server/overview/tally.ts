import type { DecidedCase, FigureSlice } from '../../ledger/index.ts';

/** What the cases of a time came to, as it is added up. */
export interface Tally {
  cases: number;
  byLabel: Record<string, number>;
  escalated: number;
  degraded: number;
  costUsd: number;
  priced: number;
  disagreements: number[];
  latenciesMs: number[];
  decided: number;
  overturned: number;
}

export function emptyTally(): Tally {
  return {
    cases: 0,
    byLabel: {},
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
export function addTo(tally: Tally, { groups, decided }: FigureSlice): void {
  for (const { label, cases, escalated, degraded, costUsd, priced, disagreements, latenciesMs } of groups) {
    tally.cases += cases;
    tally.byLabel[label] = (tally.byLabel[label] ?? 0) + cases;
    tally.escalated += escalated;
    tally.degraded += degraded;
    tally.costUsd += costUsd;
    tally.priced += priced;
    for (const value of disagreements) tally.disagreements.push(value);
    for (const value of latenciesMs) tally.latenciesMs.push(value);
  }
  for (const one of decided) {
    const last = byPeople(one).at(-1);
    if (!last) continue;
    tally.decided += 1;
    if (last.label !== one.verdict) tally.overturned += 1;
  }
}

/** What persons said, in their order: labelled data is no person. */
export function byPeople({ decisions }: DecidedCase): DecidedCase['decisions'] {
  return decisions.filter(({ by }) => !by.startsWith('dataset:'));
}
