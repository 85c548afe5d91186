import {
  sql,
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type QueryResult,
  type RawBuilder,
} from 'kysely';
import type { Tables } from '../schema/tables.ts';
import type { Db, Kind } from './database.ts';

/** Stands for a value while a query is built. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built and compiled once for a database; from then on only its values are filled in. Building one
 * takes longer than SQLite takes to answer it. `build` must hand its values to the query as they are: it sees them
 * only by name.
 */
export function fixedQuery<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<QueryResult<Row>> {
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();
  return (db, values) => {
    const { adapter } = db.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      const slots = Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(name)]));
      compiled.set(adapter, (query = build(db, slots as Values).compile()));
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Slot ? (values as Record<string, unknown>)[parameter.name] : parameter,
    );
    return db.executeQuery({ ...query, parameters });
  };
}

/**
 * Whether a column has one of many values: one parameter, however many there are, so that the statement is always the
 * same.
 */
export function oneOf(kind: Kind, column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  return kind === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<boolean>`${sql.ref(column)} = any(${values})`;
}

/** Rows of a statement with one parameter for all of them: each is a `value`, whose fields are read with `->>`. */
export function rowsOf(kind: Kind, rows: readonly (readonly (string | number | null)[])[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  return kind === 'sqlite' ? sql`json_each(${json})` : sql`json_array_elements(cast(${json} as json)) as each (value)`;
}

/** Inserts a row unless one with its key is there; says whether it did. */
export async function insertNew<Table extends keyof Tables>(
  insert: InsertQueryBuilder<Tables, Table, InsertResult>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await insert
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows !== undefined && numInsertedOrUpdatedRows > 0n;
}

/** Puts a row into a table, or what it says besides its key into the one that is there with it. */
export async function putRow<Name extends keyof Tables, Key extends keyof InsertObject<Tables, Name>>(
  db: Db,
  table: Name,
  key: Pick<InsertObject<Tables, Name>, Key>,
  row: Omit<InsertObject<Tables, Name>, Key>,
): Promise<void> {
  await db
    .insertInto(table as 'meta')
    .values({ ...key, ...row } as never)
    .onConflict((conflict) => conflict.columns(Object.keys(key) as 'key'[]).doUpdateSet(row))
    .execute();
}
