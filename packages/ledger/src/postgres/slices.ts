import { sql, type RawBuilder } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Trx } from '../database/database.ts';
import { momentOf } from '../database/moment.ts';
import type { QueuedItem } from '../runs/workers.ts';
import { inTransaction } from './job-queues.ts';
import { nameQueue, sliceGroup } from './queue-schema.ts';

/**
 * A job of pg-boss: the items of a run between two positions that wait. It says where to look and who is at it; what
 * an item's row says decides. So slices may overlap, and all that must hold is that whatever waits is in one.
 */
export interface Slice {
  from: number;
  to: number;
}

/** A slice that waits for a worker. */
export interface NewSlice extends Slice {
  /** Of one item that is to be tried by itself: how often it was. */
  alone?: number;
  pauseMs?: number;
}

/** A job and the number of its fetch: pg-boss keeps a job alive only for whoever fetched it last. */
export interface SliceClaim {
  id: string;
  retryCount: number;
}

/**
 * Items, in the order of their positions, in slices of so many. Where they are far apart a slice ends: it must not
 * reach over most of a run.
 */
export function cutSlices(positions: readonly number[], size: number): Slice[] {
  const slices: Slice[] = [];
  let inSlice = 0;
  for (const position of positions) {
    const last = slices.at(-1);
    if (last && inSlice < size && position - last.from < 4 * size) {
      last.to = position;
      inSlice += 1;
    } else {
      slices.push({ from: position, to: position });
      inSlice = 1;
    }
  }
  return slices;
}

/** Items that wait, in slices: those that are tried by themselves are one each. */
export function sliceItems(items: readonly (QueuedItem & { attempts?: number })[], size: number): NewSlice[] {
  const together = items.filter(({ alone }) => !alone).map(({ position }) => position);
  return [
    ...cutSlices(together, size),
    ...items
      .filter(({ alone }) => alone)
      .map(({ position, attempts = 0 }) => ({ from: position, to: position, alone: attempts })),
  ];
}

export async function enqueueSlices(trx: Trx, boss: PgBoss, run: string, slices: readonly NewSlice[]): Promise<void> {
  if (slices.length === 0) return;
  const jobs = slices.map(({ from, to, alone, pauseMs = 0 }) => ({
    data: { from, to },
    group: { id: sliceGroup },
    priority: alone === undefined ? -Math.min(from, mostUrgent) : computeAlonePriority(from, alone),
    ...(pauseMs > 0 ? { startAfter: pauseMs / 1_000 } : {}),
  }));
  await boss.insert(nameQueue(run), jobs, inTransaction(trx));
}

/** The jobs of a batch have one moment in common; their order is that of the input, by their priorities. */
const mostUrgent = 2_147_483_647;
const positionsAtMost = 50_000_000;

/**
 * Items that are tried by themselves are above all others, which have 0 and less: each kind can be fetched without the
 * other. They come in turn: one that was tried waits for the rest.
 */
function computeAlonePriority(position: number, attempts: number): number {
  return Math.max(1, mostUrgent - attempts * positionsAtMost - Math.min(position, positionsAtMost - 1));
}

/** What a slice is there for: items that may be taken now beside others. One that pauses has a job of its own. */
export const waitsInSlice: RawBuilder<boolean> = sql`run_items.state = 'waiting' and run_items.alone = 0
  and (run_items.due_at is null or run_items.due_at <= ${momentOf('postgresql')})`;

export function isNotCancelled(run: string): RawBuilder<boolean> {
  return sql`exists (select 1 from runs where id = ${run} and state <> 'cancelled')`;
}

/** Claims as rows of a statement. */
export function claimRows(claims: readonly SliceClaim[]): RawBuilder<unknown> {
  return sql`unnest(${claims.map(({ id }) => id)}::uuid[], ${claims.map(({ retryCount }) => retryCount)}::integer[])
    as claim (id, tries)`;
}

/** Lets go of slices; of what is left in them, others take. */
export async function leaveSlices(
  trx: Trx,
  boss: PgBoss,
  { schema, run, claims }: { schema: string; run: string; claims: readonly SliceClaim[] },
): Promise<void> {
  const { rows } = await sql<Slice>`
    with gone as (delete from ${sql.table(`${schema}.job`)} as job using ${claimRows(claims)}
      where job.name = ${nameQueue(run)} and job.id = claim.id and job.retry_count = claim.tries and job.state = 'active'
      returning (job.data ->> 'from')::bigint as first, (job.data ->> 'to')::bigint as last)
    select first as "from", last as "to" from gone
    where ${isNotCancelled(run)} and exists (select 1 from run_items where run_items.run = ${run}
      and run_items.position between gone.first and gone.last and ${waitsInSlice})`.execute(trx);
  await enqueueSlices(trx, boss, run, rows);
}
