import { similarityTo } from '@agonhq/engine/text/similarity';

export interface Neighbour {
  id: string;
  similarity: number;
}

/** Finds what is nearest to a vector, the nearest first; nothing below `least`. */
export interface VectorSearch {
  readonly size: number;
  nearest(wanted: Float32Array, limit: number, least: number): Neighbour[];
}

/** Holds a vector against every other: exact, and fast enough while they are few. */
export function exactSearch(vectors: ReadonlyMap<string, Float32Array>): VectorSearch {
  const ids = [...vectors.keys()];
  const similarities = similarityTo([...vectors.values()]);
  return {
    size: ids.length,
    nearest(wanted, limit, least) {
      if (ids.length === 0) return [];
      const all = similarities(wanted);
      const from = Math.max(least, leastOfNearest(all, limit));
      const found: { index: number; similarity: number }[] = [];
      for (let index = 0; index < all.length; index += 1)
        if (all[index]! >= from) found.push({ index, similarity: all[index]! });
      return found
        .sort((a, b) => b.similarity - a.similarity || a.index - b.index)
        .slice(0, limit)
        .map(({ index, similarity }) => ({ id: ids[index]!, similarity }));
    },
  };
}

/** The similarity of the last of so many: sorting bare numbers takes a fraction of sorting neighbours. */
function leastOfNearest(similarities: Float64Array, limit: number): number {
  return similarities.length <= limit ? -Infinity : similarities.toSorted().at(-limit)!;
}

/** What several searches find, as one; one that is in two of them counts once. */
export function mergeNeighbours(lists: readonly (readonly Neighbour[])[], limit: number): Neighbour[] {
  const seen = new Set<string>();
  return lists
    .flat()
    .sort((a, b) => b.similarity - a.similarity)
    .filter(({ id }) => !seen.has(id) && seen.add(id))
    .slice(0, limit);
}

export function isUsable(vector: Float32Array | undefined, dimensions: number | null): vector is Float32Array {
  return (
    vector !== undefined &&
    vector.length > 0 &&
    (dimensions === null || vector.length === dimensions) &&
    vector.every(Number.isFinite) &&
    vector.some((value) => value !== 0)
  );
}

/**
 * A vector of length one, so that a product is a cosine. One that is nearly so stays as it is: a hundred thousand
 * copies are 150 MB.
 */
export function unit(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return Math.abs(length - 1) < 1e-4 ? vector : vector.map((value) => value / length);
}
