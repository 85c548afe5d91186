import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openedCase, turnAt } from '@agonhq/test/support/ledger-cases.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { openLedger } from '../index.ts';

let server: PostgresServer;
let database: string;

beforeAll(async () => {
  server = await startPostgres();
  database = await server.newDatabase();
}, 60_000);
afterAll(() => server.stop(), 60_000);

async function failure(url: string): Promise<AgonError> {
  const error: unknown = await openLedger({ url }).then(
    (ledger) => ledger.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AgonError);
  return error as AgonError;
}

function changed(url: string, change: (at: URL) => void): string {
  const at = new URL(url);
  change(at);
  return at.href;
}

async function statement(url: string, words: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(words);
  } finally {
    await client.end();
  }
}

describe('a ledger on PostgreSQL', () => {
  test('is made once when several open it at the same moment', async () => {
    const url = await server.newSchema(database);
    const ledgers = await Promise.all(Array.from({ length: 4 }, () => openLedger({ url })));
    await Promise.all(ledgers.map((ledger, index) => ledger.journal.insert(`debate-${index}`, turnAt('arbiter'))));
    expect(await ledgers[0]!.readStats()).toMatchObject({ kind: 'postgresql', schema: 1, entries: 4 });
    expect(ledgers[0]!.place).not.toContain('@');
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  });

  test('without pgvector has no search of its own', async () => {
    const ledger = await openLedger({ url: await server.newSchema(database) });
    expect(ledger.precedents.findNearest).toBeUndefined();
    await ledger.close();
  });

  test('what is forgotten while entries come from other connections leaves no entry behind', async () => {
    const url = await server.newSchema(database);
    const [ledger, other] = await Promise.all([openLedger({ url }), openLedger({ url })]);
    for (let round = 0; round < 5; round += 1) {
      const opened = openedCase(`debate-${round}`);
      await ledger.cases.openCase(opened);
      const writing = Array.from({ length: 30 }, (_, index) =>
        other.journal.insert(opened.id, turnAt(`turn-${index}`)),
      );
      const forgetting = new Promise((resolve) => setTimeout(resolve, round * 3)).then(() =>
        ledger.cases.forgetSubject(opened.subject.hash),
      );
      await Promise.all([...writing, forgetting]);
      expect((await ledger.readStats()).entries).toBe(0);
    }
    await Promise.all([ledger.close(), other.close()]);
  }, 60_000);

  test('one that a newer Agon wrote is left alone', async () => {
    const url = await server.newSchema(database);
    await (await openLedger({ url })).close();
    await statement(url, "update meta set value = '99' where key = 'schema'");
    expect(await failure(url)).toMatchObject({ code: 'newer-ledger' });
  });

  test(
    'one whose schema another program has a table of the same name in is left alone; other tables are not in ' +
      'the way',
    async () => {
      for (const table of ['runs', 'meta']) {
        const url = await server.newSchema(database);
        await statement(url, `create table ${table} (title text)`);
        expect(await failure(url)).toMatchObject({
          code: 'not-a-ledger',
          message: expect.stringContaining(`a table ${table}`) as string,
        });
        await statement(url, `drop table ${table}`);
        await statement(url, 'create table songs (title text)');
        await (await openLedger({ url })).close();
      }
    },
  );
});

describe('what can be wrong with a server is said in a line without the password', () => {
  test.each([
    ['the password is wrong', (at: URL) => (at.password = 'well-guessed'), 'ledger-refused'],
    ['nobody listens', (at: URL) => (at.port = '1'), 'ledger-unreachable'],
    ['the host is unknown', (at: URL) => (at.hostname = 'nowhere.invalid'), 'ledger-unreachable'],
    ['there is no such database', (at: URL) => (at.pathname = '/nothing'), 'ledger-unreachable'],
  ])('%s', async (_, change, code) => {
    const url = changed(database, (at) => {
      change(at);
    });
    const error = await failure(url);
    expect(error).toMatchObject({ code });
    expect(JSON.stringify([error.message, error.hint, (error.cause as Error).message])).not.toMatch(
      /well-(kept|guessed)/,
    );
  });

  test('the address is no URL', async () => {
    const error = await failure('postgres://agon:well-kept@[half');
    expect(error).toMatchObject({ code: 'bad-ledger-place' });
    expect(error.message + error.hint).not.toContain('well-kept');
  });

  test('the server may only be read', async () => {
    const url = await server.newSchema(database);
    const reading = changed(url, (at) =>
      at.searchParams.set('options', `${at.searchParams.get('options')!} -c default_transaction_read_only=on`),
    );
    expect(await failure(reading)).toMatchObject({ code: 'read-only-ledger' });
  });

  test('a user may not make tables', async () => {
    const url = await server.newSchema(database);
    await statement(url, "create role guest login password 'guest-word'");
    expect(
      await failure(changed(url, (at) => Object.assign(at, { username: 'guest', password: 'guest-word' }))),
    ).toMatchObject({ code: 'ledger-refused' });
  });

  test('the connection is lost while the ledger is open, and the next query finds a new one', async () => {
    const url = await server.newSchema(database);
    const ledger = await openLedger({ url });
    await statement(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'agon'");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await ledger.cache.findAnswer('key')).toBeUndefined();
    await ledger.close();
  });
});
