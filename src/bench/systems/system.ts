import type { Calibration, SafetyLabel, Usage, Verdict } from '../../debate/index.ts';
import type { EvaluationDetails } from './results.ts';

/** What a system says of one item. */
export interface Judgement {
  label: SafetyLabel;
  score: number | null;
  probability: number | null;
  usage?: Usage;
  /** What only an evaluation says. */
  evaluation?: EvaluationDetails;
  /** The whole verdict, for whoever reads the results file. */
  verdict?: Verdict;
}

/** What is measured: a full debate, one without a part, the bare guard model, anything that judges a subject. */
export interface BenchSystem<Subject> {
  name: string;
  /** Changes when a judgement may change: results of another configuration are not taken up again. */
  configuration: string;
  /** What a calibration is fitted for, where that is less than the configuration. */
  setup?: string;
  /** What makes its probabilities, where it is calibrated. */
  calibration?: Calibration;
  judge(subject: Subject, signal: AbortSignal): Promise<Judgement>;
}
