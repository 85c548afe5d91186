import { sql } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Db, Kind } from '../database/database.ts';
import { ledgerTables, type Tables } from '../schema/tables.ts';

export type ColumnType = 'text' | 'integer' | 'real' | 'bytes';

export interface SnapshotColumn {
  name: string;
  type: ColumnType;
}

export interface SnapshotTable {
  name: string;
  columns: readonly SnapshotColumn[];
  /** The columns by which rows are told apart. */
  key: readonly string[];
}

/** Who works, and what they have in hand at this moment, is nothing that could be taken up again elsewhere. */
const passing = new Set<keyof Tables>(['workers', 'shares', 'reservations']);
/** Where no primary key says it: on PostgreSQL, whose indexes of this table are smaller than that. */
const ownKeys: Partial<Record<keyof Tables, readonly string[]>> = { listing: ['opened_at', 'id'] };
/** Of pgvector: made again from the vectors. */
const derived = new Set(['embedding']);

const types: Record<string, ColumnType> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
  real: 'real',
  'double precision': 'real',
  blob: 'bytes',
  bytea: 'bytes',
};

interface ColumnRow {
  name: string;
  type: string;
  /** Its place in the key, from 1 on; 0 for columns that are not part of it. */
  place: number;
}

/** The tables of a ledger as its database has them, those first that others refer to. */
export async function describeTables(db: Db, kind: Kind): Promise<SnapshotTable[]> {
  const found: SnapshotTable[] = [];
  for (const name of ledgerTables.filter((table) => !passing.has(table))) {
    const { rows } = await (kind === 'sqlite' ? selectSqlite(name) : selectPostgres(name)).execute(db);
    const own = rows.filter((column) => !derived.has(column.name));
    if (own.length === 0) continue;
    const key = own.filter(({ place }) => place > 0).toSorted((a, b) => a.place - b.place);
    found.push({
      name,
      columns: own
        .map((column) => ({ name: column.name, type: readType(name, column) }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      key: key.length > 0 ? key.map((column) => column.name) : (ownKeys[name] ?? []),
    });
  }
  return found;
}

function selectSqlite(table: string) {
  return sql<ColumnRow>`select name, lower(type) as type, pk as place from pragma_table_info(${table})`;
}

function selectPostgres(table: string) {
  return sql<ColumnRow>`
    select columns.column_name as name, columns.data_type as type,
      coalesce(array_position(cast(key.indkey as smallint[]), cast(columns.ordinal_position as smallint)) + 1, 0) as place
    from information_schema.columns
    left join pg_index as key on key.indisprimary
      and key.indrelid = to_regclass(quote_ident(current_schema()) || '.' || quote_ident(${table}))
    where columns.table_schema = current_schema() and columns.table_name = ${table}`;
}

function readType(table: string, { name, type }: ColumnRow): ColumnType {
  const known = types[type];
  if (known) return known;
  throw new AgonError(
    'damaged-ledger',
    `The column ${name} of ${table} is of the type ${type}, which no ledger has.`,
    'Somebody changed the tables: put them right, or restore a backup.',
  );
}
