/** The rows of all pages of a list, a page in memory at a time. */
export async function* readPages<Row>(
  read: (after: string | null) => Promise<{ rows: readonly Row[]; next: string | null }>,
): AsyncGenerator<Row, void, void> {
  for (let after: string | null = null, more = true; more; more = after !== null) {
    const page = await read(after);
    yield* page.rows;
    after = page.next;
  }
}

/** The items up to the moment of an abort, without waiting for one that is still to come. */
export async function* untilAborted<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void, void> {
  const iterator = items[Symbol.asyncIterator]();
  let leave = () => {};
  const stop = () => leave();
  signal.addEventListener('abort', stop, { once: true });
  try {
    while (!signal.aborted) {
      // One promise for each, and no race with a single one: that would remember every item.
      const next = await new Promise<IteratorResult<Item> | null>((resolve, reject) => {
        leave = () => resolve(null);
        iterator.next().then(resolve, reject);
      });
      if (next === null || next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Not awaited: it would wait for the item that is still to come. The input's owner closes the input.
    void iterator.return?.().catch(() => undefined);
  }
}
