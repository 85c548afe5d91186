import { estimate } from '../metrics/measure.ts';
import { filterRepeats, listRepeats, type EvaluatorRuns } from './evaluator.ts';
import { accuracy, type Estimate } from '../../statistics/index.ts';

export interface SubsetAccuracy {
  items: number;
  accuracy: Estimate;
}

/** The paper's Table 4: the accuracy on unsafe items whose risk is explicit, and on those whose risk is implicit. */
export interface AccuracyByRisk {
  explicit: SubsetAccuracy;
  implicit: SubsetAccuracy;
}

export function accuracyByRisk(evaluator: EvaluatorRuns): AccuracyByRisk {
  const subset = (risk: 'explicit' | 'implicit'): SubsetAccuracy => {
    const own = filterRepeats(listRepeats(evaluator), ({ item }) => item?.unsafe === true && item.risk === risk);
    return { items: own[0]!.length, accuracy: estimate(own, accuracy) };
  };
  return { explicit: subset('explicit'), implicit: subset('implicit') };
}
