import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guardFolder } from '../guard.ts';
import pairs from './tokenizer-pairs.json' with { type: 'json' };
import { createVocabulary, readTokenizer, tokenizePieces, tokenizeText } from './tokenizer.ts';

const tokenizerJson = JSON.parse(await readFile(join(await guardFolder(), 'tokenizer.json'), 'utf8')) as {
  model: { vocab: Record<string, number> };
};
const vocabulary = createVocabulary(tokenizerJson.model.vocab);
const spelling = new Map([...vocabulary.ids].map(([piece, id]) => [id, piece.replace(/^##/, '')]));
const reference = new Tokenizer(tokenizerJson, {});

const slicesOf = (text: string) => {
  const { starts, ends } = tokenizePieces(text, vocabulary);
  return starts.map((start, index) => text.slice(start, ends[index]));
};

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '\uD83D',
        '\uDE00',
        '\u200B',
        '\u200D',
        '\uFE0F',
        '\u0301',
        '\u202E',
        'שלום',
        'مرحبا',
        '👩‍👩‍👧',
        '한국',
        '中文',
        'İ',
        'ß',
        'ﬁ',
        'Σ',
        ' ',
        'a',
        '\0',
        '\uFFFD',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('word pieces', () => {
  it('are those of the Hugging Face tokenizer, for plain text', () => {
    const sentence = fc.array(
      fc.oneof(
        fc.constantFrom(
          'Unbelievable',
          'café',
          'naïve',
          "don't",
          '3.50',
          'state-of-the-art',
          '$5',
          '中文',
          '😀',
          'Zürich',
        ),
        fc.string({ maxLength: 12 }),
      ),
    );
    fc.assert(
      fc.property(
        sentence.map((words) => words.join(' ')),
        (text) => {
          fc.pre(!/\[(?:PAD|UNK|CLS|SEP|MASK)\]/.test(text));
          expect(tokenizePieces(text, vocabulary).ids).toEqual(
            reference.encode(text, { add_special_tokens: false }).ids,
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('spell what stands at their place, whatever its case', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,!?-'.split('')),
          maxLength: 80,
        }),
        (text) => {
          const { ids, starts, ends } = tokenizePieces(text, vocabulary);
          for (const [index, id] of ids.entries()) {
            if (id !== vocabulary.unknown)
              expect(text.slice(starts[index], ends[index]).toLowerCase()).toBe(spelling.get(id));
          }
          expect(slicesOf(text).join('')).toBe(text.replaceAll(' ', ''));
        },
      ),
    );
  });

  it('stand in order, inside the text, and never split a surrogate pair, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { ids, starts, ends } = tokenizePieces(text, vocabulary);
        const splits = (place: number) => place > 0 && text.codePointAt(place - 1)! > 0xff_ff;
        for (const index of ids.keys()) {
          const [start, end] = [starts[index]!, ends[index]!];
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(splits(start) || splits(end)).toBe(false);
          expect(start).toBeGreaterThanOrEqual(starts[index - 1] ?? 0);
          expect(end).toBeGreaterThanOrEqual(ends[index - 1] ?? 0);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('point at the author’s own characters', () => {
    expect(slicesOf('Cafe\u0301 KI\u200BLL ')).toEqual(['Cafe\u0301', 'KI\u200BLL']);
    expect(slicesOf('中文!')).toEqual(['中', '文', '!']);
  });

  it('do not let content write the model’s own marks', () => {
    const marks = ['[PAD]', '[CLS]', '[SEP]', '[MASK]', '[UNK]'];
    const ids = new Set(marks.map((mark) => vocabulary.ids.get(mark)));
    expect(tokenizePieces(marks.join(' '), vocabulary).ids.filter((id) => ids.has(id))).toEqual([]);
  });

  it('call a word of more than a hundred letters unknown, as in training', () => {
    expect(tokenizePieces('a'.repeat(101), vocabulary).ids).toEqual([vocabulary.unknown]);
    expect(tokenizePieces('a'.repeat(100), vocabulary).ids).not.toContain(vocabulary.unknown);
  });
});

describe('the settings of tokenizer.json', () => {
  const names = pairs.vocabulary.split(' ');
  const vocab = Object.fromEntries(names.map((piece, id) => [piece, id]));
  const describeTokenizer = (normalizer: object) => ({
    normalizer,
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: { type: 'WordPiece', max_input_chars_per_word: 20, vocab },
  });

  it.each(pairs.settings)('$name: the same pieces as the Python library', ({ normalizer, pieces }) => {
    const read = readTokenizer(describeTokenizer(normalizer), 'tokenizer.json');
    for (const [place, text] of pairs.texts.entries())
      expect(
        tokenizePieces(text, read)
          .ids.map((id) => names[id])
          .join(' '),
        text,
      ).toBe(pieces[place]);
  });

  it('keep accents where they are told to, and quote them', () => {
    const kept = pairs.settings.find(({ name }) => name === 'accents kept')!;
    const read = readTokenizer(describeTokenizer(kept.normalizer), 'tokenizer.json');
    const text = 'DÉJÀ vu à Łódź';
    const { ids, starts, ends } = tokenizePieces(text, read);
    expect(ids.map((id) => names[id])).toEqual(['déjà', 'vu', 'à', 'łódź']);
    expect(starts.map((start, index) => text.slice(start, ends[index]))).toEqual(['DÉJÀ', 'vu', 'à', 'Łódź']);
  });

  it('that belong to another tokenizer are refused with a hint', () => {
    const other = { normalizer: { type: 'NFKC' }, pre_tokenizer: { type: 'Metaspace' }, model: { type: 'Unigram' } };
    expect(() => readTokenizer(other, 'tokenizer.json')).toThrowError(/tokenizer\.json describes a tokenizer/);
  });

  it('do not change with the length of a text that has no spaces', async () => {
    const long = '我今晚要去北京，你呢？'.repeat(8_000);
    const whole = tokenizePieces(long, vocabulary);
    expect(await tokenizeText(long, vocabulary, AbortSignal.timeout(60_000))).toEqual(whole);
  });
});
