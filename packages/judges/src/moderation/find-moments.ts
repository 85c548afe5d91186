import type { CaseFile } from '@agonhq/engine/debate';
import type { Evidence } from '@agonhq/engine/evidence';
import { findMoment } from '@agonhq/engine/view';

/** Evidence with the moment at which each quotation from a recording is said or shown. */
export function addMoments(evidence: readonly Evidence[], { sources }: CaseFile): Evidence[] {
  return evidence.map((piece) => {
    if (!piece.verified) return piece;
    const source = sources.find(({ id }) => id === piece.source);
    const moment = source ? findMoment(source, piece, sources) : null;
    return moment ? { ...piece, moment } : piece;
  });
}
