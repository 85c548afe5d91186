import type { ReviewStage, SecondReview } from './review-stage.ts';

/**
 * What a person, or labelled data, says the truth of a case is. Never changed: a later one stands over an earlier
 * one.
 */
export interface Decision {
  id: string;
  /** The debate's id. */
  case: string;
  label: 'safe' | 'unsafe';
  why: string | null;
  clause: string | null;
  /** Who decided: a name, `feedback`, `dataset:NAME`. */
  by: string;
  at: Date;
  /** When the curator took it up; null until then. */
  learntAt: Date | null;
}

export type NewDecision = Pick<Decision, 'case' | 'label' | 'by'> & Partial<Pick<Decision, 'why' | 'clause' | 'at'>>;

export interface RecordOptions {
  /** Which decisions a second person must confirm; those that contradict the verdict by default. */
  secondReview?: SecondReview;
  /** The stages of a review at which who has decided already may not decide again: reviews are independent. */
  onceAt?: readonly ReviewStage[];
  /** Refused unless the case waits for a person: who reviews does not decide over what others have settled. */
  onlyWaiting?: boolean;
}

export interface Decisions {
  /** The same decision by the same person is recorded once. The case moves on to the next stage of its review. */
  record(decision: NewDecision, options?: RecordOptions): Promise<Decision>;
  /** In the order they were made. */
  of(caseId: string): Promise<readonly Decision[]>;
  /** The standing decision of each case, the oldest first, with what was decided before. */
  standing(filter?: {
    wrong?: boolean;
    unlearnt?: boolean;
    since?: Date;
    run?: string;
  }): AsyncIterable<Decision & { verdict: string }>;
  markLearnt(ids: readonly string[]): Promise<void>;
}
