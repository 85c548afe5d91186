import type { SystemResult } from '../result.ts';
import { countRepeats, type CountedRepeat, type Selection } from './count-repeats.ts';
import type { Scores } from './set-figures.ts';
import {
  balancedAccuracy,
  type Bootstrapped,
  bootstrapStatistics,
  calibrationFigures,
  countMatrix,
  estimateFrom,
  f1,
  macroF1,
  matrixAccuracy,
  matrixItems,
  matrixKappa,
  meanOf,
  oneAgainstAll,
  precision,
  rarestClass,
  rankingFigures,
  recall,
  type Resamples,
  type ResampleWeights,
} from '@agonhq/engine/statistics';

const scoreNames = [
  ...(['accuracy', 'balancedAccuracy', 'macroF1', 'precision', 'recall', 'f1'] as const),
  ...(['auc', 'averagePrecision', 'recallAt1PercentFpr', 'ece', 'brier'] as const),
] as const satisfies readonly Exclude<keyof Scores, 'items'>[];
/**
 * How many items a score counts, where that is not all of them; the fewest of a class where it is a mean of classes.
 */
const countNames = ['items', 'positives', 'named', 'rarest'] as const;
const countedBy: Partial<Record<(typeof scoreNames)[number], (typeof countNames)[number]>> = {
  balancedAccuracy: 'rarest',
  macroF1: 'rarest',
  precision: 'named',
  recall: 'positives',
  f1: 'positives',
  auc: 'rarest',
  averagePrecision: 'positives',
  recallAt1PercentFpr: 'positives',
};
const figureNames = [...countNames, 'kappa', ...scoreNames] as const;
export type ScoreName = (typeof figureNames)[number];
type Figures = Record<ScoreName, number | null>;

/** A record with a value for each of these names. */
export function makeRecord<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

/**
 * Every score of a system over some items, and over their resamples: the mean over repeats. An item is drawn with all
 * its repeats.
 */
export function scoreSystem(selection: Selection, system: SystemResult, resamples: Resamples): Bootstrapped<ScoreName> {
  const { classes, positive } = selection.result;
  const repeats = countRepeats(selection, system);
  const label = positive === null ? -1 : classes.indexOf(positive);
  return bootstrapStatistics(resamples, selection.places.length, (weights) =>
    meanFigures(repeats.map((repeat) => figuresOf(repeat, label, weights))),
  );
}

export function toScores(figures: Bootstrapped<ScoreName>): Scores {
  const { value } = figures;
  return {
    items: value.items ?? 0,
    ...makeRecord(scoreNames, (name) => estimateFrom(figures, name, value[countedBy[name] ?? 'items'] ?? 0)),
  };
}

function figuresOf({ cells, ranking, forecasts }: CountedRepeat, positive: number, weights: ResampleWeights): Figures {
  const table = countMatrix(cells, weights);
  const confusion = positive < 0 ? null : oneAgainstAll(table, positive);
  const ranked = ranking ? rankingFigures(ranking, 0.01, weights) : null;
  const calibration = forecasts ? calibrationFigures(forecasts, weights) : null;
  return {
    items: matrixItems(table),
    positives: confusion && confusion.truePositives + confusion.falseNegatives,
    named: confusion && confusion.truePositives + confusion.falsePositives,
    rarest: rarestClass(table),
    accuracy: matrixAccuracy(table),
    balancedAccuracy: balancedAccuracy(table),
    macroF1: macroF1(table),
    kappa: matrixKappa(table),
    precision: confusion && precision(confusion),
    recall: confusion && recall(confusion),
    f1: confusion && f1(confusion),
    auc: ranked && ranked.auc,
    averagePrecision: ranked && ranked.averagePrecision,
    recallAt1PercentFpr: ranked && ranked.recall,
    ece: calibration && calibration.ece,
    brier: calibration && calibration.brier,
  };
}

function meanFigures(all: readonly Figures[]): Figures {
  if (all.length === 1) return all[0]!;
  return makeRecord(figureNames, (name) => meanOf(all.map((figures) => figures[name])));
}
