import type { Page } from './cases.ts';
import type { ReviewStage } from './review-stage.ts';
import type { ReviewReason } from './urgency.ts';

/** The stages at which a case waits. */
export const waitingStages = ['first', 'second', 'dispute'] as const;
export type WaitingStage = (typeof waitingStages)[number];

/** A case that waits for a person. It says nothing of the verdict. */
export interface WaitingCase {
  id: string;
  job: string;
  stage: WaitingStage;
  /** 1 is the most urgent. */
  urgency: number;
  why: readonly ReviewReason[];
  openedAt: Date;
  modality: string | null;
  excerpt: string | null;
}

export interface ReviewFilter {
  job?: string;
  /** Leaves out what this person has decided, where they may do so once only. */
  by?: { name: string; onceAt: readonly ReviewStage[] };
}

export interface Reviews {
  /** The most urgent first, then the oldest. */
  waiting(
    filter: ReviewFilter & { stage?: WaitingStage },
    options?: { limit?: number; after?: string | null },
  ): Promise<Page<WaitingCase>>;
  counts(filter: ReviewFilter): Promise<Record<WaitingStage, number>>;
  /** Where a case stands; null when nobody needs to look at it, undefined when there is none. */
  stage(caseId: string): Promise<ReviewStage | null | undefined>;
  /** As it waits; undefined when it does not. */
  find(caseId: string): Promise<WaitingCase | undefined>;
}
