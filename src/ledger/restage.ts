import type { Db, Trx } from './database.ts';
import { fixedQuery } from './fixed-query.ts';
import { listReview, type ListedVerdict } from './listing.ts';
import { isReviewed, stageOf, type ReviewStage, type SecondReview } from './review-stage.ts';

/** Where a case stands when its verdict is there, and nobody has decided. */
export function firstStage(
  job: string,
  { label, urgency }: Pick<ListedVerdict, 'label' | 'urgency'>,
): ReviewStage | null {
  return isReviewed({ job, again_how: null, forgotten_at: null })
    ? stageOf({ label, unsure: urgency > 0, decisions: [] })
    : null;
}

/**
 * Writes down whether and where a case stands with its reviewers, by its verdict and all decisions about it. Whoever
 * adds one calls it in the same transaction.
 */
export async function restage(trx: Trx, id: string, secondReview?: SecondReview): Promise<void> {
  const { rows: decisions } = await decisionsOn(trx, { id });
  await listReview(trx, {
    id,
    decided: decisions.length > 0 ? 1 : 0,
    stage: await stageWith(trx, id, decisions, secondReview),
  });
}

/** Where it stands, given decisions about it. */
export async function stageWith(
  db: Db,
  id: string,
  decisions: readonly { label: 'safe' | 'unsafe'; by: string }[],
  secondReview?: SecondReview,
): Promise<ReviewStage | null> {
  const {
    rows: [found],
  } = await reviewedCase(db, { id });
  return found && isReviewed(found)
    ? stageOf({ label: found.label, unsure: found.urgency > 0, decisions }, secondReview)
    : null;
}

const reviewedCase = fixedQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('debates')
    .innerJoin('listing', (join) =>
      join.onRef('listing.opened_at', '=', 'debates.opened_at').onRef('listing.id', '=', 'debates.id'),
    )
    .select(['debates.job', 'debates.again_how', 'debates.forgotten_at', 'listing.label', 'listing.urgency'])
    .where('debates.id', '=', id),
);

const decisionsOn = fixedQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('decisions')
    .select(['label', 'decided_by as by'])
    .where('case_id', '=', id)
    .orderBy('decided_at')
    .orderBy('position'),
);
