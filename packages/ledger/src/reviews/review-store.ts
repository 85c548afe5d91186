import type { ExpressionBuilder } from 'kysely';
import type { Page } from '../cases/cases.ts';
import { defaultQueue, never } from '../cases/listing.ts';
import type { Database, Db } from '../database/database.ts';
import { makePage, readCursor } from '../database/pages.ts';
import { toStorable } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';
import type { ReviewStage } from './review-stage.ts';
import { listReasons, measureUrgency, type ReviewReason } from './urgency.ts';

/** The stages at which a case waits. */
const waitingStages = ['first', 'second', 'dispute'] as const;
export type WaitingStage = (typeof waitingStages)[number];

export type WaitingOrder = 'urgency' | 'due';

/** A case that waits for a person. It says nothing of the verdict. */
export interface WaitingCase {
  id: string;
  job: string;
  stage: WaitingStage;
  /** How unsure its verdict is, to 1. What is grave waits ahead of it, which the number does not tell. */
  urgency: number;
  why: readonly ReviewReason[];
  openedAt: Date;
  modality: string | null;
  excerpt: string | null;
  queue: string;
  /** By when it should be decided; null for no time. */
  dueAt: Date | null;
  /** Who is to decide it; null for whoever takes it. */
  assigned: string | null;
}

export interface ReviewFilter {
  job?: string;
  queue?: string;
  /** Leaves out what waits in these. */
  notIn?: readonly string[];
  /** Only what this person is to decide; null for what nobody is. */
  assigned?: string | null;
  /** Only what should have been decided before this moment. */
  dueBefore?: Date;
  /** Leaves out what this person has decided, where they may do so once only. */
  by?: { name: string; onceAt: readonly ReviewStage[] };
}

export interface Reviews {
  /** The gravest and most urgent first, or what is due first; then the oldest. */
  listWaiting(
    filter: ReviewFilter & { stage?: WaitingStage },
    options?: { limit?: number; after?: string | null; sort?: WaitingOrder },
  ): Promise<Page<WaitingCase>>;
  /** Says who is to decide a case; null for whoever takes it. False where it does not wait. */
  assignCase(caseId: string, to: string | null): Promise<boolean>;
  countWaiting(filter: ReviewFilter): Promise<Record<WaitingStage, number>>;
  /** Where a case stands; null when nobody needs to look at it, undefined when there is none. */
  findStage(caseId: string): Promise<ReviewStage | null | undefined>;
  /** The queue that it waits or waited in. */
  findQueueOf(caseId: string): Promise<string>;
  /** As it waits; undefined when it does not. */
  findWaiting(caseId: string): Promise<WaitingCase | undefined>;
}

export function reviewStore({ db, write }: Database): Reviews {
  return {
    async assignCase(caseId, to) {
      const { numUpdatedRows } = await write((trx) =>
        trx
          .updateTable('listing')
          .set({ assigned: toStorable(to) })
          .where('id', '=', caseId)
          .where('opened_at', '=', trx.selectFrom('debates').select('opened_at').where('id', '=', caseId))
          .where('stage', 'in', waitingStages)
          .executeTakeFirstOrThrow(),
      );
      return numUpdatedRows > 0n;
    },
    listWaiting: (filter, options) => pageWaiting(db, filter, options),
    async countWaiting(filter) {
      const counts = await Promise.all(
        waitingStages.map(async (stage) => [stage, await countAtStage(db, stage, filter)] as const),
      );
      return Object.fromEntries(counts) as Record<WaitingStage, number>;
    },
    async findStage(caseId) {
      return (await selectCase(db, caseId).select('listing.stage').executeTakeFirst())?.stage;
    },
    async findQueueOf(caseId) {
      return (await selectCase(db, caseId).select('listing.queue').executeTakeFirst())?.queue ?? defaultQueue;
    },
    async findWaiting(caseId) {
      const row = await selectShown(
        db,
        selectCase(db, caseId).where('listing.stage', 'in', waitingStages),
      ).executeTakeFirst();
      return row && readWaitingCase(row);
    },
  };
}

/** Each stage is read in its own order, which an index has; one page is made of all. */
async function pageWaiting(
  db: Db,
  { stage, ...filter }: ReviewFilter & { stage?: WaitingStage },
  { limit = 50, after = null, sort = 'urgency' }: { limit?: number; after?: string | null; sort?: WaitingOrder } = {},
): Promise<Page<WaitingCase>> {
  const place = after === null ? null : readPlace(after);
  const stages = stage === undefined ? waitingStages : [stage];
  const pages = await Promise.all(
    stages.map((one) => {
      let query = selectWaiting(db, one, filter);
      query = sort === 'urgency' ? query.orderBy('listing.urgency', 'desc') : query.orderBy('listing.due_at');
      query = query
        .orderBy('listing.opened_at')
        .orderBy('listing.id')
        .limit(limit + 1);
      if (place) query = query.where((row) => (sort === 'urgency' ? isLessUrgent(row, place) : isDueLater(row, place)));
      return selectShown(db, query).execute();
    }),
  );
  const rows = pages
    .flat()
    .toSorted(
      (a, b) =>
        (sort === 'urgency' ? b.rank - a.rank : compare(a.due_at, b.due_at)) ||
        compare(a.opened_at, b.opened_at) ||
        compare(a.id, b.id),
    );
  return makePage(rows.slice(0, limit + 1), limit, readWaitingCase, ({ rank, due_at, opened_at, id }) => [
    `${sort === 'urgency' ? rank : due_at} ${opened_at}`,
    id,
  ]);
}

