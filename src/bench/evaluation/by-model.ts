import { estimate } from '../metrics/measure.ts';
import { filterRepeats, listRepeats, type EvaluatorRuns } from './evaluator.ts';
import { accuracy, type Estimate, standardDeviation } from '../../statistics/index.ts';

/** The paper's Table 2: how an evaluator does on the answers of each evaluated model, and how much that varies. */
export interface AccuracyByModel {
  models: { model: string; items: number; accuracy: Estimate }[];
  /**
   * Standard deviation of the accuracy over the models: the smaller, the more stable. Null with fewer than two
   * models.
   */
  spread: number | null;
}

export function accuracyByModel(evaluator: EvaluatorRuns): AccuracyByModel {
  const repeats = listRepeats(evaluator);
  const models = listModels(evaluator).map((model) => {
    const own = filterRepeats(repeats, ({ item }) => item?.model === model);
    return { model, items: own[0]!.length, accuracy: estimate(own, accuracy) };
  });
  return { models, spread: models.length < 2 ? null : standardDeviation(models.map((model) => model.accuracy.value)) };
}

/** The evaluated models, in the order of the alphabet. */
export function listModels({ runs }: EvaluatorRuns): string[] {
  return [...new Set(runs[0]!.outcomes.flatMap(({ item }) => item?.model ?? []))].toSorted();
}
