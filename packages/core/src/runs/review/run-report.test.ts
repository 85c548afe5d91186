import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stageRun, wrong, type StagedItem } from '@agonhq/test/support/judged-run.ts';
import { openLedger } from '@agonhq/ledger';
import { reportRun } from './run-report.ts';
import { takeSnapshot } from './watch-runs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-report-'));
const ledger = await openLedger({ file: path.join(folder, 'ledger.sqlite') });
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

const plan = {
  version: 1,
  job: 'moderation',
  settings: {
    seats: { debaters: 'fake:small', arbiter: 'fake:large' },
    models: { 'fake:small': { concurrency: 4, requestsPerMinute: 60, timeoutMs: 5 } },
    budget: { runUsd: 12 },
  },
  policy: { name: 'house rules', version: '3' },
  cascade: { version: 1, safeUpTo: 0.1, unsafeFrom: 0.9, risk: 0.05, confidence: 0.95 },
  attempts: 3,
};

describe('the report of a run', () => {
  test('says how the plan goes, what the guard decided and saved, and the risk that came of it', async () => {
    const guard = { by: 'guard', usage: { calls: 0, costUsd: 0 } } as const;
    const run = await stageRun(
      ledger,
      'run-cascade',
      [
        { label: 'safe', expected: 'safe', ...guard },
        { label: 'safe', expected: 'unsafe', ...guard },
        { label: 'safe', ...guard },
        { label: 'unsafe', expected: 'unsafe', ...guard },
        { label: 'unsafe', expected: 'unsafe', usage: { calls: 6, costUsd: 0.03 } },
        { label: 'undecided', expected: 'safe', usage: { calls: 4, costUsd: 0.01 } },
      ],
      { settings: plan },
    );
    const report = await reportRun(ledger, run);
    expect(report.plan).toEqual({
      models: { debaters: 'fake:small', arbiter: 'fake:large' },
      limits: { 'fake:small': { concurrency: 4, requestsPerMinute: 60 } },
      budget: { runUsd: 12 },
      policy: 'house rules 3',
      cascade: { safeUpTo: 0.1, unsafeFrom: 0.9, risk: 0.05, confidence: 0.95 },
      attempts: 3,
    });
    expect(report.cascade).toEqual({
      decided: 4,
      debated: 2,
      shareDecided: 4 / 6,
      bound: { risk: 0.05, confidence: 0.95 },
      risk: { items: 3, wrong: 1, share: 1 / 3, interval: [expect.closeTo(0.0084, 4), expect.closeTo(0.9057, 4)] },
      saved: { calls: 20, costUsd: expect.closeTo(0.08) },
    });
    expect(report.quality).toEqual({
      items: 5,
      accuracy: 3 / 5,
      precision: 2 / 3,
      recall: 2 / 3,
      f1: 2 / 3,
      confusion: { 'safe as safe': 1, 'unsafe as safe': 1, 'unsafe as unsafe': 2, 'safe as undecided': 1 },
    });
  });

  test('shows the first lines of every kind of failure, however late they come', async () => {
    const items: StagedItem[] = [
      ...Array.from({ length: 700 }, (_, index) => ({ text: `Failing ${index}.`, error: wrong('nobody-heard') })),
      { error: wrong('text-too-long') },
    ];
    const { failures, quality, cascade } = await reportRun(ledger, await stageRun(ledger, 'run-failures', items));
    expect(
      failures.map(({ code, items: number, examples }) => [code, number, examples.map(({ line }) => line)]),
    ).toEqual([
      ['nobody-heard', 700, [1, 2, 3]],
      ['text-too-long', 1, [701]],
    ]);
    expect(failures[1]!.examples[0]).toEqual({ line: 701, key: 'item-701', error: wrong('text-too-long') });
    expect([quality, cascade]).toEqual([null, null]);
  }, 60_000);

  test('of a run without a plan or items is short', async () => {
    expect(await reportRun(ledger, await stageRun(ledger, 'run-empty', []))).toMatchObject({
      plan: null,
      cascade: null,
      quality: null,
      failures: [],
      counts: { done: 0 },
    });
  });
});

test('a look at what runs tells rate, time left and spend; runs that ended are not in it', async () => {
  for (const { id } of await ledger.runs.listRuns()) await ledger.runs.endRun(id, 'finished');
  await stageRun(
    ledger,
    'run-top',
    [
      { label: 'safe' },
      { label: 'unsafe' },
      { text: 'What was said in item 1.' },
      {},
      {},
      { error: wrong('internal') },
    ],
    { name: 'nightly' },
  );
  const { workers, runs } = await takeSnapshot(ledger, new Date(Date.now() + 29_000));
  expect(workers).toBeNull();
  expect(runs).toMatchObject([
    {
      id: 'run-top',
      name: 'nightly',
      done: 3,
      total: 6,
      waiting: 2,
      running: 0,
      failed: 1,
      costUsd: expect.closeTo(0.02),
    },
  ]);
  const { rate, etaSeconds, usdPerHour } = runs[0]!;
  expect(rate).toBeGreaterThan(0.05);
  expect(rate).toBeLessThan(0.11);
  expect(etaSeconds).toBeCloseTo(2 / rate);
  expect(usdPerHour).toBeCloseTo(0.01 * rate * 3600);
});
