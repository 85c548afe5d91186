import { buildIndex, loadIndex, type VectorIndex } from './vector-index.ts';
import { exactSearch, mergeNeighbours, type VectorSearch } from './vector-search.ts';

export interface IndexedSearch extends VectorSearch {
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

/**
 * Searches many precedents by an index. A saved one goes on serving while it lacks few: those are looked at one by one,
 * and what it has too many of is passed over by whoever asks. Otherwise a new one is built beside the work, which
 * until then looks at each.
 */
export async function indexedSearch(ids: readonly string[], load: Load, options: IndexOptions): Promise<IndexedSearch> {
  const saved = await savedIndex(options);
  const indexed = new Set(saved?.ids);
  const newer = ids.filter((id) => !indexed.has(id));
  if (saved && newer.length < options.indexFrom && saved.size < 2 * ids.length) {
    return { ...together(saved, exactSearch(await load(newer)), ids.length), settled: Promise.resolve() };
  }
  const vectors = await load(ids);
  let search: VectorSearch = scan(vectors);
  const settled = buildIndex(vectors)
    .then(async (index) => {
      search = index;
      if (options.indexFolder !== undefined) await index.save(options.indexFolder, options.model);
    })
    .catch((error: unknown) => options.onFailure(`The index of precedents failed (${(error as Error).message}), so they are compared one by one.`));
  return { size: ids.length, nearest: (...wanted) => search.nearest(...wanted), settled };
}

async function savedIndex({ indexFolder, model, onFailure }: IndexOptions): Promise<VectorIndex | undefined> {
  if (indexFolder === undefined) return undefined;
  return loadIndex(indexFolder, model).catch((error: unknown) => {
    onFailure(`The saved index of precedents cannot be read (${(error as Error).message}) and is built anew.`);
    return undefined;
  });
}

function together(one: VectorSearch, other: VectorSearch, size: number): VectorSearch {
  return { size, nearest: (wanted, limit, least) => mergeNeighbours([one.nearest(wanted, limit, least), other.nearest(wanted, limit, least)], limit) };
}

/** One by one without a second copy of the vectors: slower, and only for as long as the index is built. */
function scan(vectors: ReadonlyMap<string, Float32Array>): VectorSearch {
  return {
    size: vectors.size,
    nearest(wanted, limit, least) {
      const found: { id: string; similarity: number }[] = [];
      for (const [id, vector] of vectors) {
        let similarity = 0;
        for (let at = 0; at < wanted.length; at += 1) similarity += wanted[at]! * vector[at]!;
        if (similarity >= least) found.push({ id, similarity });
      }
      return mergeNeighbours([found], limit);
    },
  };
}
