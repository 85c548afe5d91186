import type { Decision } from './decisions.ts';
import type { Debates, Listing } from './tables.ts';

/** Which decisions of a person another person must confirm: those that contradict the verdict, all, or none. */
export type SecondReview = 'contradicted' | 'always' | 'never';

export type ReviewStage = NonNullable<Listing['stage']>;

interface Reviewed {
  /** Of the verdict; null while there is none. */
  label: string | null;
  unsure: boolean;
  /** In the order they were made. */
  decisions: readonly Pick<Decision, 'label' | 'by'>[];
}

/**
 * Where a case stands with its reviewers. One who contradicts the verdict, or decides what it left undecided, is
 * followed by another; if the two disagree, whoever decides next settles it. Labelled data settles a case at once.
 */
export function stageOf(
  { label: verdict, unsure, decisions }: Reviewed,
  secondReview: SecondReview = 'contradicted',
): ReviewStage | null {
  let stage: ReviewStage | null = verdict !== null && unsure ? 'first' : null;
  let first: Pick<Decision, 'label' | 'by'> | null = null;
  let alone = true;
  for (const decision of verdict === null ? [] : decisions) {
    if (isLabelledData(decision.by)) return 'done';
    alone &&= first === null || decision.by === first.by;
    if (first === null || (alone && stage === 'done'))
      stage =
        secondReview === 'always' || (secondReview === 'contradicted' && decision.label !== verdict)
          ? 'second'
          : 'done';
    else if (stage === 'dispute') return 'done';
    else if (stage === 'second' && decision.by !== first.by)
      stage = decision.label === first.label ? 'done' : 'dispute';
    // Who decides again before a second one has, has changed their mind.
    if (first === null || decision.by === first.by) first = decision;
  }
  return stage;
}

export function isLabelledData(by: string): boolean {
  return by.startsWith('dataset:');
}

/**
 * Whether people review such cases at all: a replay asks what would have been, a document is neither safe nor unsafe,
 * and what was forgotten cannot be seen.
 */
export function isReviewed({
  job,
  again_how,
  forgotten_at,
}: Pick<Debates, 'job' | 'again_how' | 'forgotten_at'>): boolean {
  return (job === 'moderation' || job === 'evaluation') && again_how !== 'replay' && forgotten_at === null;
}
