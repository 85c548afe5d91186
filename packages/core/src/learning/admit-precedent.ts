import type { Fingerprint } from '@agonhq/engine/fingerprint';
import {
  copyOverlap,
  haveSamePicture,
  listPrecedents,
  overlapOfWords,
  sameWords,
  wordingOf,
  type KeptPrecedent,
  type Library,
  type PrecedentStore,
  type Wording,
} from '@agonhq/models/precedents';

/** What came of a precedent that wanted in. */
export type Admitted =
  | { outcome: 'learnt' | 'proposed' | 'known' }
  /** Another precedent says the same in the same words. */
  | { outcome: 'duplicate'; of: string }
  /**
   * Precedents that were confirmed say the opposite of the same case: a person decides, and until then it only waits.
   */
  | { outcome: 'set-aside'; against: readonly string[] };

export interface AdmissionOptions {
  seeds: readonly KeptPrecedent[];
  store: PrecedentStore;
  library: Library;
  /** What is learnt waits for a person. */
  review?: boolean;
  /** Nothing is written. */
  dryRun?: boolean;
}

/** Who lets precedents into the library, one after the other: none that is there already, none that contradicts it. */
export interface Admission {
  admit(precedent: KeptPrecedent, signal?: AbortSignal): Promise<Admitted>;
}

interface KnownCase {
  id: string;
  label: KeptPrecedent['label'];
  state: KeptPrecedent['state'];
  wording: Wording;
  modality: KeptPrecedent['modality'];
  pictures: readonly Fingerprint[];
}

export function openAdmission(options: AdmissionOptions): Admission {
  const { store, review = false, dryRun = false } = options;
  let known = new Map<string, KnownCase>();
  let version: string | null = null;

  async function refresh(): Promise<string> {
    const now = await store.readVersion();
    if (now === version) return now;
    known = new Map();
    for await (const precedent of listPrecedents(options.seeds, store)) known.set(precedent.id, knownCase(precedent));
    return (version = now);
  }

  return {
    async admit(precedent, signal) {
      // Whoever else learns at the same time may be first: then it is looked at again.
      for (;;) {
        const seen = await refresh();
        if (known.has(precedent.id)) return { outcome: 'known' };
        const same = await sameCases(precedent, known, options.library, signal);
        const twin = same.find(({ label }) => label === precedent.label);
        if (twin) return { outcome: 'duplicate', of: twin.id };
        const against = same.filter(({ state }) => state === 'active').map(({ id }) => id);
        const state = against.length > 0 || review ? 'proposed' : 'active';
        const kept: KeptPrecedent = { ...precedent, state };
        if (!dryRun) {
          const after = await store.keepPrecedentsIf(seen, [kept]);
          if (after === null) continue;
          version = after;
        }
        known.set(kept.id, knownCase(kept));
        return against.length > 0 ? { outcome: 'set-aside', against } : { outcome: review ? 'proposed' : 'learnt' };
      }
    },
  };
}

function knownCase({ id, label, state, text, modality, pictures = [] }: KeptPrecedent): KnownCase {
  return { id, label, state, wording: wordingOf(text), modality, pictures };
}

/**
 * The precedents in use about the very same case, in the same or nearly the same words. One that only sounds alike is
 * a case of its own.
 */
async function sameCases(
  precedent: KeptPrecedent,
  known: ReadonlyMap<string, KnownCase>,
  library: Library,
  signal?: AbortSignal,
): Promise<KnownCase[]> {
  const { text } = precedent;
  const own = knownCase(precedent);
  const alike = [...known.values()].flatMap((other) => {
    if (other.state !== 'active' && other.state !== 'proposed') return [];
    const share = compareCases(own, other);
    return share >= copyOverlap ? [{ other, share }] : [];
  });
  const copies = alike.some(({ share }) => share < 1) ? await copiesIn(library, text, signal) : new Set<string>();
  return alike.filter(({ other, share }) => share === 1 || copies.has(other.id)).map(({ other }) => other);
}

/**
 * How much two cases say the same, 0 to 1. Of two pictures alone the pixels tell: small image models say the same of
 * many. With words beside them, another picture makes another case.
 */
function compareCases(one: KnownCase, other: KnownCase): number {
  const words = () => (sameWords(one.wording, other.wording) ? 1 : overlapOfWords(one.wording, other.wording));
  if (one.pictures.length === 0 || other.pictures.length === 0) return words();
  if (!haveSamePicture(one.pictures, other.pictures)) return 0;
  return one.modality === 'image' && other.modality === 'image' ? 1 : words();
}

/** What the library takes for a copy of this case: words and vectors together tell. */
async function copiesIn(library: Library, text: string, signal = new AbortController().signal): Promise<Set<string>> {
  await library.refresh();
  const { excluded } = await library.search({ text, limit: 20, signal, copies: true });
  return new Set(
    excluded.filter(({ reason }) => reason === 'itself' || reason === 'near-duplicate').map(({ id }) => id),
  );
}

/** The precedents in force that a proposed one would overrule. */
export async function opponentsOf(
  precedent: KeptPrecedent,
  { seeds, store, library }: Pick<AdmissionOptions, 'seeds' | 'store' | 'library'>,
): Promise<string[]> {
  const inForce = new Map<string, KnownCase>();
  for await (const other of listPrecedents(seeds, store, { state: 'active' })) inForce.set(other.id, knownCase(other));
  return (await sameCases(precedent, inForce, library))
    .filter(({ label }) => label !== precedent.label)
    .map(({ id }) => id);
}
