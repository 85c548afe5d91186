import type { Ranking } from './ranking.ts';

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
