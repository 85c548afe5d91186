import { sql } from 'kysely';
import type { Database, Db, Kind } from '../database/database.ts';
import { migrationNames, readSchemaNumber } from '../migrations/migrate.ts';
import { describeTables, type SnapshotColumn, type SnapshotTable } from './table-shapes.ts';

/** A value as it stands in a backup: bytes in base64, whole numbers beyond 2⁵³ as texts. */
export type SnapshotValue = string | number | null;

/** What a backup says of the ledger before its rows. */
export interface SnapshotHead {
  kind: Kind;
  /** The id of the ledger; null where its schema knows none yet. */
  ledger: string | null;
  schema: number;
  migrations: readonly string[];
}

/** The rows of a ledger, table by table. */
export type SnapshotPart = { table: SnapshotTable } | { row: readonly SnapshotValue[] };

/** What a page of rows should hold, in characters: answers and files are of very different lengths. */
const pageLength = 4_000_000;
const mostRows = 1_000;

/** Everything in a ledger at one moment, while others write. Its schema may be an older one. */
export async function openSnapshot(
  database: Database,
): Promise<AsyncDisposable & { head: SnapshotHead; parts: AsyncIterable<SnapshotPart> }> {
  const moment = await database.snapshot();
  const { db } = moment;
  const schema = await readSchemaNumber(db, database.kind);
  const row = await db.selectFrom('meta').select('value').where('key', '=', 'ledger').executeTakeFirst();
  return {
    head: {
      kind: database.kind,
      ledger: row?.value ?? null,
      schema,
      migrations: migrationNames.slice(0, schema),
    },
    parts: readParts(db, database.kind),
    [Symbol.asyncDispose]: () => moment[Symbol.asyncDispose](),
  };
}

async function* readParts(db: Db, kind: Kind): AsyncGenerator<SnapshotPart> {
  for (const table of await describeTables(db, kind)) {
    yield { table };
    for await (const row of readRows(db, table)) yield { row };
  }
}

type ReadRow = Record<string, string | number | Uint8Array | null>;

/** In the order of their keys, as many at a time as are worth it. */
async function* readRows(db: Db, { name, columns, key }: SnapshotTable): AsyncGenerator<SnapshotValue[]> {
  const at = (column: string) => sql`${sql.table(name)}.${sql.ref(column)}`;
  const shown = columns.map(({ name: column, type }, index) =>
    type === 'integer'
      ? sql`cast(${at(column)} as text) as ${sql.ref(`c${index}`)}`
      : sql`${at(column)} as ${sql.ref(`c${index}`)}`,
  );
  const keys = key.map((column) => columns.findIndex((one) => one.name === column));
  const order = sql.join(key.map(at));
  const bind = (row: readonly SnapshotValue[]) => sql.join(keys.map((index) => bindKey(columns[index]!, row[index]!)));
  let last: readonly SnapshotValue[] | null = null;
  for (let limit = 1; ;) {
    const behind: ReturnType<typeof sql> = last === null ? sql`` : sql`where (${order}) > (${bind(last)})`;
    const { rows }: { rows: ReadRow[] } = await sql<ReadRow>`
      select ${sql.join(shown)} from ${sql.table(name)} ${behind} order by ${order} limit ${sql.lit(limit)}`.execute(
      db,
    );
    let length = 0;
    for (const row of rows) {
      const values = columns.map((column, index) => writeValue(column, row[`c${index}`]!));
      last = values;
      length += values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
      yield values;
    }
    if (rows.length < limit) return;
    limit = Math.max(1, Math.min(mostRows, limit * 4, Math.floor((pageLength * rows.length) / Math.max(1, length))));
  }
}

/** A key to compare with; those are texts and whole numbers. */
function bindKey({ type }: SnapshotColumn, value: SnapshotValue) {
  return type === 'integer' ? sql`cast(${String(value)} as bigint)` : sql`${value}`;
}

function writeValue({ type }: SnapshotColumn, value: string | number | Uint8Array | null): SnapshotValue {
  if (value === null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (type === 'integer') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value;
}
