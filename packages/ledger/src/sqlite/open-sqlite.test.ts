import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { collect, holdCase, openedCase, turnAt } from '@agonhq/test/support/ledger-cases.ts';
import { sha256 } from '@agonhq/engine/hash';
import { buildLedger } from '../build-ledger.ts';
import { openLedger } from '../index.ts';
import { openSqlite } from './open-sqlite.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-ledger-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => path.join(folder, `${(files += 1)}`, 'ledger.sqlite');

describe('a ledger in a file', () => {
  test('is made with its folder, is durable, and only its owner can look into the folder', async () => {
    const file = newFile();
    const database = await openSqlite({ file });
    const pragma = async (name: string) =>
      Object.values((await sql.raw<object>(`pragma ${name}`).execute(database.db)).rows[0]!)[0] as unknown;
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('foreign_keys')).toBe(1);
    expect(await pragma('secure_delete')).toBe(1);
    await database.close();
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  test('what was forgotten is neither in the file nor in its log', async () => {
    const file = newFile();
    const ledger = await openLedger({ file });
    const secret = 'Zanzibar-7719';
    for (let index = 0; index < 12; index += 1)
      await holdCase(ledger, openedCase(`case-${index}`, { text: `Number ${index} is no secret.`.repeat(20) }));
    for (let index = 0; index < 12; index += 1) {
      await ledger.cases.openCase(
        openedCase(`private-${index}`, {
          subject: {
            hash: sha256('private'),
            content: { text: `${secret} `.repeat(50) },
            attachments: [{ hash: sha256('image'), mediaType: 'image/png', data: Buffer.from(secret.repeat(500)) }],
          },
        }),
      );
      for (let turn = 0; turn < 8; turn += 1)
        await ledger.journal.insert(
          `private-${index}`,
          turnAt(`turn-${turn}`, { statement: `${secret} `.repeat(1 + 3 * index * turn) }),
        );
    }
    const bytes = () =>
      [file, `${file}-wal`]
        .filter((name) => existsSync(name))
        .map((name) => readFileSync(name, 'latin1'))
        .join('');
    expect(bytes()).toContain(secret);
    expect(await ledger.cases.forgetSubject(sha256('private'))).toBe(12);
    expect(bytes().split(secret).length - 1).toBe(0);
    await ledger.close();
    expect(bytes()).not.toContain(secret);
  });

  test('writes that are asked for together are on disk together, and one that fails takes no other with it', async () => {
    const ledger = await openLedger({ file: newFile() });
    await ledger.cases.openCase(openedCase('case-1'));
    const asked = [
      ledger.decisions.recordDecision({ case: 'case-1', label: 'safe', by: 'ann' }),
      ledger.decisions.recordDecision({ case: 'nobody', label: 'safe', by: 'ann' }),
      ledger.journal.insert('case-1', turnAt('arbiter')),
    ];
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await ledger.readStats()).toMatchObject({ decisions: 1, entries: 1 });
    await ledger.close();
  });
});

