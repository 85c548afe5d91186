import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { PostgresPool, PostgresPoolClient } from 'kysely';

/** PostgreSQL with pgvector within this process. It has one connection: who has it keeps the others waiting. */
export async function openPglite(): Promise<{ pool(): Promise<PostgresPool>; close(): Promise<void> }> {
  const database = await PGlite.create({ extensions: { vector } });
  let free: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<PostgresPoolClient> {
    const before = free;
    const { promise, resolve } = Promise.withResolvers<void>();
    free = promise;
    await before;
    const query = async (words: string, parameters: readonly unknown[] = []) => {
      const { rows, affectedRows } = await database.query(words, [...parameters]);
      const command = words.trimStart().split(/\s/, 1)[0]!.toUpperCase();
      return { command, rowCount: affectedRows ?? rows.length, rows };
    };
    return { query, release: resolve } as unknown as PostgresPoolClient;
  }

  return {
    /** Connections to an empty database: what was there is gone. */
    async pool() {
      await database.exec('drop schema public cascade; create schema public');
      return { options: {}, connect, end: async () => undefined };
    },
    close: () => database.close(),
  };
}
