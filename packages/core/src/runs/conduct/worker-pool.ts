import { AgonError } from '@agonhq/engine/agon-error';
import type { ItemQueue, TakenItem } from '@agonhq/ledger';

/** The items that one process has in its hands, kept alive while it works on them. */
export interface WorkerPool {
  /** From now on an item is kept alive. */
  hold(item: TakenItem): void;
  /** Aborts when the item is lost to another worker or dropped, or with `signal`. */
  signalFor(item: TakenItem, signal: AbortSignal): AbortSignal;
  letGo(item: TakenItem): void;
  held(): readonly TakenItem[];
  /** Whether an item was taken away: what comes of it does not count. */
  isLost(item: TakenItem): boolean;
  /** Drops the items of a run that was cancelled. */
  drop(run: string): void;
  /**
   * Resolves when it is certain whose the items are. After a process was stopped or cut off for longer than a
   * heartbeat, others may have taken them: nothing may be paid for before that was asked.
   */
  certain(): Promise<void>;
  close(): void;
}

/** Says every third of a heartbeat that the process still works on its items. */
export function openWorkerPool(queue: ItemQueue, onProblem: (error: unknown) => void): WorkerPool {
  const held = new Map<string, { item: TakenItem; controller: AbortController; under?: AbortSignal }>();
  const followed = new WeakSet<AbortSignal>();
  const lost = new WeakSet<TakenItem>();
  let keptAt = performance.now();
  let keeping: Promise<void> | null = null;
  const timer = setInterval(() => {
    if (!keeping) void keep().catch(onProblem);
  }, queue.heartbeatMs / 3);
  timer.unref();

  function keep(): Promise<void> {
    keeping ??= keepNow().finally(() => {
      keeping = null;
    });
    return keeping;
  }

  async function keepNow(): Promise<void> {
    const askedAt = performance.now();
    const items = [...held.values()].map(({ item }) => item);
    const gone = items.length === 0 ? [] : await queue.renewItems(items);
    keptAt = askedAt;
    for (const item of gone) abandon(item);
  }

  function entryOf(item: TakenItem) {
    const entry = held.get(placeOf(item));
    return entry?.item === item ? entry : undefined;
  }

  function abandon(item: TakenItem): void {
    lost.add(item);
    entryOf(item)?.controller.abort(
      new AgonError(
        'item-lost',
        `Another worker goes on with ${item.key}.`,
        'Nothing to do: its result will be the other one.',
      ),
    );
  }

  /**
   * Listens once for all items: AbortSignal.any for each, or a hundred listeners on one signal, would take longer
   * than the rest of the loop.
   */
  function follow(signal: AbortSignal): void {
    if (followed.has(signal)) return;
    followed.add(signal);
    const abortAll = () => {
      for (const { under, controller } of held.values()) if (under === signal) controller.abort(signal.reason);
    };
    signal.addEventListener('abort', abortAll, { once: true });
  }

  return {
    hold(item) {
      // A process that was silent for too long may take again what it still works on: that attempt is over.
      const before = held.get(placeOf(item));
      if (before) abandon(before.item);
      held.set(placeOf(item), { item, controller: new AbortController() });
    },
    signalFor(item, signal) {
      const entry = entryOf(item);
      if (!entry) return AbortSignal.abort();
      entry.under = signal;
      if (signal.aborted) entry.controller.abort(signal.reason);
      else follow(signal);
      return entry.controller.signal;
    },
    letGo(item) {
      if (entryOf(item)) held.delete(placeOf(item));
    },
    held: () => [...held.values()].map(({ item }) => item),
    isLost: (item) => lost.has(item),
    drop(run) {
      for (const { item, controller } of held.values()) {
        if (item.run === run)
          controller.abort(
            new AgonError('cancelled', 'The run was cancelled.', {
              library: 'Resume the run.',
              cli: `Resume it: agon runs resume ${run}.`,
              api: `Resume it: POST /api/runs/${run}/resume.`,
            }),
          );
      }
    },
    async certain() {
      if (performance.now() - keptAt > queue.heartbeatMs * 0.9) await keep();
    },
    close: () => clearInterval(timer),
  };
}

function placeOf({ run, position }: TakenItem): string {
  return `${run}/${position}`;
}
