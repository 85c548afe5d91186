import type { PrecedentLibrary, PrecedentQuery, Retrieval } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf, sha256 } from '@agonhq/engine/hash';
import { choosePrecedents, rounded, type Candidate, type Choice } from './choose-precedents.ts';
import {
  type EmbedProgress,
  emptySearch,
  manyPrecedents,
  prepareSearch,
  type PreparedSearch,
} from './prepare-search.ts';
import type { Embedder, KeptPrecedent, PrecedentStore } from './precedent.ts';
import { indexPictures, type PictureSearch } from './match-pictures.ts';
import { isUsable, unit } from './vector-search.ts';

export interface LibraryOptions {
  /** What ships with Agon. A precedent of the store with the same id stands over it: that is how a seed is retired. */
  seeds: readonly KeptPrecedent[];
  store: PrecedentStore | null;
  embedder: Embedder;
  /** Below this a case is not alike, from 0 (unrelated) to 1 (the same); the embedder's own by default. */
  leastSimilarity?: number;
  /** From so many precedents on, an index is built. */
  indexFrom?: number;
  /** Where the index is kept: beside the ledger. It is built anew at each start when absent. */
  indexFolder?: string;
  onProgress?: ((progress: EmbedProgress) => void) | undefined;
  now?: () => Date;
}

/** How a library is: what `agon doctor` says about it, and where an answer's `library.problem` comes from. */
export interface LibraryHealth {
  /** Precedents that a search can find. */
  size: number;
  safe: number;
  unsafe: number;
  expired: number;
  /** Precedents without a usable vector. */
  withoutVector: number;
  /** Who made the vectors. */
  model: string;
  /** How it is searched. */
  search: 'exact' | 'index' | 'database';
  /** What is wrong with it, in words; null when nothing is. */
  problem: string | null;
}

/**
 * The library that the supporter draws on. What it shows does not change until it is refreshed, so that its version
 * holds.
 */
export interface Library extends PrecedentLibrary {
  /** Takes in what changed in the store; true when something did. */
  refresh(): Promise<boolean>;
  /** Makes everything ready that a search needs, and says how the library is. */
  health(): Promise<LibraryHealth>;
}

/** Exclusions that are named one by one. */
const namedExclusions = 25;
/** A search that has looked at so many does not look further for the other kind or label. */
const mostCandidates = 2_048;

/**
 * Opens the library: the seeds and what the store holds, embedded by one model and never by two.
 *
 * @example const library = await openLibrary({ seeds: await seedPrecedents(policy), store: ledger.precedents,
 * embedder })
 */
