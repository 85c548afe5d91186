import { useMemo } from 'react';
import { type TextMark as Highlight, PlainText, splitAtMarks } from '../../../components/text.tsx';
import { classes, markLooks } from '../../../components/tones.ts';
import { type DraftFinding, findTagTone } from './use-finding.ts';

interface MarkedTextProps {
  text: string;
  part: string;
  finding: DraftFinding;
  /** What is selected by keyboard, or where its cursor is. */
  chosen?: { start: number; end: number } | null;
}

/** A text with the marks of somebody; where several overlap, all of them are named. Nothing is added to its words. */
export function MarkedText({ text, part, finding, chosen }: MarkedTextProps) {
  const pieces = useMemo(() => {
    const highlights: Highlight[] = finding.marks.flatMap((mark, index) =>
      mark.kind === 'span' && mark.part === part
        ? [
            {
              start: mark.start,
              end: mark.end,
              tone: findTagTone(finding, mark.tag),
              title: `${index + 1} ${mark.tag}`,
            },
          ]
        : [],
    );
    const selected: Highlight[] = chosen
      ? [{ start: chosen.start, end: Math.max(chosen.end, chosen.start), tone: 'both', active: true }]
      : [];
    // A cursor has no length: the text is cut there nevertheless.
    const cut = chosen ? [{ start: 0, end: chosen.start, tone: 'both' as const, id: 'cut' }] : [];
    return splitAtMarks(text, [...highlights, ...selected, ...cut]);
  }, [text, part, finding, chosen]);
  const caretAt = chosen && chosen.start === chosen.end ? chosen.start : null;
  return (
    <p className="words">
      {pieces.map(({ text: words, start, marks }) => {
        const here = marks.filter(({ id }) => id !== 'cut');
        const given = here.filter(({ active }) => !active);
        const caret = caretAt === start && <Caret key="caret" />;
        if (here.length === 0)
          return (
            <span key={start}>
              {caret}
              <PlainText text={words} />
            </span>
          );
        return (
          <mark
            key={start}
            title={given.map(({ title }) => title).join(' · ') || undefined}
            data-marks={given.length}
            className={classes(
              'rounded-sm text-ink underline decoration-2 underline-offset-3',
              given.length > 1 && 'decoration-double',
              markLooks[given.length > 0 ? given.at(-1)!.tone : 'both'],
              here.length > given.length && 'outline-2 outline-link',
            )}
          >
            {caret}
            <PlainText text={words} />
          </mark>
        );
      })}
      {caretAt === text.length && <Caret />}
    </p>
  );
}

function Caret() {
  return <span aria-hidden data-caret className="-mx-px inline-block h-[1.1em] w-0.5 bg-link align-text-bottom" />;
}
