import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { afterAll, expect, test } from 'vitest';
import { collect, exportedText } from '../../../test/support/ledger-cases.ts';
import { itemAt, resultAt, takeFrom } from '../../../test/support/run-items.ts';
import { openLedger } from '../index.ts';
import { firstSchema } from '../migrations/0001-first.ts';
import { runItemsSchema } from '../migrations/0002-run-items.ts';
import type { Tables } from '../tables.ts';
import { nodeSqliteDialect } from './node-sqlite-dialect.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-older-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, '..', 'fixtures', name), 'utf8');
async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

/** A ledger as an earlier version of its schema was written. */
async function writeOlder(file: string, migrations: Record<string, Migration>, rows: string): Promise<void> {
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect({ database: new DatabaseSync(file), file, lockTimeoutMs: 1_000 }) });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) throw error;
  await db.destroy();
  const database = new DatabaseSync(file);
  database.exec(rows);
  database.close();
}

const version1 = { '0001-first': firstSchema('sqlite') };
const version2 = { ...version1, '0002-run-items': runItemsSchema('sqlite') };

test('a file with the first schema is brought up to date with everything in it, and takes runs with items', async () => {
  const file = path.join(folder, 'first.sqlite');
  await writeOlder(file, version1, `
    insert into meta values ('schema', '1');
    insert into attachments values ('sha256:image', 'image/png', x'0102');
    insert into runs values ('run-1', 1, 'nightly', 'moderation', 'c', '{"rounds":2}', 'items.jsonl', 'stopped', '2026-01-02T03:04:05.678Z', '2026-01-02T03:05:05.678Z');
    insert into cache values ('key', 1, '{"answer":1}', '2026-01-02T03:04:05.678Z');`);
  const ledger = await openLedger({ file });
  expect(await ledger.stats()).toMatchObject({ schema: 3, runs: 1, runItems: {}, cached: 1 });
  expect(await ledger.runs.find('run-1')).toMatchObject({ name: 'nightly', settings: { rounds: 2 }, state: 'stopped', problem: null, total: null, endedAt: new Date('2026-01-02T03:05:05.678Z') });
  expect(await ledger.attachments.find('sha256:image')).toEqual({ hash: 'sha256:image', mediaType: 'image/png', data: Uint8Array.from([1, 2]) });
  expect(await ledger.cache.find('key')).toEqual({ answer: 1 });
  await ledger.runs.reopen('run-1');
  await ledger.runs.put('run-1', [itemAt(1)]);
  const [taken] = await takeFrom(ledger, 'run-1', 1);
  expect(await taken!.queue.finish(taken!.item, resultAt('case-1'))).toBe(true);
  await ledger.close();
  const again = await openLedger({ file });
  expect(await again.runs.counts('run-1')).toMatchObject({ done: 1 });
  await again.close();
});

test('a file with the second schema is brought up to date with everything in it, and takes benches', async () => {
  const file = path.join(folder, 'second.sqlite');
  await writeOlder(file, version2, `
    insert into meta values ('schema', '2');
    insert into runs values ('run-1', 1, null, 'moderation', 'c', '{}', null, 'stopped', '2026-01-02T03:04:05.678Z', null, 'The budget is spent.', 1);
    insert into run_items (run, position, version, key, hash, input, state, attempts) values ('run-1', 1, 1, 'key-1', 'hash-1', '{"text":"One"}', 'waiting', 0);`);
  const ledger = await openLedger({ file });
  expect(await ledger.stats()).toMatchObject({ schema: 3, runs: 1, runItems: { waiting: 1 }, benches: 0, benchJudgements: 0 });
  expect(await ledger.runs.find('run-1')).toMatchObject({ state: 'stopped', problem: 'The budget is spent.', total: 1 });
  await ledger.benches.start({ id: 'b3a1f0', name: 'nightly', plan: {} });
  await ledger.benches.keep('b3a1f0', [{ key: 'tribunal/1', result: { label: 'safe' } }]);
  await ledger.close();
  const again = await openLedger({ file });
  expect(await again.benches.find('b3a1')).toMatchObject({ judged: 1 });
  expect(await again.runs.counts('run-1')).toMatchObject({ waiting: 1 });
  await again.close();
});

test('an export with benches still reads, and is written as it was', async () => {
  const ledger = await openLedger({ file: path.join(folder, 'benches.sqlite') });
  const lines = fixture('version-1-benches.jsonl');
  expect(await ledger.import(linesOf(lines))).toEqual({ inserted: { bench: 1, 'bench-judgement': 2, 'bench-attachment': 1 }, present: {} });
  expect(await ledger.benches.find('b3a1f0')).toMatchObject({ state: 'stopped', judged: 2, endedAt: new Date('2026-11-15T12:25:02.001Z') });
  expect(await collect(ledger.benches.judgements('b3a1f0'))).toContainEqual({ key: 'tribunal/"2" \0', result: null });
  expect(await ledger.benches.attached('b3a1f0', 'sheet-0')).toEqual({ version: 1, outcomes: [] });
  expect(await exportedText(ledger)).toBe(lines);
  await ledger.close();
});

test('an export with items of runs still reads, and is written as it was', async () => {
  const ledger = await openLedger({ file: path.join(folder, 'imported.sqlite') });
  const lines = fixture('version-1-runs.jsonl');
  expect(await ledger.import(linesOf(lines))).toEqual({ inserted: { attachment: 1, run: 1, 'run-item': 6 }, present: {} });
  expect(await ledger.runs.find('run-1')).toMatchObject({ state: 'stopped', problem: 'The budget is spent.', total: 6 });
  expect(await ledger.runs.counts('run-1')).toMatchObject({ waiting: 2, done: 1, failed: 2, same: 1, byGuard: 1, failuresByCode: { 'broken-line': 1, 'no-answer': 1 } });
  expect(await exportedText(ledger)).toBe(lines);
  await ledger.close();
});
