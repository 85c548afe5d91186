import { parentPort, Worker } from 'node:worker_threads';
import type { AgonError } from '@agonhq/engine/agon-error';

interface Asked<Question> {
  id: number;
  question: Question;
}

type Answered<Answer> = { id: number; answer: Answer } | { id: number; reason: string };

/** A thread that answers one question after the other. An idle one lets the process end. */
export interface Thread<Question, Answer> {
  /** The signal stops the wait, not the work. */
  ask(question: Question, options: { signal?: AbortSignal }): Promise<Answer>;
  isIdle(): boolean;
  close(): Promise<void>;
}

/**
 * Opens a thread; `onEnd` is told when it ended by itself, and whoever waits gets what `failed` makes of the reason.
 */
export function openThread<Question, Answer>(
  file: URL,
  workerData: unknown,
  { failed, onEnd }: { failed(reason: string): AgonError; onEnd(): void },
): Thread<Question, Answer> {
  // Read only as the runtime loads: nothing leaves unasked.
  process.env['ORT_DISABLE_TELEMETRY'] ??= '1';
  const worker = new Worker(file, { workerData, execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let count = 0;
  let isClosed = false;
  const stop = (reason: string): void => {
    // Its end is no failure when it was closed, and must not touch the thread that may follow it.
    if (!isClosed) onEnd();
    for (const { reject } of waiting.values()) reject(failed(reason));
    waiting.clear();
  };
  worker.on('message', (answered: Answered<Answer>) => {
    const waiter = waiting.get(answered.id);
    waiting.delete(answered.id);
    if (waiting.size === 0) worker.unref();
    if ('answer' in answered) waiter?.resolve(answered.answer);
    else waiter?.reject(failed(answered.reason));
  });
  worker.on('error', (error) => stop(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => stop(`their thread ended with code ${code}`));
  worker.unref();
  return {
    isIdle: () => waiting.size === 0,
    async ask(question, { signal }) {
      signal?.throwIfAborted();
      count += 1;
      const waiter = Promise.withResolvers<Answer>();
      const onAbort = (): void => waiter.reject(signal!.reason);
      waiting.set(count, waiter);
      worker.ref();
      signal?.addEventListener('abort', onAbort, { once: true });
      worker.postMessage({ id: count, question } satisfies Asked<Question>, []);
      try {
        return await waiter.promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
    async close() {
      isClosed = true;
      await worker.terminate();
    },
  };
}

/** In the thread itself: answers one after the other, since two at once would only share the same cores. */
export function answerInTurn(answer: (question: never) => Promise<unknown>): void {
  let last: Promise<void> = Promise.resolve();
  parentPort!.on('message', ({ id, question }: Asked<never>) => {
    last = last.then(async () => {
      const answered = await answer(question).then(
        (made): Answered<unknown> => ({ id, answer: made }),
        (error: unknown): Answered<unknown> => ({ id, reason: error instanceof Error ? error.message : String(error) }),
      );
      parentPort!.postMessage(answered, []);
    });
  });
}
