export interface BatchOptions {
  /** Items in a batch at most. */
  size: number;
  /** An item waits no longer than this for others to come. */
  withinMs: number;
  signal: AbortSignal;
}

/** Items in batches, as many as there are for now: a slow source is not waited for, and an abort ends it at once. */
export async function* batchesOf<Item>(
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
