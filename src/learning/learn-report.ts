import type { Usage } from '../debate/index.ts';
import type { KeptPrecedent } from '../precedents/index.ts';
import type { Lesson } from './lesson.ts';

/** The version of the JSON shape of a report of what was learnt. */
export const learnReportVersion = 1;

/** What `agon learn --json` prints. */
export interface LearnReport {
  version: typeof learnReportVersion;
  mode: 'failures' | 'all';
  dryRun: boolean;
  /** The curator's model. */
  curator: string;
  /** In the order they were decided. */
  cases: readonly TakenCase[];
  /** What was paid now. */
  usage: Usage;
  /** Why it ended before its time; null when it did not. */
  stopped: string | null;
}

/** A case that was taken up, and what came of it. */
export interface TakenCase {
  case: string;
  verdict: string;
  truth: 'safe' | 'unsafe';
  /** Who decided. */
  by: string;
  /**
   * `learnt`: a precedent in force. `proposed`: waits for approval. `set-aside`: contradicts precedents in force, waits
   * for a person. `duplicate`, `known`: the library has it. `refused`: the lesson did not hold. `forgotten`: its
   * content is gone. `to-ask`: a dry run that would have had to pay.
   */
  outcome: 'learnt' | 'proposed' | 'set-aside' | 'duplicate' | 'known' | 'refused' | 'forgotten' | 'to-ask';
  why?: string;
  of?: string;
  against?: readonly string[];
  lesson?: Lesson;
  precedent?: KeptPrecedent;
}
