import { sql } from 'kysely';
import type { Db, Trx } from '../database/database.ts';

/*
 * On PostgreSQL the listing is kept by the day, so that a day that is over goes at once. What is older than the ledger,
 * or comes from a wrong clock, is in a part beside them.
 */

/** Days that are made before they come. */
const daysAhead = 1;
const dayMs = 86_400_000;
/** Whoever makes days does so alone. */
const daysLock = 5_417_202_611;

const toDate = (moment: Date): string => moment.toISOString().slice(0, 10);
const nextDate = (date: string): string => toDate(new Date(Date.parse(date) + dayMs));

/** All parts together cannot have such an index: it would have to hold the moment too. */
export const indexPart = (part: string): string => `create unique index ${part}_by_id on ${part} (id)`;

export const namePart = (date: string): string => `listing_${date.replaceAll('-', '')}`;

const made = new WeakMap<object, Set<string>>();

/** Makes the parts of a day and of those to come, unless they are there. */
export async function makeDays(db: Db, now = new Date()): Promise<void> {
  const { adapter } = db.getExecutor();
  const known = made.get(adapter) ?? new Set<string>();
  made.set(adapter, known);
  const dates = Array.from({ length: daysAhead + 1 }, (_, ahead) => toDate(new Date(now.getTime() + ahead * dayMs)));
  if (dates.every((date) => known.has(date))) return;
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(daysLock)})`.execute(trx);
    for (const date of dates) await makeDay(trx, date);
  });
  for (const date of dates) known.add(date);
}

async function makeDay(trx: Trx, date: string): Promise<void> {
  const part = namePart(date);
  const end = nextDate(date);
  const { rows } = await sql<{ present: boolean }>`select to_regclass(${part}) is not null
    or exists (select 1 from listing_rest where opened_at >= ${date} and opened_at < ${end}) as present`.execute(trx);
  if (rows[0]!.present) return;
  // Made beside the table and joined to it: nobody who reads or writes waits.
  const statements = [
    `create table ${part} (like listing including all)`,
    indexPart(part),
    `alter table listing attach partition ${part} for values from ('${date}') to ('${end}')`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(trx);
}

/** The days that have parts of their own and are over before a moment, the oldest first. */
export async function listDaysBefore(trx: Trx, before: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select part.relname as name from pg_inherits
    join pg_class as part on part.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = to_regclass('listing') and part.relname ~ '^listing_[0-9]{8}$'
    order by 1`.execute(trx);
  const dates = rows.map(({ name }) => name.slice(-8).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3'));
  return dates.filter((date) => nextDate(date) <= before);
}

/** Drops the parts of a day; rows of cases that stay are moved first. */
export async function dropDay(trx: Trx, date: string): Promise<void> {
  const part = namePart(date);
  const kept = `kept_${part}`;
  for (const statement of [
    `create temporary table ${kept} on commit drop as select * from ${part} where packed is null`,
    `alter table listing detach partition ${part}`,
    `drop table ${part}`,
    `insert into listing select * from ${kept}`,
  ])
    await sql.raw(statement).execute(trx);
}
