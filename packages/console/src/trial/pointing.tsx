import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { findMoment, type FoundMoment } from '@agonhq/engine/view';
import type { SentEvidence } from '../api/client.ts';
import type { TrialSource } from './trial-view.ts';

/*
 * Pointing at a quotation shows its place in the content, and plays the moment at which it is said. Two contexts, so
 * that a list that only points is not drawn again whenever something is pointed at.
 */

interface Pointing {
  /** Outlines a place in the content; null, none. */
  point(place: string | null): void;
  /** Outlines it and brings it before the reader's eyes, wherever the content is. */
  show(place: string): void;
  /** Plays a recording from a second on. */
  play(moment: { of: string; from: number }): void;
  /** When a quotation is said or shown; null where it is of no recording. */
  findMoment(evidence: SentEvidence): FoundMoment | null;
}

export interface PointedQuote {
  place: string | null;
  /** Rises with each place that is to be brought into view. */
  shown: number;
  /** Which recording is to be played from where; its count rises with each time it is asked for. */
  cue: { of: string; second: number; count: number } | null;
}

const nothing: PointedQuote = { place: null, shown: 0, cue: null };

const PointingContext = createContext<Pointing>({
  point: () => undefined,
  show: () => undefined,
  play: () => undefined,
  findMoment: () => null,
});
const PointedContext = createContext<PointedQuote>(nothing);

/** Around a trial: its turns, its rules and its content. */
export function PointingProvider({
  sources = [],
  children,
}: {
  sources?: readonly TrialSource[];
  children: ReactNode;
}) {
  const [pointed, setPointed] = useState<PointedQuote>(nothing);
  const pointing = useMemo<Pointing>(
    () => ({
      point: (place) => setPointed((before) => (before.place === place ? before : { ...before, place })),
      show: (place) => setPointed((before) => ({ ...before, place, shown: before.shown + 1 })),
      play: ({ of, from }) =>
        setPointed((before) => ({ ...before, cue: { of, second: from, count: (before.cue?.count ?? 0) + 1 } })),
      findMoment(evidence) {
        const source = evidence.verified && sources.find(({ id }) => id === evidence.source);
        return source ? findMoment(source, evidence, sources) : null;
      },
    }),
    [sources],
  );
  return (
    <PointingContext value={pointing}>
      <PointedContext value={pointed}>{children}</PointedContext>
    </PointingContext>
  );
}

export function usePointing(): Pointing {
  return use(PointingContext);
}

export function usePointed(): PointedQuote {
  return use(PointedContext);
}
