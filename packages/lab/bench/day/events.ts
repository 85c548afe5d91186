/** What is to happen, the next first; of two at one moment the one that was planned first. */
export interface Events<Event> {
  add(atMs: number, event: Event): void;
  next(): { atMs: number; event: Event } | undefined;
}

export function planEvents<Event>(): Events<Event> {
  const heap: { atMs: number; order: number; event: Event }[] = [];
  let planned = 0;
  const isBefore = (a: number, b: number) =>
    heap[a]!.atMs < heap[b]!.atMs || (heap[a]!.atMs === heap[b]!.atMs && heap[a]!.order < heap[b]!.order);
  const swap = (a: number, b: number) => ([heap[a], heap[b]] = [heap[b]!, heap[a]!]);
  return {
    add(atMs, event) {
      heap.push({ atMs, order: planned++, event });
      for (let at = heap.length - 1; at > 0;) {
        const parent = (at - 1) >> 1;
        if (!isBefore(at, parent)) break;
        swap(at, parent);
        at = parent;
      }
    },
    next() {
      const first = heap[0];
      const last = heap.pop();
      if (!first || !last) return undefined;
      if (heap.length > 0) {
        heap[0] = last;
        for (let at = 0; ;) {
          let least = at;
          for (const child of [2 * at + 1, 2 * at + 2])
            if (child < heap.length && isBefore(child, least)) least = child;
          if (least === at) break;
          swap(at, least);
          at = least;
        }
      }
      return { atMs: first.atMs, event: first.event };
    },
  };
}
