import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { markPlace } from '@agonhq/documents/trace';
import { shortenQuote } from '@agonhq/engine/view';
import { PlainText } from '../../../components/text.tsx';
import { classes } from '../../../components/tones.ts';
import { useReport } from '../../../report/report-context.ts';
import type { Citation, Going, TraceSide } from '../analysis-types.ts';

const bars: Record<TraceSide, string> = {
  for: 'border-l-exoneration',
  against: 'border-l-risk',
  number: 'border-l-implicit',
  origin: 'border-l-caution',
  seen: 'border-l-line',
};

export const citationCard = 'block max-w-full rounded-lg border border-l-4 bg-surface px-3 py-1.5 text-left text-sm';

interface CitationLinkProps extends Going {
  citation: Citation;
  /** Whether it stands among those that are gone through by keyboard; a place stands there once. */
  isListed?: boolean;
  className: string;
  children: ReactNode;
}

/** Leads to where a citation stands: a button of the console; a link of a report, with its number. */
export function CitationLink({ citation, active, onGo, isListed = true, className, children }: CitationLinkProps) {
  const report = useReport();
  const isActive = citation.index === active;
  if (!report)
    return (
      <button
        type="button"
        data-citation={isListed ? citation.index : undefined}
        aria-current={isActive || undefined}
        onClick={() => onGo(citation)}
        className={classes(className, 'hover:border-quiet', isActive && 'outline-2 outline-link')}
      >
        {children}
      </button>
    );
  const number = citation.grounding ? report.citations.numberOf(markPlace(citation.grounding)) : undefined;
  if (number === undefined) return <span className={className}>{children}</span>;
  return (
    <a href={`#mark-${number}`} className={className}>
      {children} <sup className="text-link">{number}</sup>
    </a>
  );
}

/** What leads to where the words stand; what was struck is struck through, with the reason. */
export function CitationButton({ citation, ...going }: { citation: Citation } & Going) {
  const { quote, grounding, struck, where, side } = citation;
  const words = <PlainText text={shortenQuote(quote)} />;
  if (struck) {
    return (
      <div className="flex items-start gap-2 rounded-lg border border-dashed px-3 py-1.5 text-sm">
        <X aria-hidden className="mt-1 size-3.5 flex-none text-risk" />
        <div className="min-w-0">
          <s className="words text-quiet">{words}</s>
          <p className="text-risk">Struck: not found in the dossier, so it does not count.</p>
        </div>
      </div>
    );
  }
  if (!grounding)
    return (
      <p className="words rounded-lg border px-3 py-1.5 text-sm text-quiet">
        {quote ? words : 'Not in the dossier.'} <PlainText text={where} />
      </p>
    );
  const told =
    grounding.told === 'row'
      ? 'Table row read as a sentence: '
      : grounding.told === 'numbers'
        ? 'Number check of '
        : '';
  return (
    <CitationLink citation={citation} className={classes(citationCard, bars[side])} {...going}>
      <span className="words block">{grounding.told ? words : <>“{words}”</>}</span>
      <span className="text-link">
        {told}
        <PlainText text={where} />
      </span>
    </CitationLink>
  );
}

export function CitationList({ citations, ...going }: { citations: readonly Citation[] } & Going) {
  if (citations.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {citations.map((citation) => (
        <li key={citation.index} className="max-w-full min-w-0">
          <CitationButton citation={citation} {...going} />
        </li>
      ))}
    </ul>
  );
}
