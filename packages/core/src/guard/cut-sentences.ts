import { splitMessageSentences } from '@agonhq/engine/text';

/** A stretch without an end of a sentence is judged from this length on. */
const longestStretch = 300;

/**
 * Up to where a text that still grows can be judged: the beginning of its last sentence, since only what follows shows
 * that the one before has ended; or the end of a line. Counted from the text's own beginning; 0 where it has to grow.
 *
 * @example findReadyEnd('One. Two. Thr') // 10
 */
export function findReadyEnd(text: string): number {
  if (text.endsWith('\n') && text.trim() !== '') return text.length;
  const last = splitMessageSentences(text).at(-1);
  if (!last) return text.length < longestStretch ? 0 : text.length;
  if (last.start > 0 && text.slice(0, last.start).trim() !== '') return last.start;
  if (text.length < longestStretch) return 0;
  const space = text.search(/\s\S*$/);
  return space > longestStretch / 2 ? space + 1 : beforePair(text, text.length);
}

/** Where the words before a place begin that are read with what comes after it. */
export function findContextStart(text: string, place: number, characters: number): number {
  if (place <= characters) return 0;
  const start = place - characters;
  const space = text.slice(start, place).search(/\s/);
  return space >= 0 ? start + space + 1 : beforePair(text, start);
}

/** Not between the halves of a character. */
function beforePair(text: string, place: number): number {
  const before = text.charCodeAt(place - 1);
  return before >= 0xd800 && before <= 0xdbff ? place - 1 : place;
}
