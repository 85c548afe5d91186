import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { QueueRules } from './queue-rules.ts';
import { never } from '../cases/listing.ts';
import { unfoldDrawn } from '../compact/draw-samples.ts';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { fromStored, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { makeOnce } from '../server/make-once.ts';
import type { NewDelivery } from '../server/webhook-store.ts';
import type { Tables } from '../schema/tables.ts';
import { placeCase, readPlacingQueues, selectPlaced, type PlacedCaseRow } from './place-case.ts';
import { findStageOf, isReviewed } from './review-stage.ts';
import type { WaitingStage } from './review-store.ts';
import { takeOverdue, type OverdueCase } from './take-overdue.ts';

/** Cases that reviewers find together. */
export interface ReviewQueue {
  id: string;
  name: string;
  rules: QueueRules;
  /** How long after it began to wait a case should be decided; null for no time. */
  dueMinutes: number | null;
  /** Whose work it is; nobody's in particular where there are none. */
  assignees: readonly string[];
  createdAt: Date;
}

export type NewQueue = Pick<ReviewQueue, 'name' | 'rules' | 'dueMinutes' | 'assignees'>;

export interface QueueCounts {
  waiting: Record<WaitingStage, number>;
  overdue: number;
  unassigned: number;
  /** The nearest moment by which something should be decided. */
  nextDue: Date | null;
}

/** What people said of the sample of a queue: how many they decided, and of how many the machine was right. */
export interface SampleQuality {
  decided: number;
  right: number;
}

export interface Queues {
  /** In their order: the first whose rules a case meets takes it. */
  listQueues(): Promise<readonly ReviewQueue[]>;
  findQueue(id: string): Promise<ReviewQueue | undefined>;
  /** Behind the others. Cases come into it when it is refilled, like everything that changes here. */
  createQueue(queue: NewQueue, once?: KeyedRequest): Promise<ReviewQueue>;
  /** `position` counts from 0. Undefined where there is none. */
  changeQueue(id: string, change: Partial<NewQueue> & { position?: number }): Promise<ReviewQueue | undefined>;
  /** False where there was none. */
  removeQueue(id: string): Promise<boolean>;
  /** Puts every case that waits, or may be drawn for a sample, where it belongs now; says how many moved. */
  refillQueues(): Promise<number>;
  /** By queue; those in which nothing waits are left out. */
  countQueues(now?: Date): Promise<ReadonlyMap<string, QueueCounts>>;
  readQuality(): Promise<ReadonlyMap<string, SampleQuality>>;
  /**
   * Some of the cases that became overdue and of which nobody was told yet: each once for each time by which it should
   * be decided, whoever asks. What `tell` makes of them is on record with that, or neither is.
   */
  takeOverdue(now: Date, tell: (overdue: OverdueCase) => readonly NewDelivery[]): Promise<readonly OverdueCase[]>;
}

/** So many are looked at in one transaction. */
const atOnce = 500;

export function queueStore({ db, kind, write }: Database): Queues {
  return {
    async listQueues() {
      const rows = await db.selectFrom('queues').selectAll().orderBy('position').orderBy('id').execute();
      return rows.map(readQueue);
    },
    async findQueue(id) {
      const row = await db.selectFrom('queues').selectAll().where('id', '=', id).executeTakeFirst();
      return row && readQueue(row);
    },
    createQueue: (queue, once) =>
      write(async (trx) => {
        const id = await makeOnce(trx, kind, once, () => createQueue(trx, kind, queue));
        const row = await trx.selectFrom('queues').selectAll().where('id', '=', id).executeTakeFirst();
        if (!row) throw unknownQueue(id);
        return readQueue(row);
      }),
    changeQueue: (id, { position, ...change }) =>
      write(async (trx) => {
        const row = await trx.selectFrom('queues').selectAll().where('id', '=', id).executeTakeFirst();
        if (!row) return undefined;
        const changed = { ...readQueue(row), ...change };
        if (changed.name !== row.name) await assertFree(trx, kind, changed.name);
        await trx.updateTable('queues').set(makeQueueRow(changed)).where('id', '=', id).execute();
        if (position !== undefined) await moveQueue(trx, id, position);
        return changed;
      }),
    async removeQueue(id) {
      const { numDeletedRows } = await write((trx) =>
        trx.deleteFrom('queues').where('id', '=', id).executeTakeFirstOrThrow(),
      );
      return numDeletedRows > 0n;
    },
    async refillQueues() {
      await unfoldDrawn({ write, kind });
      let moved = 0;
      for (let after: [string, string] | null = ['', '']; after !== null; await nextTurn()) {
        const from: [string, string] = after;
        const batch = await write((trx) => refillBatch(trx, from));
        moved += batch.moved;
        after = batch.next;
      }
      return moved;
    },
    countQueues: (now = new Date()) => countQueues(db, now),
    readQuality: () => readQuality(db),
    takeOverdue: (now, tell) => takeOverdue({ write, kind }, now, tell),
  };
}

async function createQueue(trx: Trx, kind: Kind, queue: NewQueue): Promise<string> {
  await assertFree(trx, kind, queue.name);
  const { last } = await trx
    .selectFrom('queues')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirstOrThrow();
  const id = `queue-${randomUUID().slice(0, 8)}`;
  const row = makeQueueRow({ ...queue, id, createdAt: new Date() });
  await trx
    .insertInto('queues')
    .values({ ...row, position: (last ?? -1) + 1 })
    .execute();
  return id;
}

export function unknownQueue(id: string): AgonError {
  return new AgonError('unknown-queue', `There is no queue ${id}.`, 'GET /api/queues lists them.');
}

async function assertFree(trx: Trx, kind: Kind, name: string): Promise<void> {
  // Two who make queues at once would both find the name free.
  if (kind === 'postgresql') await sql`lock table queues in share row exclusive mode`.execute(trx);
  const taken = await trx.selectFrom('queues').select('id').where('name', '=', toStorable(name)).executeTakeFirst();
  if (taken)
    throw new AgonError(
      'queue-exists',
      `There is already a queue ${name}.`,
      'Choose another name, or change that one.',
    );
}

async function moveQueue(trx: Trx, id: string, position: number): Promise<void> {
  const rows = await trx.selectFrom('queues').select('id').orderBy('position').orderBy('id').execute();
  const order = rows.map((row) => row.id).filter((other) => other !== id);
  order.splice(position, 0, id);
  for (const [place, one] of order.entries())
    await trx.updateTable('queues').set({ position: place }).where('id', '=', one).execute();
}

/** Goes through the cases by time; the queues are read with each batch, so that the last change counts. */
async function refillBatch(
  trx: Trx,
  after: [string, string],
): Promise<{ moved: number; next: [string, string] | null }> {
  const queues = await readPlacingQueues(trx);
  const rows = await selectPlaced(trx)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('listing.opened_at', 'listing.id'), '>', tuple(...after)))
    .orderBy('listing.opened_at')
    .orderBy('listing.id')
    .limit(atOnce)
    .execute();
  let moved = 0;
  for (const row of rows) if (await refillCase(trx, queues, row)) moved += 1;
  const last = rows.at(-1);
  return { moved, next: rows.length === atOnce && last ? [last.opened_at, last.id] : null };
}

