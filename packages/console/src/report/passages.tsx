import { Fragment, type ReactNode } from 'react';
import {
  findWindows,
  formatCount,
  formatPlural,
  shortenQuote,
  type CitedPassage,
  type PassageWords,
} from '@agonhq/engine/view';
import { PlainText } from '../components/text.tsx';
import { classes } from '../components/tones.ts';
import type { ShownQuotation } from '../trial/quotations.ts';
import { useReport } from './report-context.ts';

/* Quoted passages on a page: each has a number, which leads from who quotes it to its place, and back. */

/** The passages of a text to be marked; of one that is quoted for several things, the mark says so. */
export function markPassages(passages: readonly CitedPassage[]): ShownQuotation[] {
  return passages.map(({ number, source, start, end, quoters }) => {
    const sides = [...new Set(quoters.map(({ side }) => (side === 'neutral' ? 'implicit' : side)))];
    return {
      place: `passage-${number}`,
      source,
      start,
      end,
      tone: sides.length > 1 ? 'both' : sides[0]!,
      speaker: quoters.map(({ speaker }) => speaker).join('; '),
      reference: { number, anchor: quoters[0]!.anchor },
    };
  });
}

const numberLook = classes(
  'inline-grid min-h-6 min-w-6 flex-none place-items-center rounded-md border bg-surface px-1 text-xs no-underline',
  'tabular-nums',
);

/** The way from a quotation to its place in the content. */
export function PassageLink({ number }: { number: number | undefined }) {
  if (number === undefined)
    return (
      <span aria-hidden className={classes(numberLook, 'text-quiet')}>
        –
      </span>
    );
  return (
    <a
      href={`#mark-${number}`}
      aria-label={`Passage ${number} in the content`}
      className={classes(numberLook, 'text-link')}
    >
      {number}
    </a>
  );
}

/** Every quoted passage with everybody who quotes it. */
export function PassageList({ names }: Pick<PassageWords, 'names'>) {
  const passages = useReport()?.citations.passages ?? [];
  if (passages.length === 0) return null;
  return (
    <div className="grid gap-2">
      <h3 className="font-medium">Quoted passages</h3>
      <ol className="grid gap-2 text-sm">
        {passages.map(({ number, quote, quoters }) => (
          <li key={number} className="flex items-start gap-2">
            <PassageLink number={number} />
            <div className="min-w-0">
              <q className="words">
                <PlainText text={shortenQuote(quote)} />
              </q>
              <p className="text-quiet">
                {quoters.map(({ anchor, speaker, side }, index) => (
                  <Fragment key={anchor}>
                    {index > 0 && ' · '}
                    <a href={`#${anchor}`} className="text-link underline">
                      <PlainText text={speaker} />
                    </a>
                    {names[side] !== undefined && ` (${names[side]})`}
                  </Fragment>
                ))}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface WindowsProps {
  text: string;
  passages: readonly { start: number; end: number }[];
  write: (range: { start: number; end: number }) => ReactNode;
}

/** A text; of a long one, what is around the passages that are quoted from it. */
export function TextWindows({ text, passages, write }: WindowsProps) {
  const windows = findWindows(text, passages);
  return (
    <>
      {windows.map((window, index) => (
        <Fragment key={window.start}>
          <Elision from={windows[index - 1]?.end ?? 0} to={window.start} />
          {write(window)}
        </Fragment>
      ))}
      <Elision from={windows.at(-1)!.end} to={text.length} />
    </>
  );
}

function Elision({ from, to }: { from: number; to: number }) {
  if (from >= to) return null;
  return (
    <p className="border-y border-dashed py-1 text-center text-xs text-quiet">
      {formatPlural(to - from, 'character')} not shown ({formatCount(from)} to {formatCount(to)}): nothing is quoted
      from there
    </p>
  );
}
