import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { afterAll, expect, test } from 'vitest';
import { answerTo, collect, exportedText, turnAt } from '../../../test/support/ledger-cases.ts';
import { itemAt, resultAt, takeFrom } from '../../../test/support/run-items.ts';
import { openLedger, type CaseFilter } from '../index.ts';
import { firstSchema, runItemsSchema, benchesSchema } from '../migrations/0001-to-0004.ts';
import type { Tables } from '../tables/tables.ts';
import { nodeSqliteDialect } from './node-sqlite-dialect.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-older-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, '..', 'fixtures', name), 'utf8');
async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

/** A ledger as an earlier version of its schema was written. */
async function writeOlder(file: string, migrations: Record<string, Migration>, rows: string): Promise<void> {
  const db = new Kysely<Tables>({
    dialect: nodeSqliteDialect({ database: new DatabaseSync(file), file, lockTimeoutMs: 1_000 }),
  });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) throw error;
  await db.destroy();
  const database = new DatabaseSync(file);
  database.exec(rows);
  database.close();
}

const version1 = { '0001-first': firstSchema('sqlite') };
const version2 = { ...version1, '0002-run-items': runItemsSchema('sqlite') };
const version3 = { ...version2, '0003-benches': benchesSchema('sqlite') };

test('a file with the first schema is brought up to date with everything in it, and takes runs with items', async () => {
  const file = path.join(folder, 'first.sqlite');
  await writeOlder(
    file,
    version1,
    `
    insert into meta values ('schema', '1');
    insert into attachments values ('sha256:image', 'image/png', x'0102');
    insert into runs values ('run-1', 1, 'nightly', 'moderation', 'c', '{"rounds":2}', 'items.jsonl', 'stopped', '2026-01-02T03:04:05.678Z', '2026-01-02T03:05:05.678Z');
    insert into cache values ('key', 1, '{"answer":1}', '2026-01-02T03:04:05.678Z');`,
  );
  const ledger = await openLedger({ file });
  expect(await ledger.readStats()).toMatchObject({ schema: 32, runs: 1, runItems: {}, cached: 1 });
  expect(await ledger.runs.findRun('run-1')).toMatchObject({
    name: 'nightly',
    settings: { rounds: 2 },
    state: 'stopped',
    problem: null,
    total: null,
    endedAt: new Date('2026-01-02T03:05:05.678Z'),
  });
  expect(await ledger.attachments.findAttachment('sha256:image')).toEqual({
    hash: 'sha256:image',
    mediaType: 'image/png',
    data: Uint8Array.from([1, 2]),
  });
  expect(await ledger.cache.findAnswer('key')).toEqual({ answer: 1 });
  await ledger.runs.reopenRun('run-1');
  await ledger.runs.putItems('run-1', [itemAt(1)]);
  const [taken] = await takeFrom(ledger, 'run-1', 1);
  expect(await taken!.queue.finishItem(taken!.item, resultAt('case-1'))).toBe(true);
  await ledger.close();
  const again = await openLedger({ file });
  expect(await again.runs.countItems('run-1')).toMatchObject({ done: 1 });
  await again.close();
});

test('a file with the second schema is brought up to date with everything in it, and takes benches', async () => {
  const file = path.join(folder, 'second.sqlite');
  await writeOlder(
    file,
    version2,
    `
    insert into meta values ('schema', '2');
    insert into runs values ('run-1', 1, null, 'moderation', 'c', '{}', null, 'stopped', '2026-01-02T03:04:05.678Z', null, 'The budget is spent.', 1);
    insert into run_items (run, position, version, key, hash, input, state, attempts) values ('run-1', 1, 1, 'key-1', 'hash-1', '{"text":"One"}', 'waiting', 0);`,
  );
  const ledger = await openLedger({ file });
  expect(await ledger.readStats()).toMatchObject({
    schema: 32,
    runs: 1,
    runItems: { waiting: 1 },
    benches: 0,
    benchJudgements: 0,
  });
  expect(await ledger.runs.findRun('run-1')).toMatchObject({
    state: 'stopped',
    problem: 'The budget is spent.',
    total: 1,
  });
  await ledger.benches.startBench({ id: 'b3a1f0', name: 'nightly', plan: {} });
  await ledger.benches.keepJudgements('b3a1f0', [{ key: 'tribunal/1', result: { label: 'safe' } }]);
  await ledger.close();
  const again = await openLedger({ file });
  expect(await again.benches.findBench('b3a1')).toMatchObject({ judged: 1 });
  expect(await again.runs.countItems('run-1')).toMatchObject({ waiting: 1 });
  await again.close();
});