describe('what can be wrong with a file is said in a line', () => {
  test('a ledger of a newer Agon is left alone', async () => {
    const file = newFile();
    await (await openLedger({ file })).close();
    const database = new DatabaseSync(file);
    database.exec("update meta set value = '99' where key = 'schema'");
    database.close();
    const before = readFileSync(file);
    await expect(openLedger({ file })).rejects.toMatchObject({
      code: 'newer-ledger',
      message: expect.stringContaining('schema 99') as string,
      hint: expect.stringContaining('Update Agon') as string,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('a row whose JSON is of a newer version is not misread', async () => {
    const file = newFile();
    const ledger = await openLedger({ file });
    await ledger.journal.insert('debate', turnAt('arbiter'));
    const database = new DatabaseSync(file);
    database.exec('update entries set version = 2');
    await expect(ledger.journal.find('debate', 'arbiter', sha256('arbiter'))).rejects.toMatchObject({
      code: 'newer-ledger',
    });
    database.exec(`update entries set version = 1, entry = '{"kind":"turn"}'`);
    await expect(ledger.journal.find('debate', 'arbiter', sha256('arbiter'))).rejects.toMatchObject({
      code: 'damaged-ledger',
    });
    database.close();
    await ledger.close();
  });

  test('a file that is no database', async () => {
    const file = path.join(folder, 'notes.txt');
    writeFileSync(file, 'These are notes, and long enough to be taken for a header of a database. '.repeat(40));
    await expect(openLedger({ file })).rejects.toMatchObject({ code: 'not-a-ledger' });
    expect(readFileSync(file, 'utf8')).toMatch(/^These are notes/);
  });

  test.each(['songs', 'meta'])(
    'a database of another program, with a table %s: not a byte of it changes',
    async (table) => {
      const file = path.join(folder, `other-${table}.sqlite`);
      const other = new DatabaseSync(file);
      other.exec(`create table ${table} (title text)`);
      other.close();
      const before = readFileSync(file);
      await expect(openLedger({ file })).rejects.toMatchObject({ code: 'not-a-ledger' });
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  test('a damaged file', async () => {
    const file = newFile();
    const ledger = await openLedger({ file });
    for (let index = 0; index < 40; index += 1) await holdCase(ledger, openedCase(`case-${index}`));
    await ledger.close();
    const handle = openSync(file, 'r+');
    const pages = statSync(file).size / 4096;
    for (let page = 2; page < pages; page += 1) writeSync(handle, Buffer.alloc(4096, 0x5a), 0, 4096, page * 4096);
    closeSync(handle);
    const reading = async () => {
      const damaged = await openLedger({ file });
      try {
        await collect(damaged.export());
      } finally {
        await damaged.close();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: 'damaged-ledger' });
  });

  test('a folder in place of a file, and a path through a file', async () => {
    await expect(openLedger({ file: folder })).rejects.toMatchObject({ code: 'ledger-unreachable' });
    const file = path.join(folder, 'plain');
    writeFileSync(file, '');
    await expect(openLedger({ file: path.join(file, 'ledger.sqlite') })).rejects.toMatchObject({
      code: 'read-only-ledger',
    });
  });

  test('a full disk: what was acknowledged stays, nothing is half-written', async () => {
    const file = newFile();
    const database = await openSqlite({ file });
    const ledger = buildLedger(database);
    await sql`pragma max_page_count = 180`.execute(database.db);
    const acknowledged: string[] = [];
    const write = async (id: string) => {
      await ledger.journal.insert(id, turnAt('arbiter', { statement: 'x'.repeat(5000) }));
      acknowledged.push(id);
    };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, round) => round).flatMap((round) =>
        Array.from({ length: 10 }, (_, index) => write(`debate-${round}-${index}`)),
      ),
    );
    for (let index = 0; index < 100 && acknowledged.length < 1; index += 1) await write(`alone-${index}`);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(failure?.reason).toMatchObject({ code: 'full-disk', hint: expect.stringContaining('prune') as string });
    await expect(holdCase(ledger, openedCase('case', { text: 'y'.repeat(600_000) }))).rejects.toMatchObject({
      code: 'full-disk',
    });
    expect((await ledger.readStats()).entries).toBe(acknowledged.length);
    expect(await ledger.readStats()).toMatchObject({ subjects: 0, debates: 0 });
    await sql`pragma max_page_count = 100000`.execute(database.db);
    await write('with room again');
    await ledger.close();
    const plain = new DatabaseSync(file);
    expect(plain.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    plain.close();
  });
});

test('an entry that is read back while another process writes is what was acknowledged', async () => {
  const file = newFile();
  mkdirSync(path.dirname(file));
  const [ledger, other] = [await openLedger({ file }), await openLedger({ file })];
  const [first, second] = await Promise.all([
    ledger.journal.insert('d', turnAt('a', { statement: 'one' })),
    other.journal.insert('d', turnAt('a', { statement: 'two' })),
  ]);
  expect(first).toEqual(second);
  await Promise.all([ledger.close(), other.close()]);
});
