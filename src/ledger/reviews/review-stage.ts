import { findJob } from '../../jobs/index.ts';
import { updateListedReview, type ListedVerdict } from '../cases/listing.ts';
import type { Db, Trx } from '../database/database.ts';
import { fixedQuery } from '../database/fixed-query.ts';
import type { Debates, Listing } from '../tables/tables.ts';
import type { Decision } from './decision-store.ts';

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
export function computeStage(
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
 * Whether people review such cases: those that were judged by a policy. A replay asks what would have been, and what
 * was forgotten cannot be seen.
 */
export function isReviewed({
  job,
  again_how,
  forgotten_at,
}: Pick<Debates, 'job' | 'again_how' | 'forgotten_at'>): boolean {
  return findJob(job)?.usesPolicy === true && again_how !== 'replay' && again_how !== 'shadow' && forgotten_at === null;
}

/** Where a case stands when its verdict is there, and nobody has decided. */
export function computeFirstStage(
  job: string,
  { label, urgency }: Pick<ListedVerdict, 'label' | 'urgency'>,
): ReviewStage | null {
  return isReviewed({ job, again_how: null, forgotten_at: null })
    ? computeStage({ label, unsure: urgency > 0, decisions: [] })
    : null;
}

/**
 * Writes down whether and where a case stands with its reviewers, by its verdict and all decisions about it. Whoever
 * adds one calls it in the same transaction.
 */
export async function updateStage(trx: Trx, id: string, secondReview?: SecondReview): Promise<void> {
  const { rows: decisions } = await findDecisions(trx, { id });
  await updateListedReview(trx, {
    id,
    decided: decisions.length > 0 ? 1 : 0,
    stage: await findStageWith(trx, id, decisions, secondReview),
  });
}

/** Where it stands, given decisions about it. */
export async function findStageWith(
  db: Db,
  id: string,
  decisions: readonly { label: 'safe' | 'unsafe'; by: string }[],
  secondReview?: SecondReview,
): Promise<ReviewStage | null> {
  const {
    rows: [found],
  } = await findReviewed(db, { id });
  return found && isReviewed(found)
    ? computeStage({ label: found.label, unsure: found.urgency > 0, decisions }, secondReview)
    : null;
}

const findReviewed = fixedQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('debates')
    .innerJoin('listing', (join) =>
      join.onRef('listing.opened_at', '=', 'debates.opened_at').onRef('listing.id', '=', 'debates.id'),
    )
    .select(['debates.job', 'debates.again_how', 'debates.forgotten_at', 'listing.label', 'listing.urgency'])
    .where('debates.id', '=', id),
);

const findDecisions = fixedQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('decisions')
    .select(['label', 'decided_by as by'])
    .where('case_id', '=', id)
    .orderBy('decided_at')
    .orderBy('position'),
);
