import { isObservation, type CaseFile, type Observation } from '../../debate/index.ts';
import type { Evidence } from '../../evidence/index.ts';

/** Evidence with the moment at which each quotation from a recording is said or shown. */
export function addMoments(evidence: readonly Evidence[], { sources }: CaseFile): Evidence[] {
  return evidence.map((piece) => {
    if (!piece.verified) return piece;
    const source = sources.find(({ id }) => id === piece.source);
    const moment = source && isObservation(source) ? findMoment(source, piece, sources) : null;
    return moment ? { ...piece, moment } : piece;
  });
}

/** What was drawn from an observation in turn has no times of its own: the whole of that observation counts. */
function findMoment(
  source: Observation,
  range: { start: number; end: number },
  sources: CaseFile['sources'],
): NonNullable<Extract<Evidence, { verified: true }>['moment']> | null {
  const { moments } = source;
  if (moments) {
    const within = moments.filter(({ start, end }) => start < range.end && end > range.start);
    const shown = within.length > 0 ? within : moments;
    const [from, to] = [Math.min(...shown.map((one) => one.from)), Math.max(...shown.map((one) => one.to))];
    // `video-1` of `video-1/frame-2`.
    return shown.length > 0 ? { of: source.of.split('/')[0]!, from, to } : null;
  }
  const drawnFrom = sources.find(({ id }) => id === source.of);
  if (!drawnFrom || !isObservation(drawnFrom)) return null;
  return findMoment(drawnFrom, { start: 0, end: drawnFrom.text.length }, sources);
}
