import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { KeptPrecedent, PrecedentStore } from './precedent.ts';
import { sameWords, wordingOf, type Wording } from './compare-wording.ts';
import { readPrecedent } from './precedent-line.ts';
import { findPrecedent } from './manage-precedents.ts';

/** A precedent as a person writes it. */
export type WrittenPrecedent = Pick<
  KeptPrecedent,
  'label' | 'text' | 'summary' | 'why' | 'cues' | 'category' | 'clause' | 'policy' | 'confirmedBy' | 'expiresAt'
>;

/**
 * Takes one decided case into the library, unless one with the same words is there: it would say the same, or the
 * opposite.
 */
export async function addPrecedent(
  written: WrittenPrecedent,
  seeds: readonly KeptPrecedent[],
  store: PrecedentStore,
  once?: KeyedRequest,
): Promise<KeptPrecedent> {
  const wording = wordingOf(written.text);
  const words = wording.map(({ plain }) => plain);
  const id = `imported-${hashOf([words.join('') === '' ? written.text : words, written.label]).slice(7, 19)}`;
  const precedent = readPrecedent({ ...written, id }, 'This');
  // Whoever else adds one at the same time may be first: then it is looked again.
  for (;;) {
    const seen = await store.readVersion();
    const same = await store.findPrecedent(id);
    if (same) refuse(precedent, same);
    for await (const other of ofTheSameWords(wording, seeds, store)) refuse(precedent, other);
    if ((await store.keepPrecedentsIf(seen, [precedent], once)) !== null) return precedent;
  }
}

async function* ofTheSameWords(
  wording: Wording,
  seeds: readonly KeptPrecedent[],
  store: PrecedentStore,
): AsyncGenerator<KeptPrecedent, void, void> {
  // Whoever has the same words has the longest of them, which few others have.
  const [longest] = wording.flatMap(({ plain }) => plain.split(' ')).toSorted((a, b) => b.length - a.length);
  if (!longest) return;
  const shipped = seeds.filter(({ text }) => sameWords(wording, wordingOf(text)));
  const stored = await store.findKnownIds(shipped.map(({ id }) => id));
  yield* shipped.filter(({ id }) => !stored.has(id));
  for await (const other of store.listPrecedents({ search: longest }))
    if (sameWords(wording, wordingOf(other.text))) yield other;
}

function refuse({ label }: KeptPrecedent, other: KeptPrecedent): void {
  if (other.label === label)
    throw new AgonError(
      'known-precedent',
      `${other.id} already says the same in the same words; it is ${other.state}.`,
      'Correct that one instead: PATCH /api/precedents/{id}.',
    );
  if (other.state === 'active')
    throw new AgonError(
      'contradicting-precedent',
      `${other.id} has the same words and is ${other.label}.`,
      'Two precedents must not contradict each other: retire that one first.',
    );
}

/** What of a precedent may be said otherwise: its vector and the verdicts that cite it depend on the rest. */
export type PrecedentCorrection = Partial<
  Pick<KeptPrecedent, 'summary' | 'why' | 'cues' | 'category' | 'clause' | 'expiresAt'>
>;

/** Says a precedent in other words. A seed is corrected by a row that stands over it. */
export async function correctPrecedent(
  id: string,
  correct: (found: KeptPrecedent) => PrecedentCorrection,
  { seeds, store, by }: { seeds: readonly KeptPrecedent[]; store: PrecedentStore; by: string },
): Promise<KeptPrecedent> {
  // Whoever else changes the library at the same time may be first: then it is corrected as it stands now.
  for (;;) {
    const seen = await store.readVersion();
    const found = await findPrecedent(id, seeds, store);
    const said: KeptPrecedent = { ...found, ...correct(found) };
    if (hashOf(said) === hashOf(found)) return found;
    // As a seed it would be taken for a copy of what ships, which is what counts.
    const corrected: KeptPrecedent = {
      ...said,
      confirmedBy: by,
      provenance: { ...found.provenance, kind: found.provenance.kind === 'seed' ? 'imported' : found.provenance.kind },
    };
    if ((await store.keepPrecedentsIf(seen, [corrected])) !== null) return corrected;
  }
}
