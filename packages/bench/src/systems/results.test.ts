import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { collect } from '@agonhq/test/support/ledger-cases.ts';
import { runLedgerChild } from '@agonhq/test/support/run-ledger-child.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { openLedger, type BenchJudgement, type Ledger } from '@agonhq/ledger';
import { openLedgerResults } from './results.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-results-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

const recordAt = (index: number) => ({ line: index, key: `item-${index}`, result: { judged: index } });

/** A ledger in a file, a bench in it, and how many judgements came in each batch. */
async function stage() {
  const file = path.join(folder, `ledger-${(files += 1)}.sqlite`);
  const ledger = await openLedger({ file });
  await ledger.benches.startBench({ id: 'bench', name: 'nightly', plan: {} });
  const batches: number[] = [];
  const keep = async (id: string, judgements: readonly BenchJudgement[]) => {
    batches.push(judgements.length);
    await ledger.benches.keepJudgements(id, judgements);
  };
  return { file, ledger, batches, watched: { benches: { ...ledger.benches, keepJudgements: keep } } };
}

describe('the results of a bench in the ledger', () => {
  test('hold what an earlier run wrote, and what is written, once it is kept', async () => {
    const { ledger } = await stage();
    await ledger.benches.keepJudgements('bench', [{ key: 'item-1', result: { judged: 1 } }]);
    const results = await openLedgerResults(ledger, 'bench');
    expect(results.seen).toEqual(new Map([['item-1', { judged: 1 }]]));
    await results.write(recordAt(2));
    await results.write({ line: 3, key: 'item-1', result: 'another' });
    await results.write({
      line: 4,
      key: 'item-4',
      error: { code: 'no-answer', message: 'There was none.', hint: 'Wait.' },
    });
    await results.close();
    expect(results.seen).toEqual(
      new Map([
        ['item-1', { judged: 1 }],
        ['item-2', { judged: 2 }],
      ]),
    );
    expect((await openLedgerResults(ledger, 'bench')).seen).toEqual(results.seen);
    await expect(results.write(recordAt(5))).rejects.toThrow('closed');
    await ledger.close();
  });

  test('are kept in batches of at most 100, and each write answers when its batch is on disk', async () => {
    const { file, ledger, batches, watched } = await stage();
    const other = await openLedger({ file });
    const results = await openLedgerResults(watched, 'bench');
    const writes = Array.from({ length: 250 }, (_, index) => results.write(recordAt(index)));
    await writes[0];
    const kept = (await collect(other.benches.readJudgements('bench'))).map(({ key }) => key);
    expect(kept).toEqual(expect.arrayContaining(Array.from({ length: 100 }, (_, index) => `item-${index}`)));
    // Whoever closes need not wait for each.
    await results.close();
    expect(batches).toEqual([100, 100, 50]);
    expect(await other.benches.findBench('bench')).toMatchObject({ judged: 250 });
    await Promise.all(writes);
    await other.close();
    await ledger.close();
  });

  test('a write alone does not wait for company', async () => {
    const { ledger, batches, watched } = await stage();
    const results = await openLedgerResults(watched, 'bench');
    for (let index = 0; index < 3; index += 1) await results.write(recordAt(index));
    expect(batches).toEqual([1, 1, 1]);
    await ledger.close();
  });

  test('a batch that cannot be kept is told to all that are in it and to whoever comes after', async () => {
    const { ledger } = await stage();
    const full = new AgonError('full-disk', 'There is no room left.', 'Free space.');
    let fails = false;
    const keepJudgements: Ledger['benches']['keepJudgements'] = (id, judgements) =>
      fails ? Promise.reject(full) : ledger.benches.keepJudgements(id, judgements);
    const results = await openLedgerResults({ benches: { ...ledger.benches, keepJudgements } }, 'bench');
    await results.write(recordAt(0));
    fails = true;
    const writes = await Promise.allSettled(
      Array.from({ length: 150 }, (_, index) => results.write(recordAt(index + 1))),
    );
    expect(
      new Set(writes.map((each) => (each.status === 'rejected' ? (each.reason as unknown) : each.status))),
    ).toEqual(new Set([full]));
    fails = false;
    await expect(results.write(recordAt(500))).rejects.toBe(full);
    await results.close();
    expect(results.seen).toEqual(new Map([['item-0', { judged: 0 }]]));
    expect(await ledger.benches.findBench('bench')).toMatchObject({ judged: 1 });
    await ledger.close();
  });

  test('a process that is killed between batches loses nothing that was acknowledged, and the next one goes on', async () => {
    const file = path.join(folder, 'killed.sqlite');
    const record = path.join(folder, 'acknowledged');
    const acknowledged = () => (existsSync(record) ? readFileSync(record, 'utf8').split('\n').slice(0, -1) : []);
    const child = runLedgerChild('bench', file, 'bench', record, '4000');
    await child.ready;
    while (acknowledged().length < 100) await pause(5);
    child.kill();
    const { output } = await child.ended;
    expect(output, 'it was killed midway').not.toContain('"done"');

    const ledger = await openLedger({ file });
    const results = await openLedgerResults(ledger, 'bench');
    const told = acknowledged();
    expect(
      told.filter((key) => !results.seen.has(key)),
      'lost',
    ).toEqual([]);
    for (const [key, result] of results.seen) expect(`item-${(result as { judged: number }).judged}`).toBe(key);
    expect(await ledger.benches.findBench('bench')).toMatchObject({ state: 'running', judged: results.seen.size });
    await ledger.close();

    const { code } = await runLedgerChild('bench', file, 'bench', record, String(results.seen.size + 50)).ended;
    expect(code).toBe(0);
    const all = acknowledged();
    expect(new Set(all).size, 'nothing was judged twice that was acknowledged').toBe(all.length);
    expect(all.length, 'it went on').toBeGreaterThanOrEqual(told.length + 50);
    const again = await openLedger({ file });
    expect(await again.benches.findBench('bench')).toMatchObject({ state: 'done' });
    await again.close();
  }, 60_000);
});
