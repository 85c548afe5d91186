import { AsyncLocalStorage } from 'node:async_hooks';
import type { ModelCall } from './model-call.ts';

/** A queue from many writers to one reader, read with `for await`. Beyond `most` the oldest goes. */
export interface Channel<Item> extends AsyncIterable<Item> {
  push(item: Item): void;
  close(): void;
}

/** Opens a channel in which at most `most` items wait. */
export function createChannel<Item>({ most = Infinity }: { most?: number } = {}): Channel<Item> {
  const items: Item[] = [];
  let closed = false;
  let wake = () => {};

  return {
    push(item) {
      items.push(item);
      if (items.length > most) items.shift();
      wake();
    },
    close() {
      closed = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        while (items.length > 0) yield items.shift()!;
        if (closed) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** Aborts with another signal as well, or by itself, until it is let go. */
interface LinkedAbort {
  signal: AbortSignal;
  abort(reason?: unknown): void;
  release(): void;
}

/**
 * What AbortSignal.any is for, at a fraction of its price: a run needs several of them for every item, on a signal
 * that outlives them all.
 */
export function linkAbort(outer: AbortSignal | undefined): LinkedAbort {
  const controller = new AbortController();
  const follow = () => controller.abort(outer!.reason);
  if (outer?.aborted) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => outer?.removeEventListener('abort', follow),
  };
}

const listening = new AsyncLocalStorage<ModelCall[]>();

/** Does some work and hears which models it asks on the way: those that fill no seat, and so hand no calls over. */
export async function collectCalls<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; calls: readonly ModelCall[] }> {
  const calls: ModelCall[] = [];
  return { result: await listening.run(calls, work), calls };
}

/** Says that a model was asked, to whoever listens. */
export function reportCall(call: ModelCall): void {
  listening.getStore()?.push(call);
}
