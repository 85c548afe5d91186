import { X } from 'lucide-react';
import { shortenCharacters } from '@agonhq/engine/text';
import { classes } from '../../../components/tones.ts';
import type { Citation, TraceSide } from '../trace/types.ts';

const bars: Record<TraceSide, string> = {
  for: 'border-l-exoneration',
  against: 'border-l-risk',
  number: 'border-l-implicit',
  origin: 'border-l-caution',
  seen: 'border-l-line',
};
const longest = 320;

/** What is pressed to go where the words stand; what was struck is struck through, with the reason. */
export function CitationButton({
  citation,
  active,
  onGo,
}: {
  citation: Citation;
  active: boolean;
  onGo: (citation: Citation) => void;
}) {
  const { quote, grounding, struck, where, side } = citation;
  const words = shortenCharacters(quote, longest);
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
    return <p className="words rounded-lg border px-3 py-1.5 text-sm text-quiet">{words || 'Not in the dossier.'}</p>;
  const told =
    grounding.told === 'row'
      ? 'Table row read as a sentence: '
      : grounding.told === 'numbers'
        ? 'Number check of '
        : '';
  return (
    <button
      type="button"
      data-citation={citation.index}
      aria-current={active || undefined}
      onClick={() => onGo(citation)}
      className={classes(
        'grid max-w-full rounded-lg border border-l-4 bg-surface px-3 py-1.5 text-left text-sm hover:border-quiet',
        bars[side],
        active && 'outline-2 outline-link',
      )}
    >
      <span className="words">{grounding.told ? words : `“${words}”`}</span>
      <span className="text-link">
        {told}
        {where}
      </span>
    </button>
  );
}

export function CitationList({
  citations,
  active,
  onGo,
}: {
  citations: readonly Citation[];
  active: number | null;
  onGo: (citation: Citation) => void;
}) {
  if (citations.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {citations.map((citation) => (
        <li key={citation.index} className="max-w-full min-w-0">
          <CitationButton citation={citation} active={citation.index === active} onGo={onGo} />
        </li>
      ))}
    </ul>
  );
}
