import { updateListedReview, type ListedVerdict } from '../cases/listing.ts';
import type { Db, Trx } from '../database/database.ts';
import { fixedQuery } from '../database/fixed-query.ts';
import type { Tables } from '../schema/tables.ts';
import type { Decision } from './decision-store.ts';
import { findPlaced, placeCase, readPlacingQueues } from './place-case.ts';

/** Which decisions of a person another person must confirm: those that contradict the verdict, all, or none. */
export type SecondReview = 'contradicted' | 'always' | 'never';

export type ReviewStage = NonNullable<Tables['listing']['stage']>;

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
  reviewed,
  again_how,
  forgotten_at,
}: Pick<Tables['debates'], 'again_how' | 'forgotten_at'> & Pick<Tables['listing'], 'reviewed'>): boolean {
  return reviewed === 1 && again_how !== 'replay' && again_how !== 'shadow' && forgotten_at === null;
}

/** Where a case stands when its verdict is there, and nobody has decided. */
export function computeFirstStage({
  label,
  urgency,
  reviewed,
}: Pick<ListedVerdict, 'label' | 'urgency' | 'reviewed'>): ReviewStage | null {
  return isReviewed({ reviewed, again_how: null, forgotten_at: null })
    ? computeStage({ label, unsure: urgency > 0, decisions: [] })
    : null;
}

/**
 * Writes down whether and where a case stands with its reviewers, and in which queue, by its verdict and all decisions
 * about it. Whoever adds one calls it in the same transaction.
 */
export async function updateStage(trx: Trx, id: string, secondReview?: SecondReview): Promise<void> {
  const { rows: decisions } = await findDecisions(trx, { id });
  const {
    rows: [found],
  } = await findReviewed(trx, { id });
  if (!found) return;
  const decided = decisions.length > 0 ? 1 : 0;
  const queues = await readPlacingQueues(trx);
  const row = queues.length > 0 && isReviewed(found) ? (await findPlaced(trx, { id })).rows[0] : undefined;
  const placed = row ? await placeCase(queues, { ...row, decided }) : found;
  const { queue, due_at, sampled, language } = placed;
  const stage = findStageOf({ ...found, sampled }, decisions, secondReview);
  // Who was to decide has, or nobody needs to: the next one is another.
  const assigned = stage === found.stage ? found.assigned : null;
  await updateListedReview(trx, { id, decided, stage, queue, due_at, sampled, assigned, language });
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
  return found ? findStageOf(found, decisions, secondReview) : null;
}

type ReviewedRow = Pick<Tables['debates'], 'again_how' | 'forgotten_at'> &
  Pick<Tables['listing'], 'label' | 'urgency' | 'sampled' | 'reviewed'>;

export function findStageOf(
  row: ReviewedRow,
  decisions: Reviewed['decisions'],
  secondReview?: SecondReview,
): ReviewStage | null {
  return isReviewed(row)
    ? computeStage({ label: row.label, unsure: row.urgency > 0 || row.sampled === 1, decisions }, secondReview)
    : null;
}

const findReviewed = fixedQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('debates')
    .innerJoin('listing', (join) =>
      join.onRef('listing.opened_at', '=', 'debates.opened_at').onRef('listing.id', '=', 'debates.id'),
    )
    .select([
      'debates.again_how',
      'debates.forgotten_at',
      'listing.label',
      'listing.urgency',
      'listing.stage',
      'listing.queue',
      'listing.due_at',
      'listing.sampled',
      'listing.reviewed',
      'listing.assigned',
      'listing.language',
    ])
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
