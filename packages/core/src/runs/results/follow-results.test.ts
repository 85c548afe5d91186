import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stageRun, wrong } from '@agonhq/test/support/judged-run.ts';
import { openLedger, type Ledger } from '@agonhq/ledger';
import type { ExportedRecord } from './export-results.ts';
import { followResults } from './follow-results.ts';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger({ file: path.join(await mkdtemp(path.join(tmpdir(), 'agon-follow-')), 'ledger.sqlite') });
});
afterAll(() => ledger.close());

function followed(run: string, order: 'input' | 'as-done') {
  const records: ExportedRecord[] = [];
  const results = followResults(ledger, run, {
    order,
    write: async (record) => {
      records.push(record);
    },
  });
  return { results, lines: () => records.map(({ line, error }) => `${line}${error ? ` ${error.code}` : ''}`) };
}

/** Judges whatever waits. */
async function finishAll(run: string): Promise<void> {
  const queue = await ledger.openQueue({ worker: 'other:1:x' });
  for (const item of await queue.takeItems(run, 100))
    await queue.failItem(item, wrong('empty-subject'), { retry: false });
  await queue.close();
}

describe('results of a run that goes on', () => {
  test('in the order of the input come only as far as everything before has ended', async () => {
    await stageRun(ledger, 'run-input', [
      { label: 'safe' },
      { error: wrong('broken-line'), broken: true },
      {},
      { label: 'unsafe' },
      { text: 'What was said in item 1.' },
    ]);
    const { results, lines } = followed('run-input', 'input');
    await results.advance();
    expect(lines()).toEqual(['1', '2 broken-line']);
    await results.advance();
    expect(results.written).toBe(2);
    await finishAll('run-input');
    await results.advance();
    expect(lines()).toEqual(['1', '2 broken-line', '3 empty-subject', '4', '5']);
    await results.complete();
    expect(results.written).toBe(5);
  });

  test('as done come as they end, and each once', async () => {
    await stageRun(ledger, 'run-done', [
      {},
      { label: 'unsafe' },
      { label: 'safe' },
      { text: 'What was said in item 1.' },
    ]);
    const { results, lines } = followed('run-done', 'as-done');
    await results.advance();
    expect(lines().toSorted()).toEqual(['2', '3']);
    await finishAll('run-done');
    await results.advance();
    await results.complete();
    expect(lines().toSorted()).toEqual(['1 empty-subject', '2', '3', '4 empty-subject']);
    expect(lines().indexOf('1 empty-subject')).toBe(2);
  });

  test('are whole at the end, however many there are and whoever judged them', async () => {
    await stageRun(
      ledger,
      'run-many',
      Array.from({ length: 130 }, (_, index) => (index % 3 === 0 ? { label: 'safe' as const } : {})),
    );
    for (const order of ['input', 'as-done'] as const) {
      const { results, lines } = followed('run-many', order);
      await results.advance();
      await finishAll('run-many');
      await results.complete();
      expect(new Set(lines()).size).toBe(130);
      expect(lines()).toHaveLength(130);
    }
  });
});
