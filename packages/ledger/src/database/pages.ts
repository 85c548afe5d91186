import { sql, type SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Page } from '../cases/cases.ts';

const cursorSchema = z.tuple([z.string(), z.string()]);

/** A page of rows, of which one more than asked for was read, and where the next starts. */
export function makePage<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
  placeRow: (row: Row) => [string, string],
): Page<Shown> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map(show),
    next: rows.length > limit && last ? Buffer.from(JSON.stringify(placeRow(last))).toString('base64url') : null,
  };
}

/** The place behind which a page starts; `what` is for the message. */
export function readCursor(after: string, what: string): [string, string] {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(after, 'base64url').toString('utf8')));
  } catch (error) {
    throw new AgonError(
      'bad-page',
      `There is no such page of ${what}.`,
      'Pass what `next` of the page before says, or nothing for the first.',
      { cause: error },
    );
  }
}

/** How many rows are read at once where all of a table is. */
export const pageSize = 500;
/** A document may have a hundred megabytes, and the sheets of a bench hold all its items. */
export const largeRowsAtOnce = 1;

/** All rows of a query in the order of these columns, which tell them apart, some at a time. */
export async function* readAll<Scope, Table extends keyof Scope, Row>(
  query: SelectQueryBuilder<Scope, Table, Row>,
  columns: readonly string[],
  atOnce = pageSize,
): AsyncGenerator<Row, void, void> {
  const place = sql.join(columns.map((column) => sql.ref(column)));
  const ordered = columns.reduce((all, column) => all.orderBy(sql.ref(column)), query).limit(atOnce);
  for (let rows: readonly Row[] = await ordered.execute(); rows.length > 0;) {
    yield* rows;
    const last = sql.join(columns.map((column) => readColumn(rows.at(-1)!, column)));
    rows = await ordered.where(sql<boolean>`(${place}) > (${last})`).execute();
  }
}

/** A page of a query, the newest first: by the columns that say when it was and which it is. */
export async function readNewest<Scope, Table extends keyof Scope, Row, Shown>(
  query: SelectQueryBuilder<Scope, Table, Row>,
  [moment, id]: readonly [moment: string, id: string],
  { limit, after = null }: { limit: number; after?: string | null | undefined },
  what: string,
  show: (row: Row) => Shown,
): Promise<Page<Shown>> {
  const [at, which] = [sql.ref(moment), sql.ref(id)];
  let newest = query
    .orderBy(at, 'desc')
    .orderBy(which, 'desc')
    .limit(limit + 1);
  if (after !== null) newest = newest.where(sql<boolean>`(${at}, ${which}) < (${sql.join(readCursor(after, what))})`);
  return makePage(await newest.execute(), limit, show, (row) => [
    String(readColumn(row, moment)),
    String(readColumn(row, id)),
  ]);
}

/** `runs.id` is selected as `id`. */
function readColumn(row: unknown, column: string): unknown {
  return (row as Record<string, unknown>)[column.slice(column.indexOf('.') + 1)];
}
