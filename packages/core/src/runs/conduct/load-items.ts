import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger, NewRunItem } from '@agonhq/ledger';

const batch = 500;
/** Whoever writes to standard input now and then is judged now and then. */
const withinMs = 200;

export interface LoadOptions {
  signal: AbortSignal;
  /** Half of the time is left to others: items are judged by the same thread. */
  gently?: boolean;
  /**
   * How many items were read so far, how many of them have the content of another, and what new ones cannot be judged
   * for.
   */
  onRead?: (read: { items: number; same: number; broken: readonly string[] }) => void;
}

/**
 * Reads a run's input into the ledger, from its beginning: what is there already stays. Resolves when all of it is
 * there, or when it was aborted.
 */
export async function loadItems(
  ledger: Ledger,
  run: string,
  items: AsyncIterable<NewRunItem>,
  { signal, gently = false, onRead }: LoadOptions,
): Promise<void> {
  let read = 0;
  let same = 0;
  for await (const waiting of batchItems(items, { size: batch, withinMs, signal })) {
    const began = performance.now();
    const report = await ledger.runs.putItems(run, waiting);
    if (report.changed.length > 0) throw changed(report.changed);
    read += waiting.length;
    same += report.same;
    const broken = report.inserted === 0 ? [] : waiting.flatMap(({ error }) => (error ? [error.code] : []));
    onRead?.({ items: read, same, broken });
    if (gently) await pause(performance.now() - began, undefined, { signal }).catch(() => undefined);
  }
  if (!signal.aborted) await ledger.runs.markLoaded(run, read);
}

function changed([first]: readonly number[]): AgonError {
  return new AgonError(
    'changed-input',
    `The input is not the one that the run began with: line ${first} holds something else.`,
    'Restore the file, or start a new run.',
  );
}

interface BatchOptions {
  /** Items in a batch at most. */
  size: number;
  /** An item waits no longer than this for others to come. */
  withinMs: number;
  signal: AbortSignal;
}

/** Items in batches, as many as there are for now: a slow source is not waited for, and an abort ends it at once. */
export async function* batchItems<Item>(
  items: AsyncIterable<Item>,
  { size, withinMs, signal }: BatchOptions,
): AsyncGenerator<Item[], void, void> {
  const iterator = items[Symbol.asyncIterator]();
  let batch: Item[] = [];
  let wake = () => {};
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  let timer: NodeJS.Timeout | undefined;
  try {
    let coming = asked(iterator);
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<Item> | null>((resolve, reject) => {
        wake = () => resolve(null);
        coming.then(resolve, reject);
      });
      if (signal.aborted || next?.done) break;
      if (next) {
        batch.push(next.value);
        coming = asked(iterator);
        timer ??= setTimeout(() => {
          timer = undefined;
          wake();
        }, withinMs);
        if (batch.length < size) continue;
      }
      clearTimeout(timer);
      timer = undefined;
      yield batch;
      batch = [];
    }
    if (batch.length > 0 && !signal.aborted) yield batch;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    // Not awaited: it would wait for the item that is still to come.
    void iterator.return?.().catch(() => {});
  }
}

/** The next item. That it fails may be noticed only later, when the batch before has been dealt with. */
function asked<Item>(iterator: AsyncIterator<Item>): Promise<IteratorResult<Item>> {
  const coming = iterator.next();
  coming.catch(() => {});
  return coming;
}
