import type { Generated } from 'kysely';
import type { Kind } from '../database/database.ts';

/*
 * A table is stated once, by its columns as SQL has them: the type of its rows is read from that text. JSON is text on
 * both databases, so that what comes out is what went in; moments are ISO text but where clocks of machines meet;
 * booleans are 0 and 1.
 */

/** How a database says what is said otherwise on the other. */
const dialects: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  sqlite: { long: 'integer', bytes: 'blob', counter: 'integer primary key', always: 'not null' },
  postgresql: {
    // One order of texts on both: that of their bytes.
    text: 'text collate "C"',
    long: 'bigint',
    real: 'double precision',
    bytes: 'bytea',
    moment: 'timestamptz',
    counter: 'bigint generated always as identity primary key',
    // A case that is a single row waits in no queue, and on PostgreSQL does not take the room to say so.
    always: '',
  },
};

/** What a column of each type holds. */
interface Held {
  text: string;
  integer: number;
  long: number;
  real: number;
  bytes: Uint8Array;
  moment: Date;
  counter: Generated<number>;
}

export type ColumnWord = keyof Held;

export interface LedgerTable<Columns extends string = string> {
  columns: Columns;
  /** What ends its statement on each database; null where it has no such table. */
  end: { sqlite: string | null; postgresql: string };
}

const tableOf =
  (sqlite: string | null, postgresql = ')') =>
  <const Columns extends string>(columns: Columns): LedgerTable<Columns> => ({ columns, end: { sqlite, postgresql } });

export const table = tableOf(') strict');
/** Whose rows are found by their key alone. */
export const keyedTable = tableOf(') strict, without rowid');
export const serverTable = tableOf(null);
/** Each part says by itself that a case is there once: all of them together need no key that names every case again. */
export const listingTable = tableOf(
  ', primary key (opened_at, id)) strict, without rowid',
  ') partition by range (opened_at)',
);

const isWord = (word: string): word is ColumnWord =>
  ['text', 'integer', 'long', 'real', 'bytes', 'moment', 'counter'].includes(word);

/** The names of a table's columns with the words for their types, in their order. */
export function listColumns({ columns }: LedgerTable): [name: string, word: ColumnWord][] {
  const pieces = [...columns.matchAll(/(?:^|,)\s*(\w+) (\w+)/g)];
  return pieces.flatMap(([, name, word]) => (isWord(word!) ? [[name!, word]] : []));
}

/** The statement that makes a table; none where a database has no such table. */
export function createTable(name: string, { columns, end }: LedgerTable, kind: Kind): string[] {
  const words = dialects[kind];
  const own = columns
    .replaceAll(' always ', ` ${words['always']} `)
    .replace(/(^|,)\s*(\w+) (\w+)/g, (_, comma: string, column: string, word: string) =>
      [comma, column, words[word] ?? word].join(' '),
    );
  return end[kind] === null ? [] : [`create table ${name} (${own}${end[kind]}`];
}

type Trimmed<Text extends string> = Text extends ` ${infer Rest}` | `\n${infer Rest}` ? Trimmed<Rest> : Text;

/** What stands between the commas: its columns, and pieces of keys, which have no type. */
type Pieces<Columns extends string, Found = never> = Columns extends `${infer First},${infer Rest}`
  ? Pieces<Rest, Found | `${Trimmed<First>} `>
  : Found | `${Trimmed<Columns>} `;

type NameIn<Piece> = Piece extends `${infer Name} ${keyof Held} ${string}` ? Name : never;

type Filled = `${string}${'not null' | 'primary key' | 'always' | 'counter'}${string}`;

/** The row of a table with such columns. */
export type RowOf<Columns extends string> = {
  [Piece in Pieces<Columns> as NameIn<Piece>]: Piece extends `${string} ${infer Type extends keyof Held} ${string}`
    ? Held[Type] | (Piece extends Filled ? never : null)
    : never;
};
