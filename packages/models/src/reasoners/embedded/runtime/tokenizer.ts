import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';

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

/** What happens to a text before it is cut into pieces, as Hugging Face's BertNormalizer does it. */
export interface Normaliser {
  /** Control characters are left out, and every white space is a gap. */
  cleanText: boolean;
  /** Each ideograph is a word of its own. */
  splitIdeographs: boolean;
  /** `é` is read as `e`. */
  stripAccents: boolean;
  lowerCase: boolean;
}

/** BERT's uncased one. */
const uncased: Normaliser = { cleanText: true, splitIdeographs: true, stripAccents: true, lowerCase: true };

/** Word pieces and their ids, with what a text goes through on its way to them. */
export interface Vocabulary {
  ids: ReadonlyMap<string, number>;
  unknown: number;
  /** In UTF-16 code units. */
  longest: number;
  /** A word of more characters is unknown as a whole. */
  longestWord: number;
  readCharacter(codePoint: number): Character;
}

/** What a character is to BERT: nothing, a mark, a gap, a word of its own, or part of a word. */
export interface Character {
  kind: 'nothing' | 'mark' | 'gap' | 'alone' | 'letter';
  text: string;
}

const normaliserSchema = z.object({
  type: z.literal('BertNormalizer'),
  clean_text: z.boolean().default(true),
  handle_chinese_chars: z.boolean().default(true),
  strip_accents: z.boolean().nullable().default(null),
  lowercase: z.boolean().default(true),
});

const tokenizerSchema = z.object({
  normalizer: normaliserSchema,
  pre_tokenizer: z.object({ type: z.literal('BertPreTokenizer') }),
  model: z.object({
    type: z.literal('WordPiece').default('WordPiece'),
    unk_token: z.literal('[UNK]').default('[UNK]'),
    continuing_subword_prefix: z.literal('##').default('##'),
    max_input_chars_per_word: z.int().min(1).default(100),
    // A check of every piece would take longer than reading them.
    vocab: z.custom<Record<string, number>>((value) => typeof value === 'object' && value !== null),
  }),
});

/** The vocabulary of a tokenizer.json: BertNormalizer, BertPreTokenizer and WordPiece, with any of their settings. */
export function readTokenizer(content: unknown, file: string): Vocabulary {
  const parsed = tokenizerSchema.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AgonError(
      'broken-guard-model',
      `${file} describes a tokenizer that this version cannot read: ${issue!.path.join('.')}: ${issue!.message}.`,
      'Install agon again: a part of the package is missing or was changed.',
    );
  }
  const { normalizer, model } = parsed.data;
  return createVocabulary(model.vocab, {
    longestWord: model.max_input_chars_per_word,
    normaliser: {
      cleanText: normalizer.clean_text,
      splitIdeographs: normalizer.handle_chinese_chars,
      stripAccents: normalizer.strip_accents ?? normalizer.lowercase,
      lowerCase: normalizer.lowercase,
    },
  });
}

/** @param pieces the `model.vocab` of a tokenizer.json */
export function createVocabulary(
  pieces: Readonly<Record<string, number>>,
  { normaliser = uncased, longestWord = 100 }: { normaliser?: Normaliser; longestWord?: number } = {},
): Vocabulary {
  // By their keys: entries of eighty thousand pieces take several times as long.
  const ids = new Map<string, number>();
  let longest = 0;
  for (const piece of Object.keys(pieces)) {
    ids.set(piece, pieces[piece]!);
    longest = Math.max(longest, piece.length);
  }
  const known = new Map<number, Character>();
  return {
    ids,
    unknown: ids.get('[UNK]')!,
    longest,
    longestWord,
    readCharacter(codePoint) {
      let character = known.get(codePoint);
      if (!character) {
        character = normaliseCharacter(codePoint, normaliser);
        known.set(codePoint, character);
      }
      return character;
    },
  };
}

function normaliseCharacter(
  codePoint: number,
  { cleanText, splitIdeographs, stripAccents, lowerCase }: Normaliser,
): Character {
  const character = String.fromCodePoint(codePoint);
  if (cleanText && /^[\uFFFD\p{Cc}\p{Cf}\p{Co}\p{Cs}]$/u.test(character) && !/^[\t\n\r]$/.test(character))
    return { kind: 'nothing', text: '' };
  if (/^[\u0085\s]$/u.test(character) && character !== '\uFEFF') return { kind: 'gap', text: '' };
  if (splitIdeographs && isIdeograph(codePoint)) return { kind: 'alone', text: character };
  const plain = stripAccents ? character.normalize('NFD').replace(/\p{Mn}/gu, '') : character;
  // One by one: the lower case of a sigma must not depend on its neighbours.
  const text = lowerCase ? Array.from(plain, (letter) => letter.toLowerCase()).join('') : plain;
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
