import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Vocabulary } from './vocabulary.ts';

const stretch = 32_768;

/** Tokenizes stretch by stretch, from word to word, so that a megabyte does not hold the event loop up. */
export async function tokenizeText(text: string, vocabulary: Vocabulary, signal: AbortSignal): Promise<Pieces> {
  const all: Pieces = { ids: [], starts: [], ends: [] };
  for (let from = 0, to; from < text.length; from = to) {
    if (from > 0) await nextTurn(undefined, { signal });
    to = findWordEnd(text, from + stretch, vocabulary);
    const pieces = tokenizePieces(text, vocabulary, from, to);
    for (const name of ['ids', 'starts', 'ends'] as const) {
      for (const value of pieces[name]) all[name].push(value);
    }
  }
  return all;
}

/** Where the next word ends for sure: at a gap, or before a character that is a word of its own. */
function findWordEnd(text: string, from: number, { readCharacter }: Vocabulary): number {
  for (let at = from; at < text.length; at += 1) {
    const { kind } = readCharacter(text.codePointAt(at)!);
    if (kind === 'gap' || kind === 'alone') return at;
  }
  return text.length;
}

/** Word pieces of a text: their ids, and their places in UTF-16 code units. */
export interface Pieces {
  ids: number[];
  starts: number[];
  ends: number[];
}

/**
 * BERT's word pieces, with offsets, which the JavaScript tokenizers do not give.
 * A `[SEP]` or `[PAD]` that the author wrote is text like any other: content must not speak to the model in its own
 * marks.
 */
export function tokenizePieces(text: string, vocabulary: Vocabulary, from = 0, to = text.length): Pieces {
  const pieces: Pieces = { ids: [], starts: [], ends: [] };
  let word = '';
  let characters = 0;
  let starts: number[] = []; // Of the text, for each code unit of the word.
  let ends: number[] = [];

  const endWord = () => {
    if (word !== '') addPieces(word, characters, starts, ends, vocabulary, pieces);
    word = '';
    characters = 0;
    starts = [];
    ends = [];
  };

  for (let start = from, end; start < to; start = end) {
    const codePoint = text.codePointAt(start)!;
    end = start + (codePoint > 0xff_ff ? 2 : 1);
    const character = vocabulary.readCharacter(codePoint);
    if (character.kind === 'nothing') continue;
    if (character.kind === 'mark') {
      // A quote of "e" + accent takes the accent along.
      if (ends.length > 0) ends[ends.length - 1] = end;
      continue;
    }
    if (character.kind !== 'letter') endWord();
    if (character.kind === 'gap') continue;
    word += character.text;
    characters += codePointsOf(character.text);
    for (let unit = 0; unit < character.text.length; unit += 1) {
      starts.push(start);
      ends.push(end);
    }
    if (character.kind === 'alone') endWord();
  }
  endWord();
  return pieces;
}

/** The longest known piece first; a word with a part that is not known is unknown as a whole. */
function addPieces(
  word: string,
  characters: number,
  starts: number[],
  ends: number[],
  { ids, unknown, longest, longestWord }: Vocabulary,
  pieces: Pieces,
): void {
  const found: { id: number; from: number; to: number }[] = [];
  const readable = characters > longestWord ? 0 : word.length;
  for (let from = 0; from < readable;) {
    const prefix = from === 0 ? '' : '##';
    let to = Math.min(word.length, from + longest);
    let id: number | undefined;
    for (; to > from; to -= 1) {
      id = ids.get(prefix + word.slice(from, to));
      if (id !== undefined) break;
    }
    if (id === undefined) break;
    found.push({ id, from, to });
    from = to;
  }
  if (found.at(-1)?.to !== word.length) found.splice(0, found.length, { id: unknown, from: 0, to: word.length });
  for (const { id, from, to } of found) {
    pieces.ids.push(id);
    pieces.starts.push(starts[from]!);
    pieces.ends.push(ends[to - 1]!);
  }
}

function codePointsOf(text: string): number {
  return text.length === 1 ? 1 : Array.from(text).length;
}
