import { memo } from 'react';
import { shortenQuote } from '@agonhq/engine/view';
import type { SentEvidence } from '../api/client.ts';
import { PlainText } from '../components/text.tsx';
import { classes, edges, type MarkTone } from '../components/tones.ts';
import { PassageLink } from '../report/passages.tsx';
import { useReport } from '../report/report-context.ts';
import { MomentButton } from './moment-button.tsx';
import { usePointing } from './pointing.tsx';
import { quoteKey } from './quotations.ts';

interface QuoteListProps {
  evidence: readonly SentEvidence[];
  tone?: MarkTone | undefined;
  label?: string;
}

/** Quotations: each leads to its place in the content, or is struck with the reason. */
export const QuoteList = memo(function QuoteList({ evidence, tone, label = 'Evidence' }: QuoteListProps) {
  const { point, show, findMoment } = usePointing();
  const report = useReport();
  if (evidence.length === 0) return null;
  return (
    <ul aria-label={label} className="grid gap-1.5 text-sm">
      {evidence.map((piece, index) => {
        const place = quoteKey(piece);
        if (place === null) {
          return (
            <li key={index} className="border-l-2 border-dashed border-caution pl-2.5">
              <s className="words text-quiet">
                <PlainText text={shortenQuote(piece.quote)} />
              </s>
              <span className="block text-caution">Struck: not found in any source, so it does not count.</span>
            </li>
          );
        }
        const moment = findMoment(piece);
        return (
          <li key={index} className="flex items-start gap-2">
            {moment && <MomentButton moment={moment} />}
            {report ? (
              <>
                <PassageLink number={report.citations.numberOf(piece)} />
                <p className={classes('min-w-0 flex-1 border-l-2 py-0.5 pl-2.5', edges[tone ?? 'quiet'])}>
                  <q className="words">
                    <PlainText text={shortenQuote(piece.quote)} />
                  </q>{' '}
                  <span className="text-xs text-quiet">
                    in <PlainText text={piece.source ?? ''} />
                  </span>
                </p>
              </>
            ) : (
              <button
                type="button"
                title={`Show in ${piece.source}`}
                className={classes(
                  'min-w-0 flex-1 rounded-r border-l-2 py-0.5 pl-2.5 text-left hover:bg-paper',
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
            )}
          </li>
        );
      })}
    </ul>
  );
});
