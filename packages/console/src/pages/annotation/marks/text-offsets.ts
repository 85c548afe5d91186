import { showControls } from '@agonhq/engine/view';

/** How long a text is as it is shown: characters that cannot be seen are shown by name. */
function shownLength(text: string): number {
  return showControls(text, (name) => name).length;
}

/** Where in a text a place of what is shown of it lies. */
export function toSourceOffset(text: string, shown: number): number {
  if (shownLength(text) === text.length) return Math.min(shown, text.length);
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (shownLength(text.slice(0, middle)) < shown) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What is selected of a text that an element shows; null where nothing of it is. */
export function readSelection(element: HTMLElement, text: string): { anchor: number; focus: number } | null {
  const selection = document.getSelection();
  if (!selection || selection.rangeCount === 0) return null;
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  if (!anchorNode || !focusNode || !element.contains(anchorNode) || !element.contains(focusNode)) return null;
  const offsetOf = (node: Node, offset: number) => {
    const range = document.createRange();
    range.setStart(element, 0);
    range.setEnd(node, offset);
    return toSourceOffset(text, range.toString().length);
  };
  return { anchor: offsetOf(anchorNode, anchorOffset), focus: offsetOf(focusNode, focusOffset) };
}

/** A stretch without the white space around it; null where nothing is left. */
export function trimStretch(text: string, from: number, to: number): { start: number; end: number } | null {
  const words = text.slice(Math.min(from, to), Math.max(from, to));
  const start = Math.min(from, to) + words.length - words.trimStart().length;
  const end = start + words.trim().length;
  return end > start ? { start, end } : null;
}

const segmenters = {
  character: new Intl.Segmenter(undefined, { granularity: 'grapheme' }),
  word: new Intl.Segmenter(undefined, { granularity: 'word' }),
};
/** As far as a word or a character is looked for. */
const reach = 400;

/** One character or one word on, or back. */
export function stepFrom(text: string, at: number, by: 1 | -1, unit: 'character' | 'word'): number {
  const from = by === 1 ? at : Math.max(0, at - reach);
  const window = text.slice(from, by === 1 ? at + reach : at);
  const pieces = [...segmenters[unit].segment(window)];
  const isStop = (piece: Intl.SegmentData) => unit === 'character' || piece.isWordLike === true;
  const piece = by === 1 ? pieces.find(isStop) : pieces.findLast(isStop);
  if (!piece) return by === 1 ? from + window.length : from;
  return from + piece.index + (by === 1 ? piece.segment.length : 0);
}
