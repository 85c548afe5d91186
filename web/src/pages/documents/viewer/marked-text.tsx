import { useMemo } from 'react';
import { classes } from '../../../class-names.ts';
import { splitAtMarks, type Mark, type MarkTone } from '../../../components/plain-text.tsx';
import { sideTones } from '../trace/citation.ts';
import type { Highlight } from './highlight.ts';

const tones: Record<MarkTone, string> = {
  risk: 'bg-risk-ground decoration-risk',
  exoneration: 'bg-exoneration-ground decoration-exoneration',
  implicit: 'bg-implicit-ground decoration-implicit',
  both: 'bg-both-ground decoration-both',
  caution: 'bg-caution-ground decoration-caution',
};

/** A text of a document with what of it is cited. Plain text, whatever it says. */
export function MarkedText({
  text,
  start,
  look,
  highlights,
  pointed,
  onPick,
}: {
  text: string;
  /** Where it begins in the document. */ start: number;
  look: string;
  highlights: readonly Highlight[];
  pointed: string | null;
  onPick: (id: string) => void;
}) {
  const marks = useMemo(
    () =>
      highlights
        .map(({ id, side, title, grounding }): Mark => ({
          start: grounding.start - start,
          end: grounding.end - start,
          tone: sideTones[side],
          id,
          title,
          active: id === pointed,
        }))
        .toSorted((one, other) => Number(one.active) - Number(other.active)),
    [highlights, start, pointed],
  );
  const pieces = useMemo(() => splitAtMarks(text, marks), [text, marks]);
  return (
    <p className={classes('words max-w-3xl', look)}>
      {pieces.map(({ text: words, start: at, marks: here }) => {
        // The one that is pointed at comes last; else the shortest, which is the most exact.
        const mark =
          here.findLast(({ active }) => active) ??
          here.toSorted((one, other) => one.end - one.start - (other.end - other.start))[0];
        if (!mark) return words;
        const pick = () => onPick(mark.id!);
        return (
          <mark
            key={at}
            role="button"
            tabIndex={0}
            aria-pressed={mark.active}
            title={mark.title}
            data-mark={mark.id}
            data-active={mark.active || undefined}
            onClick={pick}
            onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), pick())}
            className={classes(
              'cursor-pointer rounded-sm text-ink underline decoration-2 underline-offset-3',
              tones[mark.tone],
              mark.active && 'outline-2 outline-link',
            )}
          >
            {words}
          </mark>
        );
      })}
    </p>
  );
}
