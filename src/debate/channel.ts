/** A queue from many writers to one reader, read with `for await`. */
export interface Channel<Item> extends AsyncIterable<Item> {
  push(item: Item): void;
  close(): void;
}

export function channel<Item>(): Channel<Item> {
  const items: Item[] = [];
  let closed = false;
  let wake = () => {};

  return {
    push(item) {
      items.push(item);
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
