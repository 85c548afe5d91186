import type {
  CaseFile,
  CaseRecorder,
  DebateEvent,
  FittedCalibration,
  Journal,
  Transcript,
} from '@agonhq/engine/debate';
import type { Policy } from '@agonhq/engine/policy';

/** What every trial is handed at the edge. */
export interface TrialSetup {
  journal: Journal;
  /** Who is told of the case; nobody when absent. */
  recorder?: CaseRecorder;
  /** The installation's secret, for the fence around untrusted content. */
  secret: string;
  /** Of all that is judged together. */
  maxCharacters: number;
  /** Agon's own version, for the record. */
  version: string;
}

/** And a trial by the policy. */
export interface PolicyTrialSetup extends TrialSetup {
  policy: Policy;
  /** What makes a probability of the score; null while the configuration is not calibrated. */
  calibration: FittedCalibration | null;
  /** The members of a context that debaters see. */
  context: readonly string[];
}

/** The conditions of one trial. */
export interface JudgeOptions {
  signal?: AbortSignal;
  /** Ask for `turn-delta` events. */
  stream?: boolean;
  /** The case's id; by default it follows from subject and configuration, so that the same case is the same debate. */
  debate?: string;
  /** What the person concerned says, in an appeal. */
  statement?: string;
  /** Precedents that this trial must not see. */
  withoutPrecedents?: readonly string[];
  /** Nor those that are the subject itself, or nearly: for measurements, in which it would be told the answer. */
  withoutCopies?: boolean;
}

/** What happens while something is judged: the engine's events, and the job's own. */
export type JudgeEvent = DebateEvent | JobEvent;

/** An event of a job's own: something is ready, or a claim begins or ends. */
export interface JobEvent {
  type: `${string}-ready` | 'claim-start' | 'claim-end';
  debate: string;
  /** The claim, where there are several; null for what concerns the whole. */
  scope: string | null;
  /** What the debaters are shown, where a case is ready. */
  caseFile?: CaseFile;
}

/** An event as it was told, or those of a whole transcript. */
export type RecalledEvents =
  | { type: JobEvent['type']; scope: string | null; data: object }
  | { scope: string | null; transcript: Transcript };