async function countAtStage(db: Db, stage: WaitingStage, filter: ReviewFilter): Promise<number> {
  const { cases } = await selectWaiting(db, stage, filter)
    .select(({ fn }) => fn.countAll().as('cases'))
    .executeTakeFirstOrThrow();
  return Number(cases);
}

function selectWaiting(db: Db, stage: WaitingStage, filter: ReviewFilter) {
  const { job, queue, notIn = [], assigned, dueBefore, by } = filter;
  let query = db.selectFrom('listing').where('listing.stage', '=', stage);
  if (job !== undefined) query = query.where('listing.job', '=', job);
  if (queue !== undefined) query = query.where('listing.queue', '=', queue);
  if (notIn.length > 0) query = query.where('listing.queue', 'not in', notIn);
  if (assigned === null) query = query.where('listing.assigned', 'is', null);
  else if (assigned !== undefined) query = query.where('listing.assigned', '=', toStorable(assigned));
  if (dueBefore) query = query.where('listing.due_at', '<', dueBefore.toISOString());
  // At the first stage nobody has decided.
  if (by && stage !== 'first' && by.onceAt.includes(stage))
    query = query.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('decisions')
            .select('decisions.id')
            .whereRef('decisions.case_id', '=', 'listing.id')
            .where('decisions.decided_by', '=', toStorable(by.name)),
        ),
      ),
    );
  return query;
}

function selectCase(db: Db, id: string) {
  return db.selectFrom('listing').where('listing.id', '=', id);
}

/** What is shown of a few; which few, the index alone says. */
function selectShown(db: Db, few: ReturnType<typeof selectWaiting>) {
  return (
    db
      .selectFrom(few.select(['listing.opened_at', 'listing.id']).as('few'))
      // SQLite takes them in this order: for each of the few, the rest of it.
      .crossJoin('listing')
      .crossJoin('debates')
      .crossJoin('subjects')
      .whereRef('listing.opened_at', '=', 'few.opened_at')
      .whereRef('listing.id', '=', 'few.id')
      .whereRef('debates.id', '=', 'few.id')
      .whereRef('subjects.hash', '=', 'debates.subject')
      .select([
        'listing.id',
        'listing.job',
        'listing.stage',
        'listing.urgency as rank',
        'listing.opened_at',
        'listing.modality',
        'listing.label',
        'listing.escalate',
        'listing.degraded',
        'listing.disagreement',
        'listing.risk',
        'listing.bar',
        'listing.queue',
        'listing.due_at',
        'listing.sampled',
        'listing.assigned',
        'subjects.excerpt',
        'debates.again_how',
      ])
  );
}

type WaitingRow = Awaited<ReturnType<ReturnType<typeof selectShown>['executeTakeFirstOrThrow']>>;

function readWaitingCase({
  id,
  job,
  stage,
  opened_at,
  modality,
  excerpt,
  again_how,
  queue,
  due_at,
  sampled,
  assigned,
  ...verdict
}: WaitingRow): WaitingCase {
  const at = stage as WaitingStage;
  return {
    id,
    job,
    stage: at,
    urgency: measureUrgency(verdict),
    why: listReasons(verdict, { stage: at, appealed: again_how === 'appeal', sampled: sampled === 1 }),
    openedAt: new Date(opened_at),
    modality,
    excerpt,
    queue,
    dueAt: due_at === never ? null : new Date(due_at),
    assigned,
  };
}

/** Where a page ended: how far ahead its last case was or when it was due, and which it was. */
interface QueuePlace {
  first: string;
  openedAt: string;
  id: string;
}

function readPlace(after: string): QueuePlace {
  const [first, id] = readCursor(after, 'the queue');
  const [rank = '', openedAt = ''] = first.split(' ');
  return { first: rank, openedAt, id };
}

function isLessUrgent(
  { and, eb, not, refTuple, tuple }: ExpressionBuilder<Tables, 'listing'>,
  { first, openedAt, id }: QueuePlace,
) {
  const urgency = Number(first) || 0;
  return and([
    eb('listing.urgency', '<=', urgency),
    not(
      and([
        eb('listing.urgency', '=', urgency),
        eb(refTuple('listing.opened_at', 'listing.id'), '<=', tuple(openedAt, id)),
      ]),
    ),
  ]);
}

function isDueLater(
  { eb, refTuple, tuple }: ExpressionBuilder<Tables, 'listing'>,
  { first, openedAt, id }: QueuePlace,
) {
  return eb(refTuple('listing.due_at', 'listing.opened_at', 'listing.id'), '>', tuple(first, openedAt, id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
