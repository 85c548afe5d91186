import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdCase, openedCase } from '../../../test/support/ledger-cases.ts';
import { startPostgres, type PostgresServer } from '../../../test/support/postgres.ts';
import { auditLedger, readKeys } from '../../checkpoints/index.ts';
import { requireJob } from '../../jobs/index.ts';
import { defaultPolicy } from '../../policy/index.ts';
import { careForLedger, locateTeam, openLedger, type LedgerPlace } from '../index.ts';

/* Ledgers that the code of schema 21 made (test/fixtures/schema-21/make.ts), brought here and back. */

const fixtures = path.join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'schema-21');
const readFixture = (name: string) =>
  brotliDecompressSync(readFileSync(path.join(fixtures, `${name}.br`))).toString('utf8');
const keys = readKeys(readFileSync(path.join(fixtures, 'issuer.pem'), 'utf8'));
const folder = mkdtempSync(path.join(tmpdir(), 'agon-upgrade-'));
let server: PostgresServer;
let made = 0;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

interface OlderLedger {
  place: LedgerPlace;
  /** Its tables and indexes as the database describes them, and every row. */
  readAll(): Promise<unknown>;
}

async function makeSqlite(): Promise<OlderLedger> {
  const file = path.join(folder, `${(made += 1)}.sqlite`);
  const database = new DatabaseSync(file);
  database.exec(readFixture('sqlite.sql'));
  database.close();
  return {
    place: { file },
    async readAll() {
      const opened = new DatabaseSync(file, { readOnly: true });
      const schema = opened.prepare('select type, name, sql from sqlite_schema order by type, name').all();
      const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => String(name));
      const rows = tables.map((name) => {
        const found = opened.prepare(`select * from "${name}"`);
        found.setReadBigInts(true);
        return [name, found.all()];
      });
      opened.close();
      return { schema, rows };
    },
  };
}

async function makePostgres(): Promise<OlderLedger> {
  const url = await server.newDatabase();
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return ((await client.query(text)) as { rows?: Record<string, unknown>[] }).rows ?? [];
    } finally {
      await client.end();
    }
  };
  // The dump leaves no search path to whoever goes on with its connection.
  await query(
    readFixture('postgresql.sql')
      .replaceAll(/^\\.*$/gm, '')
      .replace('CREATE SCHEMA public;', ''),
  );
  return {
    place: { url },
    async readAll() {
      const columns = await query(
        "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' order by 1, 2",
      );
      const indexes = await query("select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1");
      const names = [...new Set(columns.map(({ table_name }) => String(table_name)))];
      const rows = [];
      for (const name of names) rows.push([name, await query(`select * from "${name}" as t order by t::text`)]);
      return { columns, indexes, rows };
    },
  };
}

describe.each([
  ['SQLite', makeSqlite],
  ['PostgreSQL', makePostgres],
] as const)('a ledger of the release before on %s', (_, make) => {
  test('is brought up to date: all cases can be read, seals verify, and the audit passes', async () => {
    const { place } = await make();
    const ledger = await openLedger(place);
    expect(ledger.upgradedFrom).toBe(21);
    const { rows } = await ledger.cases.listCases({}, { limit: 100 });
    expect(rows).toHaveLength(6);
    const policy = await defaultPolicy();
    let verified = 0;
    for (const { id, forgottenAt } of rows) {
      const found = (await ledger.cases.findCase(id))!;
      if (forgottenAt !== null) continue;
      const checks = await requireJob(found.job).verify(found.answer!, {
        policy,
        settings: {},
        readDocuments: null as never,
      });
      expect(checks.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
      verified += 1;
    }
    expect(verified).toBe(5);
    const { holds, checks } = await auditLedger(ledger, { keys });
    expect(checks.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['records', 'ok'],
      ['trees', 'ok'],
      ['checkpoints', 'ok'],
    ]);
    expect(holds).toBe(true);
    await ledger.close();
    const again = await openLedger(place);
    expect(again.upgradedFrom).toBeNull();
    await again.close();
  });

  test('is taken back to what it was, to the row and to the index', async () => {
    const { place, readAll } = await make();
    const before = await readAll();
    await using care = await careForLedger(place);
    expect(await care.readSchema()).toBe(21);
    await care.upgrade();
    expect(await care.readSchema()).toBe(care.newestSchema);
    await care.rollBack(await care.planRollback({}));
    expect(await care.readSchema()).toBe(21);
    expect(await readAll()).toEqual(before);
  });

  test('keeps on the way back what was written since, and holds come back with the next upgrade', async () => {
    const { place } = await make();
    const ledger = await openLedger(place);
    await holdCase(ledger, openedCase('case-1'));
    const hold = await ledger.holds.placeHold({ case: 'case-1', reason: 'A lawsuit.' }, { by: 'mara' });
    await ledger.close();
    const care = await careForLedger(place);
    await expect(care.planRollback({})).rejects.toMatchObject({ code: 'legal-hold' });
    await expect(care.planRollback({ to: 20 })).rejects.toMatchObject({ code: 'no-way-back' });
    await care.rollBack(await care.planRollback({ despiteHolds: true }));
    await care[Symbol.asyncDispose]();
    const again = await openLedger(place);
    expect(again.upgradedFrom).toBe(21);
    expect(await again.holds.listHolds()).toEqual([hold]);
    expect(await again.cases.findCase('case-1')).toMatchObject({ label: 'unsafe' });
    expect((await again.records.audit()).problems).toEqual([]);
    await again.close();
  });

  test('is not taken back to where there are no teams while it has any, whose own ledgers are', async () => {
    const { place } = await make();
    const ledger = await openLedger(place);
    await ledger.teams.addTeam('acme', {});
    await ledger.close();
    await (await openLedger(locateTeam(place, 'acme'))).close();
    const care = await careForLedger(place);
    const refusal = { code: 'no-way-back', message: expect.stringContaining('has the team acme') as string };
    await expect(care.planRollback({})).rejects.toMatchObject(refusal);
    await expect(care.planRollback({ to: 28, despiteHolds: true })).rejects.toMatchObject(refusal);
    expect(await care.planRollback({ to: 29 })).toBe(29);
    {
      await using ofTeam = await careForLedger(locateTeam(place, 'acme'));
      await ofTeam.rollBack(await ofTeam.planRollback({ to: 28 }));
      expect(await ofTeam.readSchema()).toBe(28);
    }
    await care.rollBack(29);
    await care[Symbol.asyncDispose]();
    const again = await openLedger(place);
    expect(await again.teams.listTeams()).toMatchObject([{ name: 'acme' }]);
    await again.teams.removeTeam('acme');
    await again.close();
    await using after = await careForLedger(place);
    await after.rollBack(await after.planRollback({ to: 28 }));
    expect(await after.readSchema()).toBe(28);
  });
});

test('on PostgreSQL nothing is taken back while others have the ledger open', async () => {
  const { place } = await makePostgres();
  const ledger = await openLedger(place);
  await ledger.readStats();
  await using care = await careForLedger(place);
  await expect(care.planRollback({})).rejects.toMatchObject({ code: 'ledger-in-use' });
  await ledger.close();
  await expect.poll(() => care.planRollback({}).catch((error: unknown) => error)).toBe(21);
});
