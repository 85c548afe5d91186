import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { planInstantRun } from '@agonhq/lab/bench/instant-guard.ts';
import { hashOf } from '@agonhq/engine/hash';
import { openLedger, withRetries, type Ledger } from '@agonhq/ledger';
import { startPostgres } from './postgres.ts';
import type { WorkerOrder } from './queue-worker.ts';

/** What came of it. */
export interface QueueOrdeal {
  results: number;
  /** Results by different items, and by different cases. */
  keys: number;
  cases: number;
  casesOnRecord: number;
  failed: number;
  killed: number;
  restarts: number;
  seconds: number;
}

const heartbeatMs = 3_000;

/**
 * A run on a real server of PostgreSQL, with three workers. As it goes on, workers are killed and others
 * begin, one is stopped for longer than a heartbeat and continued, and the server is switched off and on, twice.
 */
export async function surviveQueueOrdeal(items: number, { delayMs = 10 } = {}): Promise<QueueOrdeal> {
  const server = await startPostgres({ durable: true });
  const url = await server.newLedger();
  const ledger = withRetries(await openLedger({ url }));
  const workers: ChildProcess[] = [];
  const began = performance.now();
  let killed = 0;
  try {
    const run = await putRun(ledger, items);
    const start = async () => {
      const order: WorkerOrder = { url, heartbeatMs, delayMs, atOnce: 16 };
      const child = fork(path.join(import.meta.dirname, 'queue-worker.ts'), [JSON.stringify(order)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      workers.push(child);
      await once(child, 'message');
      return child;
    };
    const doneOf = async () => (await ledger.runs.countItems(run)).done;
    const reach = async (share: number) => {
      while ((await doneOf()) < items * share) await pause(20);
    };
    const kill = async (child: ChildProcess) => {
      child.kill('SIGKILL');
      killed += 1;
      await start();
    };
    const [first, second, third] = await Promise.all([start(), start(), start()]);
    await reach(0.1);
    await kill(first);
    await reach(0.2);
    second.kill('SIGSTOP');
    const stoppedAt = performance.now();
    await reach(0.3);
    await server.restart();
    await reach(0.45);
    await kill(third);
    await reach(0.55);
    await Promise.all(workers.slice(-2).map(kill));
    await reach(0.65);
    await server.restart({ awayMs: heartbeatMs });
    await pause(Math.max(0, 2 * heartbeatMs - (performance.now() - stoppedAt)));
    second.kill('SIGCONT');
    while ((await ledger.runs.findRun(run))!.state === 'running') await pause(100);
    for (const child of workers) child.kill('SIGTERM');
    await Promise.all(workers.map(ended));
    return {
      ...(await readOutcome(ledger, run)),
      killed,
      restarts: 2,
      seconds: (performance.now() - began) / 1_000,
    };
  } finally {
    for (const child of workers) child.kill('SIGKILL');
    await ledger.close();
    await server.stop();
  }
}

async function putRun(ledger: Ledger, items: number): Promise<string> {
  const plan = await planInstantRun();
  const row = { name: null, job: 'moderation', configuration: 'ordeal', settings: plan, input: null };
  const { id } = await ledger.runs.startRun({ id: `run-${randomUUID()}`, ...row });
  const all = Array.from({ length: items }, (_, index) => {
    const text = `A short note, number ${index}, about the weather.`;
    return { position: index + 1, key: `item-${index}`, hash: hashOf({ text }), input: { text } };
  });
  await ledger.runs.putItems(id, all);
  await ledger.runs.markLoaded(id, items);
  return id;
}

async function readOutcome(ledger: Ledger, run: string) {
  const keys = new Set<string>();
  const cases = new Set<string>();
  let [results, failed] = [0, 0];
  for (let after: { position: number } | null = null; ;) {
    const page = await ledger.runs.listItems(run, { order: 'input', after, limit: 1_000 });
    for (const { key, state, result } of page) {
      if (state === 'failed') failed += 1;
      if (!result) continue;
      results += 1;
      keys.add(key);
      cases.add(result.case);
    }
    if (page.length < 1_000) break;
    after = page.at(-1)!;
  }
  return {
    results,
    failed,
    keys: keys.size,
    cases: cases.size,
    casesOnRecord: (await ledger.readStats()).debates,
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
