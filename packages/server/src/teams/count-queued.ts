import type { Ledger } from '@agonhq/ledger';

/** Whoever scrapes more often than this is told the same again: counting reads an index. */
const freshMs = 5_000;

/** Items of runs that wait, by team; null is the installation's own. */
export function countQueued({ teams }: Pick<Ledger, 'teams'>): () => Promise<ReadonlyMap<string | null, number>> {
  let counted: Promise<ReadonlyMap<string | null, number>> = Promise.resolve(new Map());
  let countedAt = -Infinity;
  return () => {
    if (performance.now() - countedAt > freshMs) {
      countedAt = performance.now();
      const before = counted;
      counted = teams.countQueuedItems().catch(() => before);
    }
    return counted;
  };
}
