import { sql } from 'kysely';
import type { Db, Trx } from '../database/database.ts';
import { dayOf } from '../compact/compact-row.ts';

/*
 * On PostgreSQL the listing and the texts of single-row cases are kept by the day, so that a day that is over goes at
 * once. What is older than the ledger, or comes from a wrong clock, is in a part beside them.
 */

/** Days that are made before they come. */
const daysAhead = 1;
const dayMs = 86_400_000;
/** Whoever makes days does so alone. */
const daysLock = 5_417_202_611;

const toDate = (moment: Date): string => moment.toISOString().slice(0, 10);
const nextDate = (date: string): string => toDate(new Date(Date.parse(date) + dayMs));

interface PartitionedTable {
  name: 'listing' | 'texts' | 'text_cases';
  /** A day as its column has it. */
  bound(date: string): string;
  column: string;
  /** What each part has beside what all have. */
  own(part: string): string[];
}

export const partitionedTables: readonly PartitionedTable[] = [
  {
    name: 'listing',
    column: 'opened_at',
    bound: (date) => `'${date}'`,
    // All parts together cannot have one: it would have to hold the moment too.
    own: (part) => [`create unique index ${part}_by_id on ${part} (id)`],
  },
  { name: 'texts', column: 'day', bound: (date) => String(dayOf(date)), own: () => [] },
  { name: 'text_cases', column: 'day', bound: (date) => String(dayOf(date)), own: () => [] },
];

export const namePart = (table: string, date: string): string => `${table}_${dayOf(date)}`;

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
  for (const { name, bound, column, own } of partitionedTables) {
    const part = namePart(name, date);
    const from = bound(date);
    const to = bound(nextDate(date));
    const { rows } = await sql<{ present: boolean }>`select to_regclass(${part}) is not null
      or exists (select 1 from ${sql.table(`${name}_rest`)} where ${sql.raw(`${column} >= ${from} and ${column} < ${to}`)})
      as present`.execute(trx);
    if (rows[0]!.present) continue;
    // Made beside the table and joined to it: nobody who reads or writes waits.
    const statements = [
      `create table ${part} (like ${name} including all)`,
      ...own(part),
      `alter table ${name} attach partition ${part} for values from (${from}) to (${to})`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(trx);
  }
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
  const part = namePart('listing', date);
  const kept = `kept_${dayOf(date)}`;
  for (const statement of [
    `create temporary table ${kept} on commit drop as select * from ${part} where packed is null`,
    `alter table listing detach partition ${part}`,
    `drop table ${part}`,
    `insert into listing select * from ${kept}`,
    `alter table texts detach partition ${namePart('texts', date)}`,
    `drop table ${namePart('texts', date)}`,
    `drop table ${namePart('text_cases', date)}`,
  ])
    await sql.raw(statement).execute(trx);
}