async function refillCase(
  trx: Trx,
  queues: Awaited<ReturnType<typeof readPlacingQueues>>,
  row: PlacedCaseRow,
): Promise<boolean> {
  // What is settled stays where it was.
  if (!isReviewed(row) || row.stage === 'done') return false;
  const placed = await placeCase(queues, row);
  // How decided ones go on was decided with them.
  const stage = row.decided === 1 ? row.stage : findStageOf({ ...row, sampled: placed.sampled }, []);
  const review = { ...placed, stage, assigned: stage === null ? null : row.assigned };
  if (Object.entries(review).every(([name, value]) => row[name as keyof typeof review] === value)) return false;
  await trx
    .updateTable('listing')
    .set(review)
    .where('opened_at', '=', row.opened_at)
    .where('id', '=', row.id)
    .execute();
  return placed.queue !== row.queue || stage !== row.stage;
}

async function countQueues(db: Db, now: Date): Promise<ReadonlyMap<string, QueueCounts>> {
  const rows = await db
    .selectFrom('listing')
    .where('stage', 'is not', null)
    .where('stage', '!=', 'done')
    .groupBy(['queue', 'stage'])
    .select(({ fn, eb }) => [
      'queue',
      'stage',
      fn.countAll().as('cases'),
      fn.min('due_at').as('next'),
      fn.sum(eb.case().when('due_at', '<', now.toISOString()).then(1).else(0).end()).as('overdue'),
      fn.sum(eb.case().when('assigned', 'is', null).then(1).else(0).end()).as('unassigned'),
    ])
    .execute();
  const counts = new Map<string, QueueCounts>();
  for (const { queue, stage, cases, next, overdue, unassigned } of rows) {
    const known = counts.get(queue) ?? {
      waiting: { first: 0, second: 0, dispute: 0 },
      overdue: 0,
      unassigned: 0,
      nextDue: null,
    };
    const due = next === never ? null : new Date(next);
    counts.set(queue, {
      waiting: { ...known.waiting, [stage!]: Number(cases) },
      overdue: known.overdue + Number(overdue),
      unassigned: known.unassigned + Number(unassigned),
      nextDue: due && (known.nextDue === null || due < known.nextDue) ? due : known.nextDue,
    });
  }
  return counts;
}

/** The last decision on each case stands. */
async function readQuality(db: Db): Promise<ReadonlyMap<string, SampleQuality>> {
  const { rows } = await sql<{ queue: string; decided: number | string; right: number | string }>`
    select listing.queue, count(*) as decided, sum(case when decisions.label = listing.label then 1 else 0 end) as "right"
    from listing inner join decisions on decisions.case_id = listing.id
    where listing.sampled = 1 and listing.decided = 1 and not exists (
      select 1 from decisions as later where later.case_id = decisions.case_id
      and (later.decided_at, later.position) > (decisions.decided_at, decisions.position))
    group by listing.queue`.execute(db);
  return new Map(rows.map(({ queue, decided, right }) => [queue, { decided: Number(decided), right: Number(right) }]));
}

/** Without its place among the others. */
function makeQueueRow(queue: ReviewQueue): Omit<Tables['queues'], 'position'> {
  const { id, name, rules, dueMinutes, assignees, createdAt } = queue;
  return {
    id,
    version: storedVersion,
    name: toStorable(name),
    rules: toStored(rules),
    due_minutes: dueMinutes,
    assignees: toStored(assignees.map((one) => toStorable(one))),
    created_at: createdAt.toISOString(),
  };
}

function readQueue(row: Omit<Tables['queues'], 'position'>): ReviewQueue {
  const { id, version, name, rules, due_minutes, assignees, created_at } = row;
  return {
    id,
    name,
    rules: fromStored('queue', version, rules),
    dueMinutes: due_minutes,
    assignees: JSON.parse(assignees) as string[],
    createdAt: new Date(created_at),
  };
}
