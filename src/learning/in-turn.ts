/**
 * Works on a few items at once and hands the results over in the order of the items. Leaving early waits for what is
 * under way.
 */
export async function* worked<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const underWay: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      result.catch(() => {}); // Heard when it is its turn.
      underWay.push(result);
      if (underWay.length >= atOnce) yield await underWay.shift()!;
    }
    while (underWay.length > 0) yield await underWay.shift()!;
  } finally {
    await Promise.allSettled(underWay);
  }
}
