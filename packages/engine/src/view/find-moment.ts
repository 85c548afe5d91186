/** When something is said or shown: in which recording, in seconds from its start. */
export interface FoundMoment {
  of: string;
  from: number;
  to: number;
}

interface DatedSource {
  id: string;
  text: string;
  /** What it was drawn from. */
  of?: string | null;
  moments?: readonly { start: number; end: number; from: number; to: number }[];
}

/**
 * When a passage of a source is said or shown; null where it is of no recording. What was drawn from an observation in
 * turn has no times of its own: the whole of that observation counts.
 */
export function findMoment(
  source: DatedSource,
  range: { start: number; end: number },
  sources: readonly DatedSource[],
): FoundMoment | null {
  const { of, moments = [] } = source;
  if (!of) return null;
  if (moments.length > 0) {
    const within = moments.filter(({ start, end }) => start < range.end && end > range.start);
    const shown = within.length > 0 ? within : moments;
    const [from, to] = [Math.min(...shown.map((one) => one.from)), Math.max(...shown.map((one) => one.to))];
    // `video-1` of `video-1/frame-2`.
    return { of: of.split('/')[0]!, from, to };
  }
  const drawnFrom = sources.find(({ id }) => id === of);
  return drawnFrom ? findMoment(drawnFrom, { start: 0, end: drawnFrom.text.length }, sources) : null;
}
