import type { Kind } from '../database/database.ts';

/** How a database calls the types of columns, and what stands at the end of a table. */
export function columnTypes(kind: Kind) {
  const isSqlite = kind === 'sqlite';
  return {
    // One order of texts on both: that of their bytes.
    text: isSqlite ? 'text' : 'text collate "C"',
    real: isSqlite ? 'real' : 'double precision',
    bytes: isSqlite ? 'blob' : 'bytea',
    long: isSqlite ? 'integer' : 'bigint',
    counter: isSqlite ? 'integer primary key' : 'bigint generated always as identity primary key',
    end: isSqlite ? 'strict' : '',
    /** Of a table whose rows are found by their key alone. */
    keyed: isSqlite ? 'strict, without rowid' : '',
  };
}
