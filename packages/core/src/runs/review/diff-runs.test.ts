import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stageRun, wrong } from '@agonhq/test/support/judged-run.ts';
import { openLedger, type RunRow } from '@agonhq/ledger';
import { diffRuns, type Flip, type RunDifference } from './diff-runs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-diff-'));
const ledger = await openLedger({ file: path.join(folder, 'ledger.sqlite') });
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

async function differ(
  before: RunRow,
  after: RunRow,
  limit?: number,
): Promise<{ flips: Flip[]; difference: RunDifference }> {
  const flips: Flip[] = [];
  const differing = diffRuns(ledger, before, after, { limit });
  let next = await differing.next();
  for (; !next.done; next = await differing.next()) flips.push(next.value);
  return { flips, difference: next.value };
}

describe('two runs', () => {
  test('are compared by key: what stayed, what flipped and where, what only one of them has', async () => {
    const before = await stageRun(ledger, 'run-before', [
      { key: 'stays', label: 'safe', risk: 0.1, expected: 'safe' },
      { key: 'flips', label: 'safe', risk: 0.25, expected: 'unsafe' },
      { key: 'flips back', label: 'unsafe', risk: 0.75 },
      { key: 'fails', label: 'safe' },
      { key: 'gone', label: 'safe' },
      { key: 'waits', label: 'safe' },
    ]);
    const after = await stageRun(ledger, 'run-after', [
      { key: 'stays', label: 'safe', risk: 0.2, usage: { latencyMs: 20 } },
      { key: 'flips', label: 'unsafe', risk: 0.75, usage: { latencyMs: 20 } },
      { key: 'flips back', label: 'safe', risk: 0.25, usage: { latencyMs: 20, costUsd: 0.5 } },
      { key: 'fails', error: wrong('internal') },
      { key: 'new', text: 'Never seen before.', label: 'safe' },
      { key: 'waits' },
    ]);
    const { flips, difference } = await differ(before, after);
    expect(difference).toMatchObject({
      version: 1,
      compared: 3,
      same: 1,
      flips: { 'safe → unsafe': 1, 'unsafe → safe': 1 },
      onlyBefore: 1,
      onlyAfter: 1,
      otherContent: 0,
      failed: { before: 0, after: 1 },
      unfinished: 1,
      riskChange: expect.closeTo(0.1 / 3),
      latencyMs: { before: 50, after: 20 },
      flipTest: { forth: 1, back: 1, p: 1 },
      labelled: { items: 2, rightBefore: 1, rightAfter: 2, putRight: 1, putWrong: 0, p: 1 },
      before: { id: 'run-before', done: 6, usage: { costUsd: expect.closeTo(0.06) } },
      after: { id: 'run-after', done: 4, failed: 1, usage: { costUsd: expect.closeTo(0.53) } },
    });
    expect(flips).toMatchObject([
      {
        key: 'flips',
        before: { label: 'safe', risk: 0.25, case: expect.stringMatching(/^mod-/) },
        after: { label: 'unsafe', risk: 0.75 },
        expected: 'unsafe',
        excerpt: 'What was said in item 2.',
      },
      { key: 'flips back', before: { label: 'unsafe' }, after: { label: 'safe' }, expected: null },
    ]);
  });

  test('are compared by content where keys differ, and not where a key has another content', async () => {
    const before = await stageRun(ledger, 'run-keys-a', [
      { key: 'x', text: 'One.', label: 'safe' },
      { key: 'y', text: 'Two.', label: 'safe' },
      { key: 'z', text: 'Three.', label: 'safe' },
    ]);
    const after = await stageRun(ledger, 'run-keys-b', [
      { key: '1', text: 'One.', label: 'unsafe' },
      { key: 'x', text: 'Two.', label: 'safe' },
      { key: 'z', text: 'Four.', label: 'unsafe' },
    ]);
    const { flips, difference } = await differ(before, after);
    expect(difference).toMatchObject({
      compared: 2,
      same: 1,
      flips: { 'safe → unsafe': 1 },
      onlyBefore: 0,
      onlyAfter: 0,
      otherContent: 1,
    });
    expect(flips.map(({ key }) => key)).toEqual(['x']);
  });

  test('of many pages are compared whole; only so many flips are listed', async () => {
    const items = (label: 'safe' | 'unsafe') =>
      Array.from({ length: 600 }, (_, index) => ({
        text: `Item ${index} of many.`,
        label: index % 100 === 0 ? label : ('safe' as const),
        expected: 'unsafe',
      }));
    const before = await stageRun(ledger, 'run-pages-a', items('safe'));
    const after = await stageRun(ledger, 'run-pages-b', items('unsafe'));
    const { flips, difference } = await differ(before, after, 3);
    expect(difference).toMatchObject({
      compared: 600,
      same: 594,
      flips: { 'safe → unsafe': 6 },
      flipTest: { from: 'safe', to: 'unsafe', forth: 6, back: 0 },
      labelled: { putRight: 6, putWrong: 0 },
    });
    expect(difference.labelled!.p).toBeCloseTo(2 / 2 ** 6);
    expect(flips).toHaveLength(3);
  }, 60_000);

  test('of different jobs are not compared', async () => {
    const before = await stageRun(ledger, 'run-job-a', []);
    const after = await stageRun(ledger, 'run-job-b', [], { job: 'evaluation' });
    await expect(differ(before, after)).rejects.toMatchObject({ code: 'other-job' });
  });

  test('that never met share nothing', async () => {
    const before = await stageRun(ledger, 'run-apart-a', [{ key: 'a', text: 'Apart one.', label: 'safe' }]);
    const after = await stageRun(ledger, 'run-apart-b', [{ key: 'b', text: 'Apart two.', label: 'safe' }]);
    expect((await differ(before, after)).difference).toMatchObject({
      compared: 0,
      onlyBefore: 1,
      onlyAfter: 1,
      riskChange: null,
      flipTest: null,
      labelled: null,
      flips: {},
    });
  });
});
