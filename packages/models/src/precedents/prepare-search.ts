import { randomInt } from 'node:crypto';
import { kindOf, type PrecedentKind } from './choose-precedents.ts';
import { indexedSearch } from './indexed-search.ts';
import type { KeptPrecedent, PrecedentStore, Embedder } from './precedent.ts';
import type { LibraryOptions } from './open-library.ts';
import { findScale, fromScale, onScale, type SimilarityScale } from './similarity-scale.ts';
import { exactSearch, isUsable, unit, type Neighbour } from './vector-search.ts';

const atOnce = 64;

export interface EmbedProgress {
  done: number;
  total: number;
}

interface EmbedOptions {
  onProgress?: ((progress: EmbedProgress) => void) | undefined;
}

/**
 * Makes the vectors of these precedents and keeps each lot as soon as it is made, so that a cut is no loss. Processes
 * that do so at the same time (a fleet after a change of the model) begin at different places and take over what
 * others have kept, so that each vector is made about once. Unusable ones are left out.
 */
async function embedAll(
  precedents: readonly KeptPrecedent[],
  embedder: Embedder,
  store: PrecedentStore | null,
  { onProgress }: EmbedOptions,
): Promise<Map<string, Float32Array>> {
  const made = new Map<string, Float32Array>();
  const lots = Array.from({ length: Math.ceil(precedents.length / atOnce) }, (_, turn) =>
    precedents.slice(turn * atOnce, (turn + 1) * atOnce),
  );
  const first = store && lots.length > 1 ? randomInt(lots.length) : 0;
  let done = 0;
  for (const lot of [...lots.slice(first), ...lots.slice(0, first)]) {
    const ids = lot.map(({ id }) => id);
    const kept = store && lots.length > 1 ? await usableVectors(store, embedder.model, ids, embedder.dimensions) : null;
    const missing = lot.filter(({ id }) => !kept?.has(id));
    const usable = await embedLot(missing, embedder);
    if (store && usable.size > 0) await store.keepVectors(embedder.model, usable);
    for (const [id, vector] of [...(kept ?? []), ...usable]) made.set(id, vector);
    done += lot.length;
    onProgress?.({ done, total: precedents.length });
  }
  return made;
}

async function embedLot(lot: readonly KeptPrecedent[], embedder: Embedder): Promise<Map<string, Float32Array>> {
  if (lot.length === 0) return new Map();
  const texts = lot.map(({ text }) => text);
  const vectors = await (embedder.embedMany?.(texts) ?? Promise.all(texts.map((text) => embedder.embed(text))));
  return new Map(
    lot.flatMap(({ id }, index) => (isUsable(vectors[index], embedder.dimensions) ? [[id, unit(vectors[index])]] : [])),
  );
}

/** Above this, one by one takes longer than a debate should wait. */
export const manyPrecedents = 20_000;

/** So many vectors tell how alike cases usually are. */
const sample = 400;

/** Precedents with their vectors, ready to be searched. */
export interface PreparedSearch {
  /** Those that are alike: all of the seeds that ship, and of the store's the nearest. */
  nearest(
    wanted: Float32Array,
    limit: number,
  ): Promise<{ shipped: readonly Neighbour[]; stored: readonly Neighbour[] }>;
  /** What kinds the store has: one that it lacks is not looked for any further. */
  stored: ReadonlySet<PrecedentKind>;
  scale: SimilarityScale;
  withoutVector: ReadonlySet<string>;
  findable: Record<KeptPrecedent['label'], number>;
  failures(): readonly string[];
  /** When nothing is built any more. */
  settled(): Promise<void>;
}

export const emptySearch: PreparedSearch = {
  nearest: async () => ({ shipped: [], stored: [] }),
  stored: new Set(),
  scale: { background: 0, least: 1, copy: 1, otherModality: 0 },
  withoutVector: new Set(),
  findable: { safe: 0, unsafe: 0 },
  failures: () => [],
  settled: async () => {},
};

type Source = (
  wanted: Float32Array,
  limit: number,
  least: number,
) => readonly Neighbour[] | Promise<readonly Neighbour[]>;

