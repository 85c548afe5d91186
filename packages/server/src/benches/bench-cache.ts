import type { BenchOverview } from '@agonhq/bench';
import { AgonError } from '@agonhq/engine/agon-error';
import type { BenchRow, Ledger } from '@agonhq/ledger';

/** Benches with their figures, which take a while to make and do not change. */
export interface BenchCache {
  /** By its whole id. */
  findBench(id: string): Promise<BenchRow>;
  readBench(row: BenchRow): Promise<BenchOverview>;
}

/** So many are kept at hand. */
const mostKept = 4;
/** A bench that goes on has other figures after each of its sets. */
const runningMs = 15_000;

interface CachedBench {
  bench: Promise<BenchOverview>;
  until: number;
}

export function openBenchCache(ledger: Ledger): BenchCache {
  const kept = new Map<string, CachedBench>();
  let before: Promise<unknown> = Promise.resolve();

  /** One after the other: each takes a thread. */
  function make(id: string): Promise<BenchOverview> {
    const work = async () => (await import('@agonhq/bench')).readBenchOverview(ledger, id);
    const made = before.then(work, work);
    before = made.catch(() => undefined);
    return made;
  }

  return {
    async findBench(id) {
      const found = await ledger.benches.findBench(id).catch((error: unknown) => {
        // Several begin with it, and none is it.
        if (AgonError.is(error) && error.code === 'ambiguous-bench') return undefined;
        throw error;
      });
      if (found?.id !== id)
        throw new AgonError('unknown-bench', `There is no bench ${id}.`, 'GET /api/benches lists them.');
      return found;
    },
    readBench({ id, state, endedAt }) {
      const key = `${id} ${state} ${endedAt?.toISOString() ?? ''}`;
      const known = kept.get(key);
      if (known && known.until > performance.now()) {
        // The last one that was asked for stays longest.
        kept.delete(key);
        kept.set(key, known);
        return known.bench;
      }
      const bench = make(id);
      kept.set(key, { bench, until: state === 'running' ? performance.now() + runningMs : Infinity });
      bench.catch(() => kept.delete(key));
      for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest);
      return bench;
    },
  };
}
