import type { Transcript, Verdict } from '../debate/index.ts';

export type { AnswerDescription, AnswerSummary, CaseIndex, JobAnswer } from '../debate/index.ts';

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
