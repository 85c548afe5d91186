import type { BenchResult, SystemResult } from '../result.ts';
import { placeOutcomes, selectAll, listForecasts, givesProbabilities, rankOutcomes } from './count-repeats.ts';
import { makeRecord } from './scores.ts';
import type { ClassScores, SystemFigureSet } from './set-figures.ts';
import {
  classFigures,
  countMatrix,
  meanOf,
  precisionRecallCurve,
  reliabilityBins,
  rocCurve,
} from '@agonhq/engine/statistics';

/**
 * What is drawn of a system's scores, by the sheet's rule. With several repeats it is the first: more of the same
 * items are no new items.
 */
export function computeCurves(
  result: BenchResult,
  system: SystemResult,
): Pick<SystemFigureSet, 'reliability' | 'roc' | 'precisionRecall'> {
  const [outcomes] = system.repeats;
  const selection = selectAll(result);
  const ranking = outcomes ? rankOutcomes(selection, outcomes) : null;
  if (!outcomes || !ranking) return { reliability: null, roc: null, precisionRecall: null };
  const forecasts = givesProbabilities(system)
    ? listForecasts(selection, outcomes).filter((forecast) => forecast !== null)
    : [];
  return {
    reliability: forecasts.length === 0 ? null : reliabilityBins(forecasts),
    roc: thinned(rocCurve(ranking)),
    precisionRecall: thinned(precisionRecallCurve(ranking)),
  };
}

/** More points than this nobody could tell apart. */
const mostPoints = 201;

/** At most so many points of a curve, evenly from its first to its last. */
function thinned<Point>(points: readonly Point[] | null): readonly Point[] | null {
  if (points === null || points.length <= mostPoints) return points;
  return Array.from(
    { length: mostPoints },
    (_, index) => points[Math.round((index * (points.length - 1)) / (mostPoints - 1))]!,
  );
}

/** One row for every class of the result, by the sheet's rule: the mean over repeats. */
export function scoreClasses(result: BenchResult, system: SystemResult): ClassScores[] {
  const tables = system.repeats.map((outcomes) => countMatrix(placeOutcomes(selectAll(result), outcomes)));
  return result.classes.map((label, place) => {
    const figures = tables.map((table) => classFigures(table, place));
    return {
      label,
      items: meanOf(figures.map(({ items }) => items)) ?? 0,
      ...makeRecord(['precision', 'recall', 'f1'], (name) => meanOf(figures.map((figure) => figure[name]))),
    };
  });
}

/**
 * What was said of the items of each class, whatever the rule. Broken lines have no class: they are among what
 * failed.
 */
export function countConfusion(
  { classes, items }: BenchResult,
  { repeats }: SystemResult,
): SystemFigureSet['confusion'] {
  const answers = [
    ...new Set([
      ...classes,
      'undecided',
      'failed',
      ...repeats.flatMap((outcomes) =>
        outcomes.filter((_, place) => items[place]!.gold !== null).map(({ said }) => said),
      ),
    ]),
  ];
  return Object.fromEntries(
    classes.map((label) => {
      const said = repeats.map((outcomes) =>
        countOf(outcomes.flatMap((outcome, place) => (items[place]!.gold === label ? [outcome.said] : []))),
      );
      return [
        label,
        Object.fromEntries(answers.map((answer) => [answer, meanOf(said.map((count) => count.get(answer) ?? 0)) ?? 0])),
      ];
    }),
  );
}

function countOf(labels: readonly string[]): Map<string, number> {
  const count = new Map<string, number>();
  for (const label of labels) count.set(label, (count.get(label) ?? 0) + 1);
  return count;
}
