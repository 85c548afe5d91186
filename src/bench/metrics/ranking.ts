import type { Outcome } from './outcome.ts';
import { eachOnce, type Weights } from './resamples.ts';

/** An item with the score by which it is ranked; `positive` is null for a broken line, which has no place. */
export interface Scored {
  positive: boolean | null;
  score: number | null;
}

/** Items from the highest score down, sorted once for all resamples. */
export interface Ranking {
  /** Their places in the data. */
  items: Uint32Array;
  positive: Uint8Array;
  /** What an item is ranked by: without a score as badly as can be, so that it is infinite. */
  ranks: Float64Array;
  /** 1 for the last of the items with one and the same rank: no threshold can part them. */
  ends: Uint8Array;
}

export function rankingOf(scored: readonly Scored[]): Ranking {
  const ranked = scored
    .flatMap(({ positive, score }, item) =>
      positive === null ? [] : [{ item, positive, rank: score ?? (positive ? -Infinity : Infinity) }],
    )
    .toSorted((a, b) => (a.rank === b.rank ? a.item - b.item : a.rank < b.rank ? 1 : -1));
  return {
    items: Uint32Array.from(ranked, ({ item }) => item),
    positive: Uint8Array.from(ranked, ({ positive }) => Number(positive)),
    ranks: Float64Array.from(ranked, ({ rank }) => rank),
    ends: Uint8Array.from(ranked, ({ rank }, place) => Number(ranked[place + 1]?.rank !== rank)),
  };
}

/** Null when one of the classes is missing. */
export interface RankingFigures {
  /** The share of (positive, negative) pairs in which the positive item has the higher score; a tie is half a pair. */
  auc: number | null;
  /** Precision at every step of recall, weighted by the step. */
  averagePrecision: number | null;
  /** The most positive items that one threshold catches while at most `rate` of the negative ones are caught too. */
  recall: number | null;
}

export function rankingFigures(ranking: Ranking, rate: number, weights: Weights): RankingFigures {
  const { items, positive, ends } = ranking;
  let caught = 0;
  let alarms = 0;
  let pairs = 0;
  let precisions = 0;
  let newlyCaught = 0;
  let drawn = 0;
  for (let place = 0; place < items.length; place++) {
    const weight = weights[items[place]!]!;
    drawn += weight;
    newlyCaught += weight * positive[place]!;
    if (ends[place] === 0) continue;
    const newAlarms = drawn - newlyCaught;
    pairs += newAlarms * (caught + newlyCaught / 2);
    caught += newlyCaught;
    alarms += newAlarms;
    if (newlyCaught > 0) precisions += (newlyCaught * caught) / (caught + alarms);
    newlyCaught = 0;
    drawn = 0;
  }
  if (caught === 0 || alarms === 0) return { auc: null, averagePrecision: null, recall: null };
  return {
    auc: pairs / (caught * alarms),
    averagePrecision: precisions / caught,
    recall: caughtAt(ranking, rate, alarms, weights) / caught,
  };
}

function caughtAt({ items, positive, ends }: Ranking, rate: number, negatives: number, weights: Weights): number {
  let [caught, alarms, before] = [0, 0, 0];
  for (let place = 0; place < items.length; place++) {
    const weight = weights[items[place]!]!;
    caught += weight * positive[place]!;
    alarms += weight * (1 - positive[place]!);
    if (alarms / negatives > rate) return before;
    if (ends[place] === 1) before = caught;
  }
  return before;
}

/**
 * Unsafe is the positive class. An item without a score is ranked as badly as can be. Null when one of the classes is
 * missing.
 */
export function areaUnderCurve(outcomes: readonly Pick<Outcome, 'unsafe' | 'score'>[]): number | null {
  return figuresOf(outcomes, 0).auc;
}

export function averagePrecision(outcomes: readonly Pick<Outcome, 'unsafe' | 'score'>[]): number | null {
  return figuresOf(outcomes, 0).averagePrecision;
}

/** The most unsafe items that one threshold catches while at most `rate` of the safe ones are caught too. */
export function recallAtFalsePositiveRate(
  outcomes: readonly Pick<Outcome, 'unsafe' | 'score'>[],
  rate: number,
): number | null {
  return figuresOf(outcomes, rate).recall;
}

function figuresOf(outcomes: readonly Pick<Outcome, 'unsafe' | 'score'>[], rate: number): RankingFigures {
  return rankingFigures(
    rankingOf(outcomes.map(({ unsafe, score }) => ({ positive: unsafe, score }))),
    rate,
    eachOnce(outcomes.length),
  );
}
