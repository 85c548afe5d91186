import { setImmediate as nextTurn } from 'node:timers/promises';

const stretch = 32_768;

/** Tokenizes stretch by stretch, from gap to gap, so that a megabyte does not hold the event loop up. */
export async function tokenizeText(text: string, vocabulary: Vocabulary, signal: AbortSignal): Promise<Pieces> {
  const all: Pieces = { ids: [], starts: [], ends: [] };
  for (let from = 0, to; from < text.length; from = to) {
    if (from > 0) await nextTurn(undefined, { signal });
    const gap = /[ \t\n\r]/g;
    gap.lastIndex = from + stretch;
    to = gap.exec(text)?.index ?? text.length;
    const pieces = tokenize(text, vocabulary, from, to);
    for (const name of ['ids', 'starts', 'ends'] as const) {
      for (const value of pieces[name]) all[name].push(value);
    }
  }
  return all;
}

/** Word pieces of a text: their ids, and their places in UTF-16 code units. */
export interface Pieces {
  ids: number[];
  starts: number[];
  ends: number[];
}

/** What a character is to BERT: nothing, a mark, a gap, a word of its own, or part of a word. */
interface Character {
  kind: 'nothing' | 'mark' | 'gap' | 'alone' | 'letter';
  text: string;
}

export interface Vocabulary {
  ids: ReadonlyMap<string, number>;
  unknown: number;
  longest: number;
}

const longestWord = 100;

/** @param pieces the `model.vocab` of a tokenizer.json */
export function createVocabulary(pieces: Record<string, number>): Vocabulary {
  const ids = new Map(Object.entries(pieces));
  let longest = 0;
  for (const piece of ids.keys()) longest = Math.max(longest, piece.length);
  return { ids, unknown: ids.get('[UNK]')!, longest };
}

/**
 * BERT's uncased word pieces, with offsets, which the JavaScript tokenizers do not give.
 * A `[SEP]` or `[PAD]` that the author wrote is text like any other: content must not speak to the model in its own
 * marks.
 */
export function tokenize(text: string, vocabulary: Vocabulary, from = 0, to = text.length): Pieces {
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
    const character = characterOf(codePoint);
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
  { ids, unknown, longest }: Vocabulary,
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

const known = new Map<number, Character>();

function characterOf(codePoint: number): Character {
  let character = known.get(codePoint);
  if (!character) {
    character = readCharacter(codePoint);
    known.set(codePoint, character);
  }
  return character;
}

function readCharacter(codePoint: number): Character {
  const character = String.fromCodePoint(codePoint);
  if (/^[\uFFFD\p{Cc}\p{Cf}\p{Co}\p{Cs}]$/u.test(character) && !/^[\t\n\r]$/.test(character))
    return { kind: 'nothing', text: '' };
  if (/^\s$/u.test(character)) return { kind: 'gap', text: '' };
  if (isIdeograph(codePoint)) return { kind: 'alone', text: character };
  // One by one: the lower case of a sigma must not depend on its neighbours.
  const text = Array.from(character.normalize('NFD').replace(/\p{Mn}/gu, ''), (letter) => letter.toLowerCase()).join(
    '',
  );
  if (text === '') return { kind: 'mark', text };
  return { kind: /^[\p{P}$+<=>^`|~]$/u.test(text) ? 'alone' : 'letter', text };
}

/** The blocks that BERT splits into single characters. */
export function isIdeograph(codePoint: number): boolean {
  return ideographs.some(([first, last]) => codePoint >= first && codePoint <= last);
}

const ideographs = [
  [0x4e_00, 0x9f_ff],
  [0x34_00, 0x4d_bf],
  [0x2_00_00, 0x2_a6_df],
  [0x2_a7_00, 0x2_b7_3f],
  [0x2_b7_40, 0x2_b8_1f],
  [0x2_b8_20, 0x2_ce_af],
  [0xf9_00, 0xfa_ff],
  [0x2_f8_00, 0x2_fa_1f],
] as const;

function codePointsOf(text: string): number {
  return text.length === 1 ? 1 : Array.from(text).length;
}
