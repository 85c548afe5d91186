import { memo } from 'react';
import type { Evidence } from '../api/types.ts';
import { classes } from '../class-names.ts';
import type { MarkTone } from '../components/highlighted.tsx';
import { PlainText } from '../components/words.tsx';
import { usePointing } from './pointing.tsx';
import { quoteKey } from './quotations.ts';

const edges: Record<MarkTone | 'none', string> = {
  risk: 'border-risk',
  exoneration: 'border-exoneration',
  implicit: 'border-implicit',
  both: 'border-both',
  caution: 'border-caution',
  none: 'border-quiet',
};

/** Quotations: each leads to its place in the content, or is struck with the reason. */
export const QuoteList = memo(function QuoteList({
  evidence,
  tone,
  label = 'Evidence',
}: {
  evidence: readonly Evidence[];
  tone?: MarkTone | undefined;
  label?: string;
}) {
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
              <span className="block text-caution">Struck: this is in no source, so it decides nothing.</span>
            </li>
          );
        }
        return (
          <li key={index}>
            <button
              type="button"
              title={`In ${piece.source}: show it there`}
              className={classes(
                'w-full rounded-r border-l-2 py-0.5 pl-2.5 text-left hover:bg-paper',
                edges[tone ?? 'none'],
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
