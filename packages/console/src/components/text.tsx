import { Fragment, memo, useMemo } from 'react';
import { showControls } from '@agonhq/engine/view';
import { classes, markLooks, type MarkTone } from './tones.ts';

/** A range of a text (UTF-16, as evidence has it) and what it stands for. */
export interface TextMark {
  start: number;
  end: number;
  tone: MarkTone;
  /** Says whose it is, for those who hover or listen. */
  title?: string;
  active?: boolean;
  id?: string;
  /** Where it ends, its number leads to who quotes it. */
  reference?: { number: number; anchor: string } | undefined;
}

interface Piece {
  text: string;
  start: number;
  marks: readonly TextMark[];
}

/** Cuts a text where marks begin and end: pieces do not overlap, marks may. */
export function splitAtMarks(text: string, marks: readonly TextMark[]): Piece[] {
  const inside = marks
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start), end: Math.min(text.length, mark.end) }))
    .filter(({ start, end }) => start < end);
  const cuts = [...new Set([0, text.length, ...inside.flatMap(({ start, end }) => [start, end])])].sort(
    (one, other) => one - other,
  );
  return cuts.slice(0, -1).map((start, index) => ({
    text: text.slice(start, cuts[index + 1]),
    start,
    marks: inside.filter((mark) => mark.start <= start && mark.end > start),
  }));
}

/** Risk and exoneration at once are shown as both. */
function mixTones(marks: readonly TextMark[]): MarkTone {
  const tones = new Set(marks.map(({ tone }) => tone));
  return tones.has('risk') && tones.has('exoneration') ? 'both' : marks.at(-1)!.tone;
}

/** What was judged, with what was quoted of it lit up. Plain text, whatever it says. */
export function HighlightedText({ text, marks }: { text: string; marks: readonly TextMark[] }) {
  const pieces = useMemo(() => splitAtMarks(text, marks), [text, marks]);
  return (
    <p className="words">
      {pieces.map(({ text: words, start, marks: here }) => (
        <Fragment key={start}>
          {here.length === 0 ? (
            <PlainText text={words} />
          ) : (
            <mark
              title={[...new Set(here.map(({ title }) => title).filter(Boolean))].join(' · ') || undefined}
              data-marks={
                here
                  .map(({ id }) => id)
                  .filter(Boolean)
                  .join(' ') || undefined
              }
              className={classes(
                'rounded-sm text-ink underline decoration-2 underline-offset-3 transition-colors duration-500',
                markLooks[mixTones(here)],
                here.some(({ active }) => active) && 'outline-2 outline-link',
              )}
            >
              <PlainText text={words} />
            </mark>
          )}
          {here.map(
            (mark) =>
              mark.reference &&
              mark.end === start + words.length && (
                <Reference key={mark.reference.number} {...mark.reference} title={mark.title} />
              ),
          )}
        </Fragment>
      ))}
    </p>
  );
}

function Reference({ number, anchor, title }: NonNullable<TextMark['reference']> & Pick<TextMark, 'title'>) {
  return (
    <sup id={`mark-${number}`} className="px-0.5 text-xs font-medium">
      <a href={`#${anchor}`} title={title} aria-label={`Passage ${number}, ${title}`} className="text-link">
        {number}
      </a>
    </sup>
  );
}

/**
 * What somebody wrote, as plain text: characters that cannot be seen, or reorder what is around them, are shown by
 * name.
 */
export const PlainText = memo(function Words({ text, className }: { text: string; className?: string }) {
  // A NUL is itself shown by name, so the only ones left are those set around names here.
  const parts = showControls(text, (name) => `\0${name}\0`).split('\0');
  const words =
    parts.length === 1
      ? text
      : parts.map((part, index) =>
          index % 2 === 0 ? (
            <Fragment key={index}>{part}</Fragment>
          ) : (
            <bdi
              key={index}
              className="mx-0.5 rounded border border-quiet px-1 font-mono text-[0.75em] text-quiet no-underline"
            >
              {part}
            </bdi>
          ),
        );
  return className === undefined ? words : <span className={className}>{words}</span>;
});

/** The same as a paragraph of its own. */
export function Paragraph({ text, className }: { text: string; className?: string }) {
  return (
    <p className={classes('words', className)}>
      <PlainText text={text} />
    </p>
  );
}

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** `5 minutes ago`; of more than a week, the date. */
export function formatAgo(moment: string, now = Date.now()): string {
  const seconds = (new Date(moment).getTime() - now) / 1000;
  if (Math.abs(seconds) > 7 * 86_400) return short.format(new Date(moment));
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return 'just now';
}

export function When({ moment, exact = false }: { moment: string; exact?: boolean }) {
  const at = new Date(moment);
  return (
    <time dateTime={moment} title={whole.format(at)} className="whitespace-nowrap">
      {exact ? short.format(at) : formatAgo(moment)}
    </time>
  );
}
