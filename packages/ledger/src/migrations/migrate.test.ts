import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openedCase, turnAt } from '@agonhq/test/support/ledger-cases.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import type { Database } from '../database/database.ts';
import { openLedger, type LedgerPlace } from '../index.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { knownMigrations, migrateDatabase, readSchemaNumber, schemaNumber, type Migration } from './migrate.ts';

/* A next version that nobody has: a ledger of today is brought to it, whole, once, or not at all. */

const folder = mkdtempSync(path.join(tmpdir(), 'agon-migrations-'));
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const kinds = ['sqlite', 'postgresql'] as const;

async function makePlace(kind: (typeof kinds)[number]): Promise<LedgerPlace> {
  return kind === 'sqlite'
    ? { file: path.join(folder, `${crypto.randomUUID()}.sqlite`) }
    : { url: await server.newDatabase() };
}

const openDatabase = (place: LedgerPlace): Promise<Database> =>
  'file' in place
    ? openSqlite({ file: place.file, migrate: false })
    : openPostgres(place.url, { migrate: false, name: 'agon-test' });

/** With a case in it. */
async function makeLedger(place: LedgerPlace): Promise<string> {
  const ledger = await openLedger(place);
  const opened = openedCase('case-1', { text: 'A note about tulips.' });
  await ledger.cases.openCase(opened);
  await ledger.journal.insert(opened.id, turnAt('arbiter'));
  await ledger.close();
  return opened.id;
}

const nextMigration = (statement: string): Migration => ({
  name: 'next-invented',
  async up(trx) {
    await sql`alter table subjects add column colour text`.execute(trx);
    await sql.raw(statement).execute(trx);
  },
});

test.each(kinds)('a ledger on %s goes to the next version once, and keeps what it has', async (kind) => {
  const place = await makePlace(kind);
  const id = await makeLedger(place);
  const migrations = [...knownMigrations, nextMigration("update subjects set colour = 'red'")];
  const databases = [await openDatabase(place), await openDatabase(place)];
  try {
    const done = await Promise.all(databases.map(({ db }) => migrateDatabase(db, kind, 'here', migrations)));
    // Both may find it old; one of them did it.
    expect(done).toContain(schemaNumber);
    const { db } = databases[0]!;
    expect(await readSchemaNumber(db, kind)).toBe(schemaNumber + 1);
    expect((await sql<{ colour: string }>`select colour from subjects`.execute(db)).rows).toEqual([{ colour: 'red' }]);
    expect((await db.selectFrom('entries').select('debate').execute()).map(({ debate }) => debate)).toEqual([id]);
    expect(await migrateDatabase(db, kind, 'here', migrations)).toBeNull();
  } finally {
    for (const database of databases) await database.close();
  }
  await expect(openLedger(place)).rejects.toMatchObject({ code: 'newer-ledger' });
});

test.each(kinds)('a migration that fails on %s leaves everything as it was', async (kind) => {
  const place = await makePlace(kind);
  await makeLedger(place);
  const database = await openDatabase(place);
  const migrations = [...knownMigrations, nextMigration('update no_such_table set colour = 1')];
  await expect(migrateDatabase(database.db, kind, 'here', migrations)).rejects.toThrow(/no_such_table/);
  expect(await readSchemaNumber(database.db, kind)).toBe(schemaNumber);
  await expect(sql`select colour from subjects`.execute(database.db)).rejects.toThrow(/colour/);
  await database.close();
  await (await openLedger(place)).close();
});
