import { sql, type SelectQueryBuilder } from 'kysely';
import type { Db, Kind } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import type { Tables } from '../schema/tables.ts';
import { recordKinds, type AnyRow, type RecordKindName } from './record-kinds.ts';

/* The rows that leaves are of. Kinds differ in their tables only; which one it is, the types need not know here. */

type AnyQuery = SelectQueryBuilder<Tables, keyof Tables, AnyRow>;

function selectColumns(db: Db, name: RecordKindName): AnyQuery {
  const { table, columns } = recordKinds[name];
  return (db.selectFrom(table) as unknown as AnyQuery).select(columns as never);
}

/** All rows about some things. */
export async function findRecords(
  db: Db,
  kind: Kind,
  name: RecordKindName,
  records: readonly string[],
): Promise<readonly AnyRow[]> {
  const keys = name === 'activation' ? records.map(Number) : records;
  return selectColumns(db, name)
    .where(oneOf(kind, recordKinds[name].record, keys))
    .execute();
}

/** The rows that have no leaf, in the order of their keys, from behind a row on. */
export async function* readUnentered(db: Db, name: RecordKindName, pageSize: number): AsyncGenerator<AnyRow[]> {
  const { table, record, part } = recordKinds[name];
  const key = sql.ref(`${table}.${record}`);
  const own = name === 'activation' ? sql`cast(${key} as text)` : key;
  const ownPart = part === null ? sql.lit('') : sql.ref(`${table}.${part}`);
  const query = selectColumns(db, name)
    .where(
      sql<boolean>`not exists (select 1 from record_leaves where record_leaves.record = ${own}
        and record_leaves.kind = ${sql.lit(name)} and record_leaves.part = ${ownPart})`,
    )
    .orderBy(key)
    .$if(part !== null, (all) => all.orderBy(ownPart))
    .limit(pageSize);
  for (let rows = await query.execute(); rows.length > 0;) {
    yield rows;
    if (rows.length < pageSize) return;
    const last = rows.at(-1)!;
    const behind =
      part === null
        ? sql<boolean>`${key} > ${last[record]}`
        : sql<boolean>`(${key}, ${ownPart}) > (${last[record]}, ${last[part]})`;
    rows = await query.where(behind).execute();
  }
}