test(
  'a file with the third schema is brought up to date, and its cases are listed with who judged them and how ' +
    'they fell apart',
  async () => {
    const file = path.join(folder, 'third.sqlite');
    const at = (minute: number) => `2026-01-02T03:0${minute}:05.678Z`;
    const answer = answerTo(
      'case-1',
      { confidence: 0.75 },
      {
        transcript: [
          turnAt('a', { role: 'strict-debater', score: 0.75 }),
          turnAt('b', { role: 'loose-debater', score: 0.25 }),
        ],
      },
    );
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    await writeOlder(
      file,
      version3,
      `
    insert into meta values ('schema', '3');
    insert into policies values ('p', 1, 'house rules', '1', '{}');
    insert into subjects values ('s-1', 1, '{"text":"Two BOTTLES"}', 'Two BOTTLES', 'two bottles', '${at(1)}', null), ('s-2', 1, null, null, null, '${at(2)}', '${at(4)}'), ('s-3', 1, '{"text":"Bread"}', 'Bread', 'bread', '${at(3)}', null);
    insert into debates values ('case-1', 1, 'moderation', 's-1', 'c', '{}', 'p', 'run-1', null, null, '${at(1)}', null), ('case-2', 1, 'moderation', 's-2', 'c', '{}', 'p', null, null, null, '${at(2)}', '${at(4)}'),
      ('case-3', 1, 'moderation', 's-3', 'c', '{}', 'p', null, 'case-1', 'replay', '${at(3)}', null), ('case-4', 1, 'moderation', 's-3', 'c', '{}', 'p', null, null, null, '${at(4)}', null);
    insert into verdicts values ('case-1', 1, 'unsafe', 0.9, null, 1, 'r', '["chemicals"]', 1, 'text', ${quoted(JSON.stringify(answer))}, '${answer.seal}', '${at(2)}'),
      ('case-2', 1, 'safe', 0.1, null, 0, 'r', '[]', 0, 'text', null, 'seal', '${at(3)}'), ('case-4', 1, 'safe', 0.1, null, 0, 'r', '[]', 0, 'text', 'torn', 'seal', '${at(5)}');
    insert into decisions values (1, 'dec-1', 1, 'case-1', 'safe', null, null, 'ann', '${at(5)}', null);`,
    );
    const ledger = await openLedger({ file });
    expect(await ledger.readStats()).toMatchObject({
      schema: 32,
      debates: 4,
      unfinishedDebates: 1,
      verdicts: { safe: 2, unsafe: 1 },
    });
    expect((await ledger.cases.listCases({})).rows).toMatchObject([
      { id: 'case-4', label: 'safe', confidence: null, disagreement: null, models: [] },
      { id: 'case-3', label: null, closedAt: null, excerpt: 'Bread', again: { of: 'case-1', how: 'replay' } },
      {
        id: 'case-2',
        label: 'safe',
        excerpt: null,
        confidence: null,
        disagreement: null,
        models: [],
        forgottenAt: new Date(at(4)),
      },
      {
        id: 'case-1',
        label: 'unsafe',
        confidence: 0.75,
        disagreement: 0.5,
        models: [...new Set(Object.values(answer.provenance.models))],
        categories: ['chemicals'],
        escalate: true,
        degraded: true,
        run: 'run-1',
      },
    ]);
    const listed = async (filter: CaseFilter) => (await ledger.cases.listCases(filter)).rows.map(({ id }) => id);
    expect(await listed({ search: 'bottles' })).toEqual(['case-1']);
    expect(await listed({ decided: true })).toEqual(['case-1']);
    expect(
      await listed({ minDisagreement: 0.5, maxConfidence: 0.75, model: Object.values(answer.provenance.models)[0] }),
    ).toEqual(['case-1']);
    expect(await listed({ finished: false })).toEqual(['case-3']);
    expect(await listed({ again: 'case-1' })).toEqual(['case-3']);
    expect(await ledger.policies.findPolicy('p')).toMatchObject({ keptAt: null });
    // Somebody had contradicted it; the others are certain, forgotten, or replays.
    expect((await ledger.reviews.listWaiting({})).rows).toMatchObject([
      { id: 'case-1', stage: 'second', why: ['second-review', 'escalated', 'degraded', 'disagreement'] },
    ]);
    await ledger.cases.closeCase(answerTo('case-3', { label: 'safe', confidence: 0.5 }));
    expect(await listed({ maxConfidence: 0.5 })).toEqual(['case-3']);
    await ledger.close();
  },
);

test('an export with benches still reads, and is written as it was', async () => {
  const ledger = await openLedger({ file: path.join(folder, 'benches.sqlite') });
  const lines = fixture('version-1-benches.jsonl');
  expect(await ledger.import(linesOf(lines))).toEqual({
    inserted: { bench: 1, 'bench-judgement': 2, 'bench-attachment': 1 },
    present: {},
  });
  expect(await ledger.benches.findBench('b3a1f0')).toMatchObject({
    state: 'stopped',
    judged: 2,
    endedAt: new Date('2026-11-15T12:25:02.001Z'),
  });
  expect(await collect(ledger.benches.readJudgements('b3a1f0'))).toContainEqual({
    key: 'tribunal/"2" \0',
    result: null,
  });
  expect(await ledger.benches.findAttached('b3a1f0', 'sheet-0')).toEqual({ version: 1, outcomes: [] });
  expect(await exportedText(ledger)).toBe(lines);
  await ledger.close();
});

test('an export with items of runs still reads, and is written as it was', async () => {
  const ledger = await openLedger({ file: path.join(folder, 'imported.sqlite') });
  const lines = fixture('version-1-runs.jsonl');
  expect(await ledger.import(linesOf(lines))).toEqual({
    inserted: { attachment: 1, run: 1, 'run-item': 6 },
    present: {},
  });
  expect(await ledger.runs.findRun('run-1')).toMatchObject({
    state: 'stopped',
    problem: 'The budget is spent.',
    total: 6,
  });
  expect(await ledger.runs.countItems('run-1')).toMatchObject({
    waiting: 2,
    done: 1,
    failed: 2,
    same: 1,
    byGuard: 1,
    failuresByCode: { 'broken-line': 1, 'no-answer': 1 },
  });
  expect(await exportedText(ledger)).toBe(lines);
  await ledger.close();
});
