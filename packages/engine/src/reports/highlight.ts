import { formatCount, formatPlural } from '../view/index.ts';
import type { Range } from '../evidence/index.ts';
import type { CitedPassage, Side } from '../view/index.ts';
import { html, withChips, type Markup } from './escape.ts';
import { findWindows } from '../view/find-windows.ts';

/** How the quoted passages of a text are shown: the tone of their mark, and the link to who quotes them. */
export interface TextMarking {
  tone: (sides: ReadonlySet<Side>) => Side | 'both';
  reference: (passage: CitedPassage) => Markup;
  /** Whether marks say which passages they belong to: overlapping ones are drawn in pieces. */
  named?: true;
}

const plainMarking: TextMarking = { tone: (sides) => (sides.size > 1 ? 'both' : [...sides][0]!), reference };

/**
 * A source's text with its quoted passages marked: by whom, and with a link to who quotes them. Passages may
 * overlap in any way; where both sides quote the same words, the mark says so.
 */
export function highlight(text: string, passages: readonly CitedPassage[], marking = plainMarking): Markup {
  const windows = findWindows(text, passages);
  const shown = windows.map((window, index) => [
    elision({ start: windows[index - 1]?.end ?? 0, end: window.start }),
    highlightRange(text, window, passages, marking),
  ]);
  return html`<div class="source" dir="auto" lang="">
    ${shown}${elision({ start: windows.at(-1)!.end, end: text.length })}
  </div>`;
}

/** The characters of a range with the passages that reach into it marked. A passage is referred to where it ends. */
export function highlightRange(
  text: string,
  range: Range,
  passages: readonly CitedPassage[],
  marking = plainMarking,
): Markup[] {
  const within = passages.filter((passage) => passage.start < range.end && passage.end > range.start);
  const edges = [
    ...new Set([
      range.start,
      range.end,
      ...within.flatMap(({ start, end }) => [Math.max(start, range.start), Math.min(end, range.end)]),
    ]),
  ];
  edges.sort((a, b) => a - b);
  return edges.slice(1).map((end, index) => {
    const start = edges[index]!;
    const quoted = within.filter((passage) => passage.start <= start && end <= passage.end);
    const ending = quoted.filter((passage) => passage.end === end);
    return html`${marked(text.slice(start, end), quoted, marking)}${ending.map(marking.reference)}`;
  });
}

function marked(text: string, quoted: readonly CitedPassage[], { tone, named }: TextMarking): Markup {
  if (quoted.length === 0) return withChips(text);
  const sides = new Set(quoted.flatMap((passage) => passage.quoters.map((quoter) => quoter.side)));
  return html`<mark
    class="${tone(sides)}"
    ${named && html` data-passages="${quoted.map(({ number }) => number).join(' ')}"`}
    >${withChips(text)}</mark
  >`;
}

function reference(passage: CitedPassage): Markup {
  const speakers = passage.quoters.map((quoter) => quoter.speaker).join('; ');
  return html`<sup class="reference" id="mark-${passage.number}"
    ><a
      href="#${passage.quoters[0]!.anchor}"
      title="Quoted by: ${speakers}"
      aria-label="Passage ${passage.number}, quoted by: ${speakers}"
      >${passage.number}</a
    ></sup
  >`;
}

function elision({ start, end }: Range): Markup | null {
  if (start >= end) return null;
  return html`<span class="elision" dir="ltr" lang="en"
    >${formatPlural(end - start, 'character')} not shown (${formatCount(start)} to ${formatCount(end)}): nothing is
    quoted from there</span
  >`;
}
