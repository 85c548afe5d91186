import { createContext, use, useMemo, useState, type ReactNode } from 'react';

/* Who points at a quotation sees its place in the content. Whoever only points does not draw anew when somebody else does. */

interface Pointing {
  /** Outlines a place in the content; null, none. */
  point(place: string | null): void;
  /** Outlines it and brings it before the reader's eyes, wherever the content is. */
  show(place: string): void;
}

export interface Pointed {
  place: string | null;
  /** Rises with each place that is to be brought into view. */
  shown: number;
}

const PointingContext = createContext<Pointing>({ point: () => undefined, show: () => undefined });
const PointedContext = createContext<Pointed>({ place: null, shown: 0 });

/** Around a trial: its turns, its rules and its content. */
export function PointingProvider({ children }: { children: ReactNode }) {
  const [pointed, setPointed] = useState<Pointed>({ place: null, shown: 0 });
  const pointing = useMemo<Pointing>(
    () => ({
      point: (place) => setPointed((before) => (before.place === place ? before : { ...before, place })),
      show: (place) => setPointed((before) => ({ place, shown: before.shown + 1 })),
    }),
    [],
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

export function usePointed(): Pointed {
  return use(PointedContext);
}
