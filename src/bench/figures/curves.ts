import type { ScoreSheet, SystemSheet } from '../sheet.ts';
import { forecastsIn, givesProbabilities, rankingIn, wholeSheet } from './counted.ts';
import type { SystemFigureSet } from './set-figures.ts';
import { precisionRecallCurve, reliabilityBins, rocCurve } from '../../statistics/index.ts';

/**
 * What is drawn of a system's scores, by the sheet's rule. With several repeats it is the first: more of the same
 * items are no new items.
 */
export function curvesOf(
  sheet: ScoreSheet,
  system: SystemSheet,
): Pick<SystemFigureSet, 'reliability' | 'roc' | 'precisionRecall'> {
  const [outcomes] = system.repeats;
  const selection = wholeSheet(sheet);
  const ranking = outcomes ? rankingIn(selection, outcomes) : null;
  if (!outcomes || !ranking) return { reliability: null, roc: null, precisionRecall: null };
  const forecasts = givesProbabilities(system)
    ? forecastsIn(selection, outcomes).filter((forecast) => forecast !== null)
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
