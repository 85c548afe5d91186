import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { queueContract } from '@agonhq/test/support/queue-contract.ts';
import { deadPid, itemAt, resultAt, startRun, takeFrom, workerName } from '@agonhq/test/support/run-items.ts';
import { runLedgerChild } from '@agonhq/test/support/run-ledger-child.ts';
import { openLedger } from '../index.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-queue-'));
let files = 0;
const newFile = () => path.join(folder, `ledger-${(files += 1)}.sqlite`);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a queue in a file of SQLite', () => {
  queueContract({
    async make() {
      const file = newFile();
      return [await openLedger({ file }), await openLedger({ file })];
    },
  });

  test('what a process of this machine left is there for the next one at its first take', async () => {
    const ledger = await openLedger({ file: newFile() });
    await startRun(ledger, 'run-1', [itemAt(1), itemAt(2), itemAt(3)]);
    await takeFrom(ledger, 'run-1', 1, { worker: `elsewhere:${deadPid}:x` });
    await takeFrom(ledger, 'run-1', 1, { worker: workerName(deadPid) });
    // In a process of its own: other tests of this one may still have something in hand.
    const again = await takeFrom(ledger, 'run-1', 9, { worker: workerName(process.ppid) });
    expect(again.map(({ item }) => item.position)).toEqual([3]);
    await again[0]!.queue.finishItem(again[0]!.item, resultAt('case-3'));
    expect((await again[0]!.queue.takeItems('run-1', 9)).map(({ position }) => position)).toEqual([2]);
    // An item that is tried by itself keeps the whole process from others.
    await again[0]!.queue.close();
    await ledger.close();
  });

  test(
    'a process that is killed while others work loses nothing: every item is judged once',
    { timeout: 60_000 },
    async () => {
      const file = newFile();
      const ledger = await openLedger({ file });
      await startRun(
        ledger,
        'run-1',
        Array.from({ length: 200 }, (_, index) => itemAt(index + 1)),
      );
      const [victim, ...others] = [0, 1, 2].map(() => runLedgerChild('judge', file, 'run-1'));
      await victim!.ready;
      while ((await ledger.runs.countItems('run-1')).done < 20) await new Promise((resolve) => setTimeout(resolve, 5));
      victim!.kill();
      const reports = await Promise.all(others.map(({ ended }) => ended));
      expect(reports.map(({ code }) => code)).toEqual([0, 0]);
      const queue = await ledger.openQueue({ worker: workerName() });
      for (let left = await queue.takeItems('run-1', 200); left.length > 0; left = await queue.takeItems('run-1', 200))
        for (const item of left) await queue.finishItem(item, resultAt(`case-${item.position}`));
      expect(await ledger.runs.countItems('run-1')).toMatchObject({ done: 200, waiting: 0, running: 0, failed: 0 });
      const items = await ledger.runs.listItems('run-1', { order: 'input', limit: 500 });
      expect(items.every(({ position, result }) => result?.case === `case-${position}`)).toBe(true);
      const finished = reports.flatMap(({ output }) =>
        output
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => (JSON.parse(line) as { finished: number }).finished),
      );
      expect(new Set(finished).size, 'nobody finished what another had').toBe(finished.length);
      await ledger.close();
    },
  );
});
