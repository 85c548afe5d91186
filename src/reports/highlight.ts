import type { Range } from '../evidence/index.ts';
import type { Passage } from './citations.ts';
import { html, withChips, type Markup } from './escape.ts';
import { windowsOf } from './windows.ts';
import { count, plural } from './words.ts';

/**
 * A source's text with its quoted passages marked: by whom, and with a link to who quotes them. Passages may
 * overlap in any way; where both sides quote the same words, the mark says so.
 */
export function highlight(text: string, passages: readonly Passage[]): Markup {
  const windows = windowsOf(text, passages);
  const shown = windows.map((window, index) => [
    elision({ start: windows[index - 1]?.end ?? 0, end: window.start }),
    highlightWindow(text, window, passages),
  ]);
  return html`<div class="source" dir="auto" lang="">${shown}${elision({ start: windows.at(-1)!.end, end: text.length })}</div>`;
}

function highlightWindow(text: string, window: Range, passages: readonly Passage[]): Markup[] {
  const within = passages.filter((passage) => passage.start >= window.start && passage.end <= window.end);
  const edges = [...new Set([window.start, window.end, ...within.flatMap(({ start, end }) => [start, end])])];
  edges.sort((a, b) => a - b);
  return edges.slice(1).map((end, index) => {
    const start = edges[index]!;
    const quoted = within.filter((passage) => passage.start <= start && end <= passage.end);
    const ending = quoted.filter((passage) => passage.end === end);
    return html`${marked(text.slice(start, end), quoted)}${ending.map(reference)}`;
  });
}

function marked(text: string, quoted: readonly Passage[]): Markup {
  if (quoted.length === 0) return withChips(text);
  const sides = new Set(quoted.flatMap((passage) => passage.quoters.map((quoter) => quoter.side)));
  return html`<mark class="${sides.size > 1 ? 'both' : [...sides].join('')}">${withChips(text)}</mark>`;
}

function reference(passage: Passage): Markup {
  const speakers = passage.quoters.map((quoter) => quoter.speaker).join('; ');
  return html`<sup class="reference" id="mark-${passage.number}"><a href="#${passage.quoters[0]!.anchor}" title="Quoted by: ${speakers}" aria-label="Passage ${passage.number}, quoted by: ${speakers}">${passage.number}</a></sup>`;
}

function elision({ start, end }: Range): Markup | null {
  if (start >= end) return null;
  return html`<span class="elision" dir="ltr" lang="en">${plural(end - start, 'character')} not shown (${count(start)} to ${count(end)}): nothing is quoted from there</span>`;
}