export async function openLibrary(options: LibraryOptions): Promise<Library> {
  const { seeds, store, embedder, indexFrom = manyPrecedents, now = () => new Date() } = options;
  const seedsHash = sha256(JSON.stringify(seeds));
  let snapshot = await read();

  async function read(): Promise<Snapshot> {
    const stored = new Map<string, KeptPrecedent>();
    // Before they are read: what is kept meanwhile is taken in the next time.
    const before = (await store?.readVersion()) ?? null;
    if (store) for await (const precedent of store.listPrecedents()) stored.set(precedent.id, precedent);
    // Vectors are kept with rows, so seeds whose vectors do not ship become rows too.
    const missing = store && !embedder.knowsSeeds ? seeds.filter(({ id }) => !stored.has(id)) : [];
    const version = missing.length > 0 ? await store!.keepPrecedentsIf(before!, missing) : before;
    if (store && version === null) return read();
    const shipped = new Map(seeds.map((seed) => [seed.id, seed]));
    const kept = new Map([...shipped, ...[...stored].filter(([, precedent]) => !isStoredSeed(precedent, shipped))]);
    const active = new Map([...kept].filter(([, { state }]) => state === 'active'));
    // An empty store is as good as none: a configuration is the same with a new ledger as without one.
    return {
      version: stored.size + missing.length === 0 ? null : version,
      stored: version,
      active,
      mortal: [...active.values()].filter(({ expiresAt }) => expiresAt !== null),
      ready: undefined,
      pictures: undefined,
    };
  }

  function ready(state: Snapshot): Promise<PreparedSearch> {
    state.ready ??= prepareSearch(state.active, options).catch((error: unknown) => {
      state.ready = undefined;
      throw error;
    });
    return state.ready;
  }

  function healthOf(state: Snapshot, made: PreparedSearch | null, failures: readonly string[] = []): LibraryHealth {
    const expired = state.mortal.filter((precedent) => isExpired(precedent, now()));
    // Asked at every search: only those that can expire are counted anew.
    const alive = (label: KeptPrecedent['label']) =>
      made
        ? made.findable[label] -
          expired.filter((precedent) => precedent.label === label && !made.withoutVector.has(precedent.id)).length
        : 0;
    return describeHealth({
      safe: alive('safe'),
      unsafe: alive('unsafe'),
      expired: expired.length,
      withoutVector: made ? made.withoutVector.size : state.active.size,
      model: embedder.model,
      search: store?.findNearest ? 'database' : state.active.size >= indexFrom ? 'index' : 'exact',
      failures: [...failures, ...(made?.failures() ?? [])],
      unasked: made === null,
    });
  }

  /** A passing failure leaves the debate without precedents, and is said; a mistake of the user's is thrown. */
  async function attempt<Value>(
    work: () => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<{ value: Value } | { failure: string }> {
    try {
      return { value: await work() };
    } catch (error) {
      if (AgonError.is(error) || signal?.aborted) throw error;
      return { failure: `${embedder.model} could not be asked: ${(error as Error).message.split('\n')[0]}` };
    }
  }

  return {
    get version() {
      const expired = snapshot.mortal.filter((precedent) => isExpired(precedent, now())).length;
      return hashOf({
        seeds: seedsHash,
        store: snapshot.version,
        expired,
        model: embedder.model,
        least: options.leastSimilarity ?? embedder.leastSimilarity ?? null,
        indexFrom,
      });
    },

    async refresh() {
      if (!store || (await store.readVersion()) === snapshot.stored) return false;
      snapshot = await read();
      return true;
    },

    async health() {
      const state = snapshot;
      const made = await attempt(async () => {
        const prepared = await ready(state);
        await awaited(prepared.settled());
        return prepared;
      });
      return 'value' in made ? healthOf(state, made.value) : healthOf(state, null, [made.failure]);
    },

    async search({ signal, ...wanted }) {
      signal.throwIfAborted();
      const state = snapshot;
      if (state.active.size === 0) return nothing(healthOf(state, emptySearch));
      const made = await attempt(async () => {
        const [prepared, vector] = await Promise.all([ready(state), embedder.embed(wanted.text, { signal })]);
        if (!isUsable(vector, embedder.dimensions)) throw new Error('it made no usable vector of the case');
        return { prepared, vector: unit(vector) };
      }, signal);
      if ('failure' in made) return nothing(healthOf(state, null, [made.failure]));
      const { prepared, vector } = made.value;
      const choice = await choose(wanted, vector, prepared, state);
      return retrievalOf(choice, healthOf(state, prepared));
    },
  };

  /** Looks at more and more of the nearest until the choice is made or nothing alike is left. */
  async function choose(
    wanted: Omit<PrecedentQuery, 'signal'>,
    vector: Float32Array,
    prepared: PreparedSearch,
    state: Snapshot,
  ): Promise<Choice> {
    const copies = findCopies(wanted.pictures, state);
    for (let fetched = Math.max(64, wanted.limit * 4); ; fetched = Math.min(fetched * 4, mostCandidates)) {
      const { shipped, stored } = await prepared.nearest(vector, fetched);
      const candidates = [...shipped, ...stored].flatMap(({ id, similarity }): Candidate[] => {
        const kept = state.active.get(id);
        return kept && !copies.has(id) && !isExpired(kept, now()) ? [{ kept, similarity }] : [];
      });
      for (const [id, picture] of copies) {
        const kept = state.active.get(id)!;
        if (!isExpired(kept, now())) candidates.push({ kept, similarity: 1 - picture.distance / picture.of, picture });
      }
      const choice = choosePrecedents(candidates, wanted, prepared.scale);
      if (
        !choice.missing.some((kind) => prepared.stored.has(kind)) ||
        stored.length < fetched ||
        fetched >= mostCandidates
      )
        return choice;
    }
  }
}

/** Precedents with a copy of one of these pictures. */
function findCopies(pictures: PrecedentQuery['pictures'], state: Snapshot): ReturnType<PictureSearch> {
  if (!pictures?.length) return new Map();
  state.pictures ??= indexPictures(state.active.values());
  return state.pictures(pictures);
}

interface Snapshot {
  /** What of the library's version the store stands for. */
  version: string | null;
  /** The store's own, to see that it changed. */
  stored: string | null;
  active: ReadonlyMap<string, KeptPrecedent>;
  /** Those that will expire. */
  mortal: readonly KeptPrecedent[];
  ready: Promise<PreparedSearch> | undefined;
  /** Made when an image is first searched for. */
  pictures: PictureSearch | undefined;
}

/** A row that only carries a seed's vector: what ships is what counts. */
function isStoredSeed({ id, provenance, state }: KeptPrecedent, seeds: ReadonlyMap<string, KeptPrecedent>): boolean {
  return provenance.kind === 'seed' && state === 'active' && seeds.has(id);
}

/** Waits for work that would let the process end. */
async function awaited(work: Promise<void>): Promise<void> {
  const hold = setInterval(() => {}, 60_000);
  await work.finally(() => clearInterval(hold));
}

function isExpired({ expiresAt }: KeptPrecedent, now: Date): boolean {
  return expiresAt !== null && new Date(expiresAt) <= now;
}

function nothing({ size, problem }: LibraryHealth): Retrieval {
  return { precedents: [], excluded: [], library: { size, problem } };
}

function retrievalOf({ chosen, excluded }: Choice, { size, problem }: LibraryHealth): Retrieval {
  const further = excluded.length - namedExclusions;
  return {
    precedents: chosen.map(({ kept, similarity, picture }) => {
      const { id, label, category, summary, cues, why, confirmedBy, modality, provenance } = kept;
      const { lesson } = provenance;
      return {
        id,
        label,
        category,
        summary,
        cues,
        why,
        confirmedBy,
        ...(modality ? { modality } : {}),
        ...(lesson ? { lesson } : {}),
        ...(picture ? { picture } : {}),
        similarity: rounded(similarity),
      };
    }),
    excluded: excluded.slice(0, namedExclusions),
    ...(further > 0 ? { furtherExcluded: further } : {}),
    library: { size, problem },
  };
}

interface LibraryFacts extends Omit<LibraryHealth, 'problem' | 'size'> {
  /** What went wrong when vectors were made or the index was opened. */
  failures: readonly string[];
  /** Nobody could be asked for vectors: whether there are some is not known. */
  unasked?: boolean;
}

/** Says what is wrong with a library, if anything is. */
function describeHealth({ failures, unasked = false, ...facts }: LibraryFacts): LibraryHealth {
  const { safe, unsafe, withoutVector, model } = facts;
  const size = safe + unsafe;
  const missing = `${withoutVector} ${withoutVector === 1 ? 'precedent has' : 'precedents have'} no usable vector by`;
  const problems = unasked
    ? [`None of the ${withoutVector} precedents can be looked for.`]
    : [...contentProblem(facts), ...(withoutVector === 0 ? [] : [`${missing} ${model} and cannot be found.`])];
  return { ...facts, size, problem: [...problems, ...failures].join(' ') || null };
}

function contentProblem({
  safe,
  unsafe,
  expired,
  withoutVector,
}: Omit<LibraryFacts, 'failures' | 'unasked'>): string[] {
  const size = safe + unsafe;
  if (size === 0 && withoutVector > 0) return ['The library holds no precedent that can be found.'];
  const why = expired > 0 ? `all of its ${expired} precedents have expired` : 'there is no precedent';
  if (size === 0) return [`The library is empty: ${why}.`];
  if (safe > 0 && unsafe > 0) return [];
  return [`The library is one-sided: all of its ${size} precedents are ${safe === 0 ? 'unsafe' : 'safe'}.`];
}
