import type { ExpressionBuilder } from 'kysely';
import type { Page } from '../cases/cases.ts';
import type { Database, Db } from '../database/database.ts';
import { makePage, readCursor } from '../database/pages.ts';
import { toStorable } from '../database/stored-json.ts';
import type { Tables } from '../tables/tables.ts';
import type { ReviewStage } from './review-stage.ts';
import { listReasons, type ReviewReason } from './urgency.ts';

/** The stages at which a case waits. */
const waitingStages = ['first', 'second', 'dispute'] as const;
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
  listWaiting(
    filter: ReviewFilter & { stage?: WaitingStage },
    options?: { limit?: number; after?: string | null },
  ): Promise<Page<WaitingCase>>;
  countWaiting(filter: ReviewFilter): Promise<Record<WaitingStage, number>>;
  /** Where a case stands; null when nobody needs to look at it, undefined when there is none. */
  findStage(caseId: string): Promise<ReviewStage | null | undefined>;
  /** As it waits; undefined when it does not. */
  findWaiting(caseId: string): Promise<WaitingCase | undefined>;
}

export function reviewStore({ db }: Database): Reviews {
  return {
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
    async findWaiting(caseId) {
      const row = await selectShown(
        db,
        selectCase(db, caseId).where('listing.stage', 'in', waitingStages),
      ).executeTakeFirst();
      return row && readWaitingCase(row);
    },
  };
}

/** Each stage is read in its own order, which the index has; one page is made of all. */
async function pageWaiting(
  db: Db,
  { stage, ...filter }: ReviewFilter & { stage?: WaitingStage },
  { limit = 50, after = null }: { limit?: number; after?: string | null } = {},
): Promise<Page<WaitingCase>> {
  const place = after === null ? null : readPlace(after);
  const stages = stage === undefined ? waitingStages : [stage];
  const pages = await Promise.all(
    stages.map((one) => {
      let query = selectWaiting(db, one, filter)
        .orderBy('listing.urgency', 'desc')
        .orderBy('listing.opened_at')
        .orderBy('listing.id')
        .limit(limit + 1);
      if (place) query = query.where((row) => isBehind(row, place));
      return selectShown(db, query).execute();
    }),
  );
  const rows = pages
    .flat()
    .toSorted((a, b) => b.urgency - a.urgency || compare(a.opened_at, b.opened_at) || compare(a.id, b.id));
  return makePage(rows.slice(0, limit + 1), limit, readWaitingCase, ({ urgency, opened_at, id }) => [
    `${urgency} ${opened_at}`,
    id,
  ]);
}

async function countAtStage(db: Db, stage: WaitingStage, filter: ReviewFilter): Promise<number> {
  const { cases } = await selectWaiting(db, stage, filter)
    .select(({ fn }) => fn.countAll().as('cases'))
    .executeTakeFirstOrThrow();
  return Number(cases);
}

function selectWaiting(db: Db, stage: WaitingStage, { job, by }: ReviewFilter) {
  let query = db.selectFrom('listing').where('listing.stage', '=', stage);
  if (job !== undefined) query = query.where('listing.job', '=', job);
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
  const opening = db.selectFrom('debates').select('opened_at').where('id', '=', id);
  return db.selectFrom('listing').where('listing.id', '=', id).where('listing.opened_at', '=', opening);
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
        'listing.urgency',
        'listing.opened_at',
        'listing.modality',
        'listing.label',
        'listing.escalate',
        'listing.degraded',
        'listing.disagreement',
        'listing.confidence',
        'listing.score',
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
  urgency,
  opened_at,
  modality,
  excerpt,
  again_how,
  ...verdict
}: WaitingRow): WaitingCase {
  const at = stage as WaitingStage;
  return {
    id,
    job,
    stage: at,
    urgency,
    why: listReasons(verdict, { stage: at, appealed: again_how === 'appeal' }),
    openedAt: new Date(opened_at),
    modality,
    excerpt,
  };
}

interface QueuePlace {
  urgency: number;
  openedAt: string;
  id: string;
}

function readPlace(after: string): QueuePlace {
  const [first, id] = readCursor(after, 'the queue');
  const [urgency, openedAt = ''] = first.split(' ');
  return { urgency: Number(urgency) || 0, openedAt, id };
}

function isBehind(
  { and, eb, not, refTuple, tuple }: ExpressionBuilder<Tables, 'listing'>,
  { urgency, openedAt, id }: QueuePlace,
) {
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
