import type { EvaluationMethod } from '../../jobs/evaluation/index.ts';
import type { LabelledExchange } from '../datasets/labelled-exchange.ts';
import type { ItemOutcome, Outcome } from '../metrics/measure.ts';
import type { SystemRun } from '../systems/run-system.ts';

/** Who judged, as far as the tables tell evaluators apart. */
export interface Evaluator {
  name: string;
  method: EvaluationMethod;
  /** T; null where there are no rounds. */
  rounds: number | null;
  /** N; null where there is no debate of roles. */
  agents: number | null;
  /** The models that sat in its seats; a judge has one, a list of refusals none. */
  models: readonly string[];
}

/** An evaluator with what came of its runs over the same data, one for each repeat. */
export interface EvaluatorRuns {
  evaluator: Evaluator;
  runs: readonly SystemRun<LabelledExchange>[];
}

export type ExchangeOutcome = ItemOutcome<LabelledExchange>;

export function listRepeats({ runs }: EvaluatorRuns): (readonly ExchangeOutcome[])[] {
  return runs.map(({ outcomes }) => outcomes);
}

/** The repeats over some of the items alone. */
export function filterRepeats<Of extends Outcome>(
  repeats: readonly (readonly Of[])[],
  wanted: (outcome: Of) => boolean,
): Of[][] {
  return repeats.map((outcomes) => outcomes.filter(wanted));
}