/** Makes the vectors that are missing, and a search over all of them: by the database, by an index, or one by one. */
export async function prepareSearch(
  active: ReadonlyMap<string, KeptPrecedent>,
  options: LibraryOptions,
): Promise<PreparedSearch> {
  const { embedder, store, onProgress, indexFrom = manyPrecedents } = options;
  const shippedIds = new Set(embedder.knowsSeeds || !store ? options.seeds.map(({ id }) => id) : []);
  const precedents = [...active.values()];
  const shipped = await embedAll(
    precedents.filter(({ id }) => shippedIds.has(id)),
    embedder,
    null,
    shippedIds.size > 0 && !embedder.knowsSeeds ? { onProgress } : {},
  );
  const rest = precedents.filter(({ id }) => !shippedIds.has(id));
  const failures: string[] = [];
  const exact = exactSearch(shipped);
  let stored: Source = () => [];
  const findable = new Set(shipped.keys());
  let settled = Promise.resolve();
  let known = [...shipped.values()].slice(0, sample);

  if (store && rest.length > 0) {
    const ids = rest.map(({ id }) => id);
    const load = (wanted: readonly string[]) => usableVectors(store, embedder.model, wanted, embedder.dimensions);
    const present =
      store.findNearest || rest.length >= indexFrom
        ? ((await store.listEmbedded?.(embedder.model)) ?? new Set((await load(ids)).keys()))
        : undefined;
    if (present) {
      const made = await embedAll(
        rest.filter(({ id }) => !present.has(id)),
        embedder,
        store,
        { onProgress },
      );
      for (const id of ids) if (present.has(id) || made.has(id)) findable.add(id);
      if (known.length < sample) known = [...(await load(ids.slice(0, sample))).values()];
      if (store.findNearest) {
        const nearest = store.findNearest.bind(store);
        stored = async (wanted, limit, least) =>
          (await nearest(embedder.model, wanted, limit)).filter(({ similarity }) => similarity >= least);
      } else {
        const indexed = await indexedSearch(
          ids.filter((id) => findable.has(id)),
          load,
          { ...options, model: embedder.model, indexFrom, onFailure: (failure) => failures.push(failure) },
        );
        stored = indexed.nearest;
        settled = indexed.settled;
      }
    } else {
      const vectors = new Map(await load(ids));
      for (const [id, vector] of await embedAll(
        rest.filter(({ id }) => !vectors.has(id)),
        embedder,
        store,
        { onProgress },
      ))
        vectors.set(id, vector);
      for (const id of vectors.keys()) findable.add(id);
      known = [...known, ...vectors.values()].slice(0, sample);
      stored = exactSearch(vectors).nearest;
    }
  }

  const countOf = (label: KeptPrecedent['label']) =>
    precedents.filter((precedent) => precedent.label === label && findable.has(precedent.id)).length;
  const scale = findScale(known, {
    background: embedder.background,
    least: options.leastSimilarity ?? embedder.leastSimilarity,
  });
  const least = fromScale(scale, scale.least);
  const told = (found: readonly Neighbour[]) =>
    found.map(({ id, similarity }) => ({ id, similarity: onScale(scale, similarity) }));
  return {
    nearest: async (wanted, limit) => ({
      shipped: told(exact.nearest(wanted, Infinity, least)),
      stored: told(await stored(wanted, limit, least)),
    }),
    stored: new Set(rest.map(kindOf)),
    scale,
    withoutVector: new Set(precedents.flatMap(({ id }) => (findable.has(id) ? [] : [id]))),
    findable: { safe: countOf('safe'), unsafe: countOf('unsafe') },
    failures: () => failures,
    settled: () => settled,
  };
}

/** What the store has for this model; a vector that is not one counts as missing and is made anew. */
async function usableVectors(
  store: PrecedentStore,
  model: string,
  ids: readonly string[],
  dimensions: number | null,
): Promise<Map<string, Float32Array>> {
  if (ids.length === 0) return new Map();
  const wanted = new Set(ids);
  const all = await store.readVectors(model, ids);
  const [first] = all.values();
  const width = dimensions ?? first?.length ?? null;
  return new Map(
    [...all].flatMap(([id, vector]) => (wanted.has(id) && isUsable(vector, width) ? [[id, unit(vector)]] : [])),
  );
}
