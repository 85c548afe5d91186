import type { SelectQueryBuilder } from 'kysely';
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

/** All rows of a query that is ordered and limited: `after` makes it start behind the last row of a page. */
export async function* readPages<Scope, Table extends keyof Scope, Row>(
  query: SelectQueryBuilder<Scope, Table, Row>,
  after: (query: SelectQueryBuilder<Scope, Table, Row>, last: Row) => SelectQueryBuilder<Scope, Table, Row>,
): AsyncGenerator<Row, void, void> {
  let rows: readonly Row[] = await query.execute();
  while (rows.length > 0) {
    yield* rows;
    rows = await after(query, rows.at(-1)!).execute();
  }
}
