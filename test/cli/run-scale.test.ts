import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { RunOrder, RunOutcome } from '@agonhq/lab/bench/run-process.ts';
import { scriptOf } from '@agonhq/lab/bench/bench-settings.ts';
import { mediumPost } from '@agonhq/lab/bench/cases/index.ts';
import { startFakeProvider } from '../fake-provider/index.ts';
import { panelReply } from '../support/fake-panel.ts';
import { measureFleet } from '../support/fleet-scale.ts';
import { openRunStage, textItems } from '../support/run-stage.ts';
import { slowTest } from '../support/slow.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-scale-'));
const provider = await startFakeProvider((request) => panelReply(scriptOf(mediumPost), request), { forget: true });
const slow = await startFakeProvider((request) => panelReply({ ...scriptOf(mediumPost), latencyMs: 100 }, request), {
  forget: true,
});
afterAll(async () => {
  await provider.close();
  await slow.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A run in a process of its own. */
async function conduct(order: Pick<RunOrder, 'items'> & Partial<RunOrder>): Promise<RunOutcome> {
  const whole = {
    provider: provider.url,
    concurrency: 64,
    calls: 64,
    trial: 'judge',
    ledger: path.join(folder, `${order.items}-${randomUUID()}.sqlite`),
    ...order,
  };
  const child = fork(
    path.join(import.meta.dirname, '..', '..', 'packages', 'lab', 'bench', 'run-process.ts'),
    [JSON.stringify(whole)],
    {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  return new Promise((resolve, reject) => {
    child.once('message', (outcome) => resolve(outcome as RunOutcome));
    child.once('exit', (code) => reject(new Error(`The run ended with ${code}.`)));
  });
}

/**
 * The same number of calls of the same latency by plain fetch, as many at once: what the machine can do at this
 * moment.
 */
async function bareCallsPerSecond(calls: number, atOnce: number): Promise<number> {
  const body = JSON.stringify({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: `You are the arbiter. ${mediumPost.content.text}` }],
  });
  const started = performance.now();
  let left = calls;
  const lane = async () => {
    while (left-- > 0)
      await (
        await fetch(`${slow.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
      ).json();
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return calls / ((performance.now() - started) / 1_000);
}

describe('a run in one process', () => {
  // What was sent and said is kept of every call, which takes about a fifth of the process's time.
  // The whole of it is `npm run bench:runs -- throughput`, on a machine that does nothing else; here others may, for a while.
  slowTest(
    'keeps 64 calls at once busy nearly as well as plain fetch does',
    { timeout: 120_000, retry: 2 },
    async () => {
      const bare = await bareCallsPerSecond(2_000, 64);
      const { calls, middleMs } = await conduct({ items: 800, provider: slow.url, concurrency: 128, trial: 'debate' });
      expect(calls).toBe(4_800);
      expect((calls * 0.8) / (middleMs / 1_000) / bare).toBeGreaterThanOrEqual(0.6);
    },
  );

  // The whole of it, 100,000 items, is `npm run bench:runs -- memory`.
  slowTest(
    'needs no more memory for three thousand items than for one thousand',
    async () => {
      const { memory, done } = await conduct({ items: 3_000 });
      expect(done).toBe(3_000);
      const [first, last] = [memory[0]!, memory.at(-1)!];
      expect([first.ended, last.ended]).toEqual([1_000, 3_000]);
      expect(last.heapMb - first.heapMb).toBeLessThanOrEqual(5);
      expect(last.rssMb - first.rssMb).toBeLessThanOrEqual(40);
    },
    180_000,
  );

  test('of 10,000 with 9,990 done is resumed in seconds, and calls nothing for the done ones', async () => {
    await using stage = await openRunStage();
    const run = await stage.newRun();
    const items = textItems(10_000);
    for (let from = 0; from < items.length; from += 500)
      await stage.ledger.runs.putItems(run.id, items.slice(from, from + 500));
    await stage.ledger.runs.markLoaded(run.id, items.length);
    const queue = await stage.ledger.openQueue({ worker: 'one that was here before' });
    const result = {
      case: 'mod-before',
      label: 'safe',
      risk: 0.1,
      escalate: false,
      by: 'debate' as const,
      usage: { calls: 3, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0, latencyMs: 0 },
    };
    for (let done = 0; done < 9_990; done += 333)
      await Promise.all((await queue.takeItems(run.id, 333)).map((item) => queue.finishItem(item, result)));
    await stage.ledger.runs.endRun(run.id, 'stopped');

    const started = performance.now();
    await stage.ledger.runs.reopenRun(run.id);
    expect(await stage.conduct((await stage.ledger.runs.findRun(run.id))!, null)).toMatchObject({
      done: 10_000,
      waiting: 0,
      running: 0,
    });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(stage.panel.requests).toHaveLength(10 * 3);
  }, 180_000);
});

// The goal of 3.5 times is shown by `npm run bench:fleet`, on a machine that does nothing else.
slowTest(
  'four workers judge more than twice as fast as one, whatever else the machine does',
  { timeout: 180_000, retry: 1 },
  async () => {
    // Slow calls: the machine has time to spare, and it is the waiting that is shared.
    const work = { atOnce: 2, itemsOfOne: 20, latencyMs: 250 };
    const one = await measureFleet({ workers: 1, ...work });
    const four = await measureFleet({ workers: 4, ...work });
    expect(four.itemsPerSecond / one.itemsPerSecond).toBeGreaterThan(2);
    expect(four.repeated).toBe(0);
  },
);
