import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RunOrder, RunOutcome } from '../../bench/run-process.ts';
import { scriptOf } from '../../bench/bench-settings.ts';
import { mediumPost } from '../../bench/cases/index.ts';
import { startFakeProvider } from '../fake-provider/index.ts';
import { panelReply } from '../support/fake-panel.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-scale-'));
const provider = await startFakeProvider((request) => panelReply(scriptOf(mediumPost), request), { forget: true });
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A run in a process of its own. */
async function conduct(order: Pick<RunOrder, 'items'> & Partial<RunOrder>): Promise<RunOutcome> {
  const whole = { provider: provider.url, concurrency: 64, calls: 64, trial: 'judge', ledger: path.join(folder, `${order.items}.sqlite`), ...order };
  const child = fork(path.join(import.meta.dirname, '..', '..', 'bench', 'run-process.ts'), [JSON.stringify(whole)], { execArgv: ['--expose-gc'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    child.once('message', (outcome) => resolve(outcome as RunOutcome));
    child.once('exit', (code) => reject(new Error(`The run ended with ${code}.`)));
  });
}

describe('a run in one process', () => {
  // The whole of it, 100,000 items, is `npm run bench:runs -- memory`.
  test('needs no more memory for ten thousand items than for one thousand', async () => {
    const { memory, done } = await conduct({ items: 10_000 });
    expect(done).toBe(10_000);
    const [first, ...later] = memory;
    expect(first!.ended).toBe(1_000);
    expect(Math.max(...later.map(({ rssMb }) => rssMb)) - first!.rssMb).toBeLessThanOrEqual(50);
  }, 180_000);

  test('of 10,000 with 9,990 done is resumed in seconds, and calls nothing for the done ones', async () => {
    // Nearly done: those in flight when it is stopped are left, and as few as can be.
    const order = { items: 10_001, concurrency: 8 };
    const before = await conduct({ ...order, stopAfter: 9_990 });
    const left = 10_001 - before.done;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(11);
    const after = await conduct({ ...order, resume: before.run });
    expect(after.done).toBe(10_001);
    expect(after.calls - before.calls).toBe(left);
    expect(after.wallMs).toBeLessThan(10_000);
  }, 180_000);
});
