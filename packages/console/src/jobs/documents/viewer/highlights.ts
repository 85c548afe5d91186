import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Citation, Grounding, TraceSide } from '../analysis-types.ts';

/** A place of a document that is lit up. */
export interface Highlight {
  /** Of one thing that is cited: what is pressed, and what is pointed at. */
  id: string;
  side: TraceSide;
  grounding: Grounding;
  /** For those who hover or listen. */
  title: string;
}

/** What is pointed at, and when it was: pressing it again leads there again. */
export interface Pointed {
  id: string;
  moment: number;
}

/**
 * The citations of a claim that stand in the dossier. What stands at one place twice is lit up once, for the
 * weightiest thing it is cited for.
 */
export function collectHighlights(citations: readonly Citation[]): Highlight[] {
  const places = new Map<string, Highlight>();
  for (const { grounding, side, by, index, where } of citations) {
    if (!grounding) continue;
    const key = groundingKey(grounding);
    const before = places.get(key);
    if (!before || weight[side] > weight[before.side])
      places.set(key, { id: `${index}`, side, grounding, title: `${by}: ${where}` });
  }
  return [...places.values()];
}

const weight: Record<TraceSide, number> = { against: 4, for: 3, number: 2, origin: 1, seen: 0 };

export function groundingKey({ document, start, end }: Grounding): string {
  return `${document.name}@${start}-${end}`;
}

/** How wide there is room in an element; 0 until it was measured. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const room = element.current;
    if (!room) return undefined;
    const observer = new ResizeObserver(() => setWidth(room.clientWidth));
    observer.observe(room);
    setWidth(room.clientWidth);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
