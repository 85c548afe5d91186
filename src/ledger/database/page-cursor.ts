import { z } from 'zod';
import { AgonError } from '../../errors.ts';
import type { Page } from '../cases/cases.ts';

const cursorSchema = z.tuple([z.string(), z.string()]);

/** A page of rows, of which one more than asked for was read, and where the next starts. */
export function pageAfter<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Shown,
  placeOf: (row: Row) => [string, string],
): Page<Shown> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page.map(show),
    next: rows.length > limit && last ? Buffer.from(JSON.stringify(placeOf(last))).toString('base64url') : null,
  };
}

/** The place that a cursor stands for; `what` is for the message. */
export function placeIn(after: string, what: string): [string, string] {
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
