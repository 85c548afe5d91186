import { sql, type RawBuilder } from 'kysely';
import type { Kind } from './database.ts';

/**
 * Whether a column has one of many values: one parameter, however many there are, so that the statement is always the
 * same.
 */
export function oneOf(kind: Kind, column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  return kind === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<boolean>`${sql.ref(column)} = any(${values})`;
}
