import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Journal } from '@agonhq/engine/debate';
import type { ItemQueue, Ledger, QueueOptions } from '@agonhq/ledger';
import { createPooledJournal, catchMistakes } from './pooled-journal.ts';
import { openWorkerPool, type WorkerPool } from './worker-pool.ts';

/**
 * Where a process works on items: its name, its queue, what it has in its hands, and a journal that asks first whose
 * they are.
 */
export interface Runner extends AsyncDisposable {
  worker: string;
  queue: ItemQueue;
  pool: WorkerPool;
  journal: Journal;
}

export async function openRunner(
  ledger: Ledger,
  {
    heartbeatMs,
    onProblem = () => undefined,
  }: Pick<QueueOptions, 'heartbeatMs'> & { onProblem?: (error: unknown) => void } = {},
): Promise<Runner> {
  const worker = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const queue = await ledger.openQueue({
    worker,
    ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
  });
  const journal = createPooledJournal(ledger.journal, { certain: () => pool.certain() });
  const pool = openWorkerPool(catchMistakes(queue, journal), onProblem);
  return {
    worker,
    queue: catchMistakes(queue, journal),
    pool,
    journal,
    async [Symbol.asyncDispose]() {
      pool.close();
      await queue.close();
    },
  };
}
