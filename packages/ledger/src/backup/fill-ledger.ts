import { CompiledQuery, sql } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import {
  keepMeta,
  migrateDatabase,
  migrateTo,
  migrationNames,
  readSchemaNumber,
  restoringKey,
} from '../migrations/migrate.ts';
import { ledgerTables } from '../schema/tables.ts';
import type { SnapshotHead, SnapshotPart, SnapshotValue } from './snapshot.ts';
import { describeTables, type ColumnType, type SnapshotTable } from './table-shapes.ts';

/** PostgreSQL binds so many values in a statement. */
const mostValues = 30_000;
/** What a statement may hold, in characters. */
const mostLength = 4_000_000;

/**
 * Fills an empty ledger with the rows of a snapshot, in one transaction: all of them or none. Whoever hands them over
 * has looked at each before, and throws where the end does not come. A snapshot of an earlier schema is brought up to
 * date afterwards. Says how many rows there were.
 */
export async function fillLedger(
  database: Database,
  head: SnapshotHead & { madeAt: string },
  parts: AsyncIterable<SnapshotPart>,
): Promise<number> {
  const { db, kind, place } = database;
  assertKnown(head);
  const found = await readSchemaNumber(db, kind);
  if (found === 0) await migrateTo(db, kind, head.schema);
  else if (found !== head.schema)
    throw notEmpty(place, `it has schema ${found}, and the backup is of schema ${head.schema}`);
  const isOwn = (await markRestoring(database, head.madeAt)) || found === 0;
  const rows = await fillTables(database, parts).catch(async (error: unknown) => {
    // A ledger that was there is as empty as it was. One that was made for this is none, as if somebody were killed.
    if (!isOwn) await db.deleteFrom('meta').where('key', '=', restoringKey).execute();
    throw error;
  });
  await migrateDatabase(db, kind, place);
  await database.scrub();
  return rows;
}

/** Marks an empty ledger as one that is being filled, never another; says whether it was marked so before. */
async function markRestoring({ db, kind, place }: Database, madeAt: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const tables = await describeTables(trx, kind);
    await lockTables(trx, kind, tables);
    await assertEmpty(trx, place, tables);
    const before = await trx.selectFrom('meta').select('value').where('key', '=', restoringKey).executeTakeFirst();
    await keepMeta(trx, restoringKey, madeAt);
    return before !== undefined;
  });
}

async function fillTables({ db, kind, place }: Database, parts: AsyncIterable<SnapshotPart>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    if (kind === 'postgresql') await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    const tables = await describeTables(trx, kind);
    await lockTables(trx, kind, tables);
    await assertEmpty(trx, place, tables);
    const count = await insertParts(trx, kind, tables, parts);
    await settle(trx, kind, tables);
    await trx.deleteFrom('meta').where('key', '=', restoringKey).execute();
    return count;
  });
}

function assertKnown({ schema, migrations }: SnapshotHead): void {
  const known = migrationNames.slice(0, schema);
  if (schema > migrationNames.length || migrations.some((name, index) => name !== known[index]))
    throw new AgonError(
      'newer-ledger',
      `The backup was made by a newer Agon: it has schema ${schema}, this one knows ${migrationNames.length}.`,
      'Update Agon. Nothing was restored.',
    );
}

function notEmpty(place: string, why: string): AgonError {
  return new AgonError('ledger-not-empty', `${place} is not empty: ${why}. Nothing was restored.`, {
    library: 'Restore into a ledger that is not there yet.',
    cli: 'Name a ledger that is not there yet with --ledger FILE, or another database.',
  });
}

async function lockTables(trx: Trx, kind: Kind, tables: readonly SnapshotTable[]): Promise<void> {
  if (kind === 'sqlite') return;
  await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in exclusive mode`.execute(trx);
}

async function assertEmpty(trx: Trx, place: string, tables: readonly SnapshotTable[]): Promise<void> {
  for (const { name } of tables) {
    if (name === 'meta') continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(trx);
    if (rows.length > 0) throw notEmpty(place, `there are rows in ${name}`);
  }
}

async function insertParts(
  trx: Trx,
  kind: Kind,
  tables: readonly SnapshotTable[],
  parts: AsyncIterable<SnapshotPart>,
): Promise<number> {
  let count = 0;
  let target: SnapshotTable | null = null;
  let waiting: (readonly SnapshotValue[])[] = [];
  let length = 0;
  const flush = async () => {
    if (target && waiting.length > 0) await insertRows(trx, kind, target, waiting);
    waiting = [];
    length = 0;
  };
  for await (const part of parts) {
    if ('table' in part) {
      await flush();
      target = matchTable(tables, part.table);
      continue;
    }
    count += 1;
    waiting.push(part.row);
    length += part.row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
    const isFull = length >= mostLength || (waiting.length + 1) * target!.columns.length > mostValues;
    if (isFull || waiting.length >= 500) await flush();
  }
  await flush();
  return count;
}

/** The table of a backup as it is here: the same columns, in the same order. */
function matchTable(tables: readonly SnapshotTable[], given: SnapshotTable): SnapshotTable {
  const here = tables.find(({ name }) => name === given.name);
  const shape = ({ columns }: SnapshotTable) => JSON.stringify(columns.map(({ name, type }) => [name, type]));
  if (here && shape(here) === shape(given)) return here;
  throw new AgonError(
    'broken-backup',
    `The backup has a table ${given.name} that a ledger of its schema does not have so.`,
    'Nothing was restored. Take another backup.',
  );
}

async function insertRows(
  trx: Trx,
  kind: Kind,
  { name, columns }: SnapshotTable,
  rows: readonly (readonly SnapshotValue[])[],
): Promise<void> {
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const begin = `insert into "${name}" (${names})`;
  const isMeta = name === 'meta';
  const end = isMeta ? ' on conflict (key) do update set value = excluded.value' : '';
  const bound = rows.map((row) => row.map((value, index) => readValue(columns[index]!.type, value)));
  if (kind === 'sqlite') {
    const statement = `${begin} values (${columns.map(() => '?').join(', ')})${end}`;
    for (const row of bound) await trx.executeQuery(CompiledQuery.raw(statement, row));
    return;
  }
  const values = bound.map(
    (_, row) => `(${columns.map((__, index) => `$${row * columns.length + index + 1}`).join(', ')})`,
  );
  const statement = `${begin} overriding system value values ${values.join(', ')}${end}`;
  await trx.executeQuery(CompiledQuery.raw(statement, bound.flat()));
}

function readValue(type: ColumnType, value: SnapshotValue): unknown {
  if (value === null) return null;
  if (type === 'bytes') return Buffer.from(String(value), 'base64');
  return type === 'integer' && typeof value === 'string' ? BigInt(value) : value;
}

/** What was in somebody's hands waits again, and counters go on behind what is there. */
async function settle(trx: Trx, kind: Kind, tables: readonly SnapshotTable[]): Promise<void> {
  if (tables.some(({ name }) => name === 'run_items'))
    await trx.updateTable('run_items').set({ state: 'waiting', worker: null }).where('state', '=', 'running').execute();
  if (kind === 'postgresql') for (const name of ledgerTables) await setCounter(trx, name);
}

async function setCounter(db: Db, table: string): Promise<void> {
  const { rows } = await sql<{ column: string }>`
    select column_name as column from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_identity = 'YES'`.execute(db);
  for (const { column } of rows)
    await sql`select setval(pg_get_serial_sequence(quote_ident(current_schema()) || '.' || quote_ident(${table}), ${column}),
      coalesce(max(${sql.ref(column)}), 1), max(${sql.ref(column)}) is not null) from ${sql.table(table)}`.execute(db);
}
