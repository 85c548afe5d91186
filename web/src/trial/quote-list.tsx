import { createContext, memo, type ReactNode, use, useMemo, useState } from 'react';
import type { Evidence } from '../api/client.ts';
import { PlainText } from '../components/text.tsx';
import { classes, edges, type MarkTone } from '../components/tones.ts';
import { quoteKey } from './quotations.ts';

interface QuoteListProps {
  evidence: readonly Evidence[];
  tone?: MarkTone | undefined;
  label?: string;
}

/** Quotations: each leads to its place in the content, or is struck with the reason. */
export const QuoteList = memo(function QuoteList({ evidence, tone, label = 'Evidence' }: QuoteListProps) {
  const { point, show } = usePointing();
  if (evidence.length === 0) return null;
  return (
    <ul aria-label={label} className="grid gap-1.5 text-sm">
      {evidence.map((piece, index) => {
        const place = quoteKey(piece);
        if (place === null) {
          return (
            <li key={index} className="border-l-2 border-dashed border-caution pl-2.5">
              <s className="words text-quiet">
                <PlainText text={piece.quote} />
              </s>
              <span className="block text-caution">Struck: not found in any source, so it does not count.</span>
            </li>
          );
        }
        return (
          <li key={index}>
            <button
              type="button"
              title={`Show in ${piece.source}`}
              className={classes(
                'w-full rounded-r border-l-2 py-0.5 pl-2.5 text-left hover:bg-paper',
                edges[tone ?? 'quiet'],
              )}
              onMouseEnter={() => point(place)}
              onMouseLeave={() => point(null)}
              onFocus={() => point(place)}
              onBlur={() => point(null)}
              onClick={() => show(place)}
            >
              <q className="words line-clamp-4">
                <PlainText text={piece.quote} />
              </q>
            </button>
          </li>
        );
      })}
    </ul>
  );
});

/*
 * Pointing at a quotation shows its place in the content. Two contexts, so that a list that only points is not drawn
 * again whenever something is pointed at.
 */

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

function usePointing(): Pointing {
  return use(PointingContext);
}

export function usePointed(): Pointed {
  return use(PointedContext);
}
