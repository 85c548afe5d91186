import { AgonError } from '../errors.ts';

/** Work that takes long and can wait for its turn: many who ask at once take no more of the thread than one. */
export interface OneByOne {
  /** Whoever has gone away when their turn comes is passed over; when too many wait, `queue-full` is thrown. */
  take<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
}

export function oneByOne(mostWaiting = 64): OneByOne {
  let before: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    async take(work, signal) {
      if (waiting >= mostWaiting)
        throw new AgonError('queue-full', 'Too many ask for figures at once.', 'Come again in a moment.');
      waiting += 1;
      const mine = before.then(() => {
        waiting -= 1;
        signal?.throwIfAborted();
        return work();
      });
      before = mine.catch(() => undefined);
      return mine;
    },
  };
}
