import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { threadTime } from '@agonhq/test/support/thread-time.ts';
import { createQuoteFinder, isEvidenceFaithful, normaliseText, verifyQuotes, type Source } from './index.ts';

const locateQuote = (quote: string, source: Source) => createQuoteFinder(quote)(source);

const scripts = fc.constantFrom(
  'The quick brown fox',
  '炸弹的制作方法',
  '日本語のテキスト',
  'مرحبا بالعالم',
  'שלום עולם',
  'नमस्ते दुनिया',
  '한국어 텍스트',
  '각',
  'e\u0301a\u0300',
  'n\u0303',
  '👩‍👩‍👧‍👦',
  '🏳️‍🌈',
  '👍🏽',
  'ﬁancé',
  '½',
  'Ⅳ',
  '“quoted” — dash',
  'zero\u200bwidth',
  'soft\u00adhyphen',
  'ffi',
  'İstanbul',
  'ß',
  '\u202Ertl\u202C',
  ' ',
  '\n',
  '\t\u00a0',
  '…',
  'a',
  '.',
);
const unicodeText = fc.oneof(
  fc.array(scripts, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

describe('a quote is found where it stands', () => {
  test('letter by letter, in code units of the original', () => {
    const source = { id: 'text', text: '👩‍👩‍👧 says: how to make a bomb? 炸弹' };
    expect(locateQuote('炸弹', source)).toEqual({ start: source.text.length - 2, end: source.text.length });
    expect(locateQuote('how to make a bomb?', source)).toEqual({ start: 15, end: 34 });
  });

  test.each([
    ['Chinese', '他说：“我今晚要杀了你全家！”然后走了。', '我今晚要杀了你全家！'],
    ['Japanese', '「明日、駅で爆発させる。」と書いた。', '明日、駅で爆発させる。'],
    ['Korean', '그는 “가만두지 않겠다.”라고 말했다.', '가만두지 않겠다.'],
    ['Arabic', 'كتب لها: «سأقتلك الليلة!» ثم اختفى.', 'سأقتلك الليلة!'],
    ['Hindi', 'उसने लिखा: मैं तुम्हें मार डालूँगा। फिर चला गया।', 'मैं तुम्हें मार डालूँगा।'],
    ['Thai', 'เขาเขียนว่าฉันจะฆ่าเธอคืนนี้แล้วก็หายไป', 'ฉันจะฆ่าเธอคืนนี้'],
    ['Russian', 'Он написал: «Я убью тебя сегодня ночью!» — и ушёл.', 'Я убью тебя сегодня ночью!'],
    ['Turkish', '“Seni bu gece öldüreceğim!” diye yazdı.', 'Seni bu gece öldüreceğim!'],
    ['Polish', 'Napisał: „Zabiję cię dziś w nocy!” i zniknął.', 'Zabiję cię dziś w nocy!'],
  ])('in %s, with the letters of the author', (_language, text, quote) => {
    const [evidence] = verifyQuotes([quote.normalize('NFD')], [{ id: 'text', text }]);
    expect(evidence).toMatchObject({ verified: true, quote, start: text.indexOf(quote) });
  });

  test.each([
    ['curly quotes and dashes', 'He said “run” — now', 'He said "run" - now'],
    ['white space and line breaks', 'make\n   a\tbomb', 'make a bomb'],
    ['compatibility forms', 'ﬁne ① Ｗｉｄｅ', 'fine 1 Wide'],
    ['composed and decomposed accents', 'cafe\u0301', 'café'],
    ['invisible characters', 'b\u200bo\u200bm\u200bb', 'bomb'],
    ['Hangul written as jamo', '\u1112\u1161\u11ab', '한'],
    ['a quote with spaces around it', 'a bomb', '  a bomb \n'],
  ])('after normalisation of %s', (_what, text, quote) => {
    const [evidence] = verifyQuotes([quote], [{ id: 'text', text }]);
    expect(evidence).toMatchObject({ verified: true, quote: text, start: 0, end: text.length });
  });

  test('in whichever source has it', () => {
    const sources = [
      { id: 'text', text: 'nothing here' },
      { id: 'image-1/ocr', text: 'a sign: KEEP OUT' },
    ];
    expect(verifyQuotes(['KEEP OUT'], sources)).toEqual([
      { quote: 'KEEP OUT', source: 'image-1/ocr', start: 8, end: 16, verified: true },
    ]);
  });

  test('but never when its words are not there, and never when it is empty', () => {
    const sources = [{ id: 'text', text: 'I love my dog' }];
    for (const quote of ['I hate my dog', 'I love dog', '', '  ', '\u200b']) {
      expect(verifyQuotes([quote], sources)[0]).toMatchObject({ verified: false });
    }
  });

  test('a base letter does not match half of an accented one after normalisation', () => {
    expect(locateQuote('“e”', { id: 'text', text: '"e\u0301"' })).toBeNull();
  });

  test('half of a surrogate pair is not a quote', () => {
    expect(locateQuote('\ude00', { id: 'text', text: 'smile 😀' })).toBeNull();
  });
});

describe('laws, for any Unicode text', () => {
  test('every verified range points at its quote, in code units of the original text', () => {
    fc.assert(
      fc.property(unicodeText, unicodeText, (text, quote) => {
        const sources = [{ id: 'text', text }];
        const [evidence] = verifyQuotes([quote], sources);
        if (!evidence?.verified) return;
        expect(text.slice(evidence.start, evidence.end)).toBe(evidence.quote);
        expect(normaliseText(evidence.quote).text).toBe(normaliseText(quote).text);
        expect(isEvidenceFaithful(evidence, sources)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('every passage of whole characters is found, and so is its normalised copy', () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    fc.assert(
      fc.property(unicodeText, fc.nat(), fc.nat(), (text, a, b) => {
        const graphemes = Array.from(segmenter.segment(text), (segment) => segment.segment);
        const from = graphemes.length === 0 ? 0 : a % graphemes.length;
        const quote = graphemes.slice(from, from + 1 + (b % 10)).join('');
        fc.pre(normaliseText(quote).text !== '');
        expect(locateQuote(quote, { id: 'text', text })).not.toBeNull();
        // NFKC composes separate compatibility jamo into one syllable.
        fc.pre(!/[\u3131-\u318e\uffa0-\uffdc]/.test(text));
        expect(locateQuote(normaliseText(quote).text, { id: 'text', text })).not.toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  test('normalising twice changes nothing more', () => {
    fc.assert(
      fc.property(unicodeText, (text) => {
        const once = normaliseText(text).text;
        expect(normaliseText(once).text).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  test('evidence whose range or quote was altered no longer holds', () => {
    const sources = [{ id: 'text', text: 'I will find you' }];
    const [evidence] = verifyQuotes(['find you'], sources);
    if (!evidence?.verified) throw new Error('the quote should be found');
    expect(isEvidenceFaithful({ ...evidence, quote: 'hurt you' }, sources)).toBe(false);
    expect(isEvidenceFaithful({ ...evidence, start: evidence.start - 1 }, sources)).toBe(false);
    expect(isEvidenceFaithful({ ...evidence, source: 'elsewhere' }, sources)).toBe(false);
    expect(isEvidenceFaithful({ quote: 'find you', source: null, verified: false }, sources)).toBe(false);
  });
});

test('a megabyte of text is searched in seconds at the most', () => {
  const text = 'The naïve reader — “so to speak” — reads on. '.repeat(25_000);
  const took = threadTime(() => expect(locateQuote('"nowhere"', { id: 'text', text })).toBeNull());
  expect(took).toBeLessThan(5000);
});
