import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';

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
