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
  rankingFigures,
  recall,
  type Resamples,
  type Weights,
} from '../../statistics/index.ts';

export type ScoreName = 'items' | 'kappa' | Exclude<keyof Scores, 'items'>;
type Figures = Record<ScoreName, number | null>;

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
  const estimate = (name: ScoreName) => estimateFrom(figures, name);
  return {
    items: figures.value.items ?? 0,
    accuracy: estimate('accuracy'),
    balancedAccuracy: estimate('balancedAccuracy'),
    macroF1: estimate('macroF1'),
    precision: estimate('precision'),
    recall: estimate('recall'),
    f1: estimate('f1'),
    auc: estimate('auc'),
    averagePrecision: estimate('averagePrecision'),
    recallAt1PercentFpr: estimate('recallAt1PercentFpr'),
    ece: estimate('ece'),
    brier: estimate('brier'),
  };
}

function figuresOf({ cells, ranking, forecasts }: CountedRepeat, positive: number, weights: Weights): Figures {
  const table = countMatrix(cells, weights);
  const confusion = positive < 0 ? null : oneAgainstAll(table, positive);
  const ranked = ranking ? rankingFigures(ranking, 0.01, weights) : null;
  const calibration = forecasts ? calibrationFigures(forecasts, weights) : null;
  return {
    items: matrixItems(table),
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
  const mean = (name: ScoreName) => meanOf(all.map((figures) => figures[name]));
  return {
    items: mean('items'),
    accuracy: mean('accuracy'),
    balancedAccuracy: mean('balancedAccuracy'),
    macroF1: mean('macroF1'),
    kappa: mean('kappa'),
    precision: mean('precision'),
    recall: mean('recall'),
    f1: mean('f1'),
    auc: mean('auc'),
    averagePrecision: mean('averagePrecision'),
    recallAt1PercentFpr: mean('recallAt1PercentFpr'),
    ece: mean('ece'),
    brier: mean('brier'),
  };
}
