import type { Transcript, Verdict } from '@agonhq/engine/debate';

export type { AnswerDescription, AnswerSummary, CaseIndex, JobAnswer } from '@agonhq/engine/debate';

/** A debate of an answer. */
export interface JudgedDebate {
  transcript: Transcript;
  verdict: Verdict<string>;
}

/** One entry, or one claim, as it was and as it is. */
export interface Difference {
  at: string;
  before: string;
  after: string;
}
