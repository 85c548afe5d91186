import { countEachOnce, type ResampleWeights } from './bootstrap.ts';

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

export function rankItems(scored: readonly Scored[]): Ranking {
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

export function rankingFigures(ranking: Ranking, rate: number, weights: ResampleWeights): RankingFigures {
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

function caughtAt(
  { items, positive, ends }: Ranking,
  rate: number,
  negatives: number,
  weights: ResampleWeights,
): number {
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

/** An item without a score is ranked as badly as can be. Null when one of the classes is missing. */
export function areaUnderCurve(items: readonly Scored[]): number | null {
  return rankingFigures(rankItems(items), 0, countEachOnce(items.length)).auc;
}

/** The most positive items that one threshold catches while at most `rate` of the negative ones are caught too. */
export function recallAtFalsePositiveRate(items: readonly Scored[], rate: number): number | null {
  return rankingFigures(rankItems(items), rate, countEachOnce(items.length)).recall;
}

/** Where a curve is when all items with a score of `threshold` or more are taken for positive. */
export interface CurvePoint {
  x: number;
  y: number;
  threshold: number;
}

/** Caught positives over false alarms, from none to all; null when one of the classes is missing. */
export function rocCurve(ranking: Ranking): CurvePoint[] | null {
  const steps = stepsOf(ranking);
  const last = steps?.at(-1);
  if (!steps || !last) return null;
  const start = { x: 0, y: 0, threshold: aboveAll(ranking) };
  return [
    start,
    ...steps.map(({ caught, alarms, threshold }) => ({ x: alarms / last.alarms, y: caught / last.caught, threshold })),
  ];
}

/** Precision over recall, a point for every threshold; null when one of the classes is missing. */
export function precisionRecallCurve(ranking: Ranking): CurvePoint[] | null {
  const steps = stepsOf(ranking);
  const last = steps?.at(-1);
  if (!steps || !last) return null;
  return steps.map(({ caught, alarms, threshold }) => ({
    x: caught / last.caught,
    y: caught / (caught + alarms),
    threshold,
  }));
}

interface Step {
  caught: number;
  alarms: number;
  threshold: number;
}

/** Items with the same score are one step. */
function stepsOf(ranking: Ranking): Step[] | null {
  const { positive, ranks, ends } = ranking;
  const steps: Step[] = [];
  let [caught, alarms] = [0, 0];
  positive.forEach((isPositive, place) => {
    if (isPositive === 1) caught += 1;
    else alarms += 1;
    if (ends[place] === 1) steps.push({ caught, alarms, threshold: thresholdOf(ranking, ranks[place]!) });
  });
  return caught === 0 || alarms === 0 ? null : steps;
}

/** Items without a score lie beyond all others, at thresholds that can still be written down. */
function thresholdOf(ranking: Ranking, rank: number): number {
  if (Number.isFinite(rank)) return rank;
  return rank > 0 ? aboveAll(ranking) : Math.min(0, ...finite(ranking, 'lowest')) - 1;
}

function aboveAll(ranking: Ranking): number {
  return Math.max(0, ...finite(ranking, 'highest')) + 1;
}

/** The highest or the lowest score, if there is any. */
function finite({ ranks }: Ranking, end: 'highest' | 'lowest'): number[] {
  const found = end === 'highest' ? ranks.find(Number.isFinite) : ranks.findLast(Number.isFinite);
  return found === undefined ? [] : [found];
}
