import { hashOf } from '../hash.ts';
import type { KeptPrecedent, PrecedentStore } from './kept-precedent.ts';
import { findPrecedent } from './manage-precedents.ts';

/** What of a precedent may be said otherwise: its vector and the verdicts that cite it depend on the rest. */
export type Correction = Partial<Pick<KeptPrecedent, 'summary' | 'why' | 'cues' | 'category' | 'clause' | 'expiresAt'>>;

/** Says a precedent in other words. A seed is corrected by a row that stands over it. */
export async function correctPrecedent(
  id: string,
  correct: (found: KeptPrecedent) => Correction,
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
