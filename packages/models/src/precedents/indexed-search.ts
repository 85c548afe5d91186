import { beginIndex, loadIndex, type GrowingIndex, type VectorIndex } from './vector-index.ts';
import { exactSearch, mergeNeighbours, type Neighbour } from './vector-search.ts';

export interface IndexedSearch {
  nearest(wanted: Float32Array, limit: number, least: number): Promise<Neighbour[]>;
  /** When the index is built, or could not be. */
  settled: Promise<void>;
}

interface IndexOptions {
  model: string;
  indexFolder?: string;
  indexFrom: number;
  onFailure: (failure: string) => void;
}

type Load = (ids: readonly string[]) => Promise<ReadonlyMap<string, Float32Array>>;

/** So many vectors are read from the store at a time, so that it is never all of them. */
const page = 1_024;

/**
 * Searches many precedents by an index. A saved one goes on serving while it lacks few: those are looked at one by one,
 * and what it has too many of is passed over by whoever asks. Otherwise a new one is built beside the work; what it
 * does not have yet is read from the store and looked at.
 */
export async function indexedSearch(ids: readonly string[], load: Load, options: IndexOptions): Promise<IndexedSearch> {
  const saved = await savedIndex(options);
  const indexed = new Set(saved?.ids);
  const newer = ids.filter((id) => !indexed.has(id));
  if (saved && newer.length < options.indexFrom && saved.size < 2 * ids.length) {
    const others = exactSearch(await load(newer));
    return {
      nearest: async (wanted, limit, least) =>
        mergeNeighbours([saved.nearest(wanted, limit, least), others.nearest(wanted, limit, least)], limit),
      settled: Promise.resolve(),
    };
  }

  let index: GrowingIndex | undefined;
  let done = 0;
  async function build(): Promise<void> {
    while (done < ids.length) {
      const vectors = await load(ids.slice(done, done + page));
      const [first] = vectors.values();
      if (first) index ??= beginIndex(first.length);
      await index?.add(vectors);
      done += page;
    }
    if (options.indexFolder !== undefined) await index?.save(options.indexFolder, options.model);
  }
  const settled = build().catch((error: unknown) => {
    if (done < ids.length) {
      index = undefined;
      done = 0;
    }
    options.onFailure(`The index of precedents failed (${(error as Error).message}), so they are compared one by one.`);
  });

  return {
    settled,
    async nearest(wanted, limit, least) {
      let found = index?.nearest(wanted, limit, least) ?? [];
      for (let at = done; at < ids.length; at += page) {
        const others = exactSearch(await load(ids.slice(at, at + page)));
        found = mergeNeighbours([found, others.nearest(wanted, limit, least)], limit);
      }
      return found;
    },
  };
}

async function savedIndex({ indexFolder, model, onFailure }: IndexOptions): Promise<VectorIndex | undefined> {
  if (indexFolder === undefined) return undefined;
  return loadIndex(indexFolder, model).catch((error: unknown) => {
    onFailure(`The saved index of precedents cannot be read (${(error as Error).message}) and is built anew.`);
    return undefined;
  });
}
