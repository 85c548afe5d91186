import { sql } from 'kysely';
import { insertDeliveries, type NewDelivery } from '../server/webhook-store.ts';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import type { WaitingStage } from './review-store.ts';

/** A case that nobody decided by the time that its queue gives. */
export interface OverdueCase {
  id: string;
  /** What whoever sent it calls it; null where they call it nothing. */
  item: string | null;
  job: string;
  stage: WaitingStage;
  queue: { id: string; name: string };
  dueAt: Date;
  /** Who is to decide it; null for nobody in particular. */
  assigned: string | null;
}

/** So many are told in one transaction. */
const atOnce = 500;

/** Claims them, and puts on record what is told of them, in one transaction. */
export async function takeOverdue(
  { write, kind }: Pick<Database, 'write' | 'kind'>,
  now: Date,
  tell: (overdue: OverdueCase) => readonly NewDelivery[],
): Promise<readonly OverdueCase[]> {
  return write(async (trx) => {
    const told = await claimOverdue(trx, now);
    if (told.length === 0) return [];
    const overdue = await readOverdue(trx, kind, told);
    await insertDeliveries(trx, overdue.flatMap(tell));
    return overdue;
  });
}

type Told = readonly { case_id: string; due_at: string }[];

/** Of two who claim the same case the second gets nothing: the key is taken. */
async function claimOverdue(trx: Trx, now: Date): Promise<Told> {
  const at = now.toISOString();
  const { rows } = await sql<Told[number]>`
    insert into overdue_told (case_id, due_at, told_at)
    select listing.id, listing.due_at, ${at} from listing
    where listing.stage in ('first', 'second', 'dispute') and listing.due_at <= ${at} and not exists (
      select 1 from overdue_told where overdue_told.case_id = listing.id and overdue_told.due_at = listing.due_at)
    order by listing.due_at, listing.id limit ${sql.lit(atOnce)}
    on conflict do nothing returning case_id, due_at`.execute(trx);
  return rows;
}

async function readOverdue(db: Db, kind: Kind, told: Told): Promise<OverdueCase[]> {
  const answer = kind === 'sqlite' ? sql`verdicts.answer` : sql`cast(verdicts.answer as json)`;
  const rows = await db
    .selectFrom('debates')
    .innerJoin('listing', (join) =>
      join.onRef('listing.opened_at', '=', 'debates.opened_at').onRef('listing.id', '=', 'debates.id'),
    )
    .leftJoin('queues', 'queues.id', 'listing.queue')
    .leftJoin('verdicts', 'verdicts.debate', 'debates.id')
    .select(sql<string | null>`${answer} -> 'subject' ->> 'id'`.as('item'))
    .select(['debates.id', 'debates.job', 'listing.stage', 'listing.queue', 'listing.assigned', 'queues.name'])
    .where(
      'debates.id',
      'in',
      told.map(({ case_id }) => case_id),
    )
    .execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  return told
    .toSorted((one, other) => (one.due_at < other.due_at ? -1 : Number(one.due_at > other.due_at)))
    .flatMap(({ case_id, due_at }) => {
      const row = found.get(case_id);
      if (!row) return [];
      return {
        id: row.id,
        item: row.item,
        job: row.job,
        stage: row.stage as WaitingStage,
        queue: { id: row.queue, name: row.name ?? row.queue },
        dueAt: new Date(due_at),
        assigned: row.assigned,
      };
    });
}
