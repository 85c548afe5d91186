import type { ItemLine } from '@agonhq/engine/items';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import { evaluationBench } from '../../jobs/evaluation/bench.ts';
import { moderationBench } from '../../jobs/moderation/bench.ts';
import type { LabelledItem, ItemText } from '../labelled-item.ts';
import { checkDataset, hasFindings, type CheckOptions } from './check-data.ts';
import {
  createFingerprintTable,
  fingerprintText,
  normalizeText,
  splitIntoWords,
  packFingerprints,
  trainedOn,
} from './fingerprints.ts';
import { describeLeakage } from './leakage.ts';
import { indexNearTexts } from './near-texts.ts';

/** An item with what it says: some tests hold items of several jobs. */
type Said = LabelledItem & { said: ItemText | null };
const readSaid = (item: LabelledItem) => ('said' in item ? (item.said as Said['said']) : null);
const readContent = (fields: object, reading: object): Said => {
  const item = moderationBench.readItem(fields, reading);
  return { ...item, said: moderationBench.readText(item) };
};
const readExchange = (fields: object, reading: object): Said => {
  const item = evaluationBench.readItem(fields, reading);
  return { ...item, said: evaluationBench.readText(item) };
};

const content = (line: number, text: string, label: unknown = 'safe', more: object = {}): ItemLine<Said> => ({
  line,
  key: String(line),
  item: readContent({ text, label, ...more }, { root: '/' }),
});
const exchange = (line: number, prompt: string, response: string): ItemLine<Said> => ({
  line,
  key: String(line),
  item: readExchange({ prompt, response, label: 0 }, {}),
});

async function* inTurn<Value>(values: readonly Value[]): AsyncGenerator<Value, void, void> {
  yield* values;
}

const check = (lines: readonly ItemLine<Said>[], options?: CheckOptions) =>
  checkDataset(inTurn(lines), readSaid, options);
const model = (...texts: string[]) =>
  trainedOn('toy-1', packFingerprints(texts.map((text) => fingerprintText(normalizeText(text)))));

const story =
  'Nine clerks counted every ticket twice before noon and nobody asked them why because rain had begun to fall on ' +
  'the wide grey roofs near the harbour market';

describe('a check of labelled data', () => {
  test('counts labels, categories, modalities, broken lines, lengths and easy items', async () => {
    const found = await check([
      content(1, 'A loaf of bread', 'safe', { category: 'food', raters: ['safe', 'unsafe'] }),
      content(2, "I'm sorry, but I can't help with that.", 'unsafe', { trivial: true, id: 'x' }),
      content(3, 'Hm', 'safe', { id: 'x' }),
      { line: 4, key: '4', error: new AgonError('broken-line', 'The item has no label.', '') },
    ]);
    expect(found).toMatchObject({
      items: 4,
      broken: { items: 1, causes: [{ message: 'The item has no label.', items: 1, line: 4 }] },
      labels: [
        { name: 'safe', count: 2 },
        { name: 'unsafe', count: 1 },
      ],
      categories: [
        { name: '(none)', count: 2 },
        { name: 'food', count: 1 },
      ],
      modalities: [{ name: 'text', count: 3 }],
      raters: { items: 1, divided: 1 },
      lengths: { least: 2, p50: 15, most: 38 },
      ids: { without: 1, repeated: 1, places: [{ line: 3, of: 2 }] },
      trivial: { items: 2, refusals: 1, marked: 1, oneWord: 1, empty: 0 },
    });
    expect(hasFindings(found)).toBe(false);
  });

  test('finds what is the same but for case, marks and white space, and labels that contradict each other', async () => {
    const found = await check([
      content(1, 'A loaf of bread.'),
      content(2, '  a LOAF\nof “bread”! ', 'unsafe'),
      content(3, 'A loaf of bread'),
    ]);
    expect(found.duplicates).toEqual({
      items: 2,
      places: [
        { line: 2, of: 1 },
        { line: 3, of: 1 },
      ],
    });
    expect(found.conflicts).toEqual({
      items: 1,
      places: [{ line: 2, of: 1, labels: ['unsafe', 'safe'], excerpt: 'a LOAF of “bread”!' }],
    });
    expect(hasFindings(found)).toBe(true);
  });

  test('finds what is nearly the same, and not what is only alike', async () => {
    const found = await check([
      content(1, story),
      content(2, story.replace('tickets', 'coins').replace('noon', 'dawn')),
      content(3, 'Nine clerks went home early'),
      content(4, 'Nine boats went home early'),
    ]);
    expect(found.nearDuplicates).toMatchObject({
      items: 2,
      looked: 4,
      places: [
        { line: 2, of: 1 },
        { line: 4, of: 3, similarity: 0.8 },
      ],
    });
  });

  test('finds items in a training file, whatever stands around them', async () => {
    const texts = inTurn([
      { line: 1, text: 'Something else' },
      { line: 2, text: `${story}!` },
      { line: 3, text: 'a loaf of  bread' },
    ]);
    const { leakage } = await check(
      [content(1, 'A loaf of bread'), content(2, story.replace('noon', 'dawn')), content(3, 'Pears')],
      { against: [{ source: 'train.jsonl', texts }] },
    );
    expect(leakage).toMatchObject([
      {
        kind: 'file',
        source: 'train.jsonl',
        items: 2,
        share: 2 / 3,
        places: [
          { line: 1, match: 'train.jsonl:3', how: 'same' },
          { line: 2, match: 'train.jsonl:2', how: 'near' },
        ],
      },
    ]);
  });
});

test('an item of a large file beyond those that are kept as texts is found in a training file all the same', async () => {
  const texts = inTurn([{ line: 1, text: 'PEARS, and plums' }]);
  const { leakage, nearDuplicates } = await check(
    [content(1, 'Wine'), content(2, 'Bread'), content(3, 'Pears and plums')],
    { mostCompared: 1, against: [{ source: 'train.jsonl', texts }] },
  );
  expect(nearDuplicates.looked).toBe(1);
  expect(leakage).toMatchObject([{ items: 1, places: [{ line: 3, match: 'train.jsonl:1', how: 'same' }] }]);
});

describe('a leak', () => {
  const precedents = [
    { id: 'house-1', text: story },
    { id: 'house-2', text: 'Bread and cheese' },
  ];
  const words = story.split(' ');

  test.each<[string, string, string]>([
    ['as it is', story, 'same'],
    ['in capitals', story.toUpperCase(), 'same'],
    ['with other marks and white space', `«${words.join(',\n ')}»`, 'same'],
    ['with another word', words.with(4, 'coin').join(' '), 'near'],
    ['with two other words', words.with(4, 'coin').with(20, 'red').join(' '), 'near'],
    ['with a word put in and one left out', words.toSpliced(3, 1).toSpliced(12, 0, 'really').join(' '), 'near'],
    [
      'within a longer text',
      `Here is what I saw yesterday in town: ${story}. What do you think of it, and would you have asked?`,
      'excerpt',
    ],
    ['cut short', words.slice(4, 24).join(' '), 'excerpt'],
  ])('of a precedent %s is caught', async (_what, text, how) => {
    const { leakage } = await check([content(1, 'Pears'), content(2, text)], { precedents });
    expect(leakage).toMatchObject([{ kind: 'precedents', places: [{ line: 2, match: 'house-1', how }] }]);
  });

  test('is told in a sentence; what is only alike is none', async () => {
    const { leakage } = await check(
      [content(1, 'Bread and cheese!'), content(4, 'Bread and butter'), content(5, 'Cheese')],
      { precedents, training: [model('Cheese', 'Wine')] },
    );
    expect(describeLeakage(leakage)).toEqual([
      '1 item is in the precedent library: line 1 (house-2).',
      '1 item is in what toy-1 was trained on: line 5.',
    ]);
    const alike = await check([content(1, 'Wine and bread')], { precedents, training: [model('Wine')] });
    expect(describeLeakage(alike.leakage)).toEqual([]);
  });

  test('of an exchange is found with its prompt, joined as training joins them, and by a long response alone', async () => {
    const training = [model('How are you? || Fine.', story, 'No.')];
    const { leakage } = await check(
      [exchange(1, 'How are you?', 'Fine.'), exchange(2, 'Tell me.', story), exchange(3, 'Tell me.', 'No.')],
      { training },
    );
    expect(leakage[0]!.places.map(({ line }) => line)).toEqual([1, 2]);
  });
});

test('what a model was trained on is known, and nothing else is', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 })), fc.string({ minLength: 1 }), (texts, other) => {
      const known = model(...texts);
      const knows = (text: string) => known.holds(fingerprintText(normalizeText(text)));
      for (const text of texts) expect(knows(` ${text} `)).toBe(true);
      expect(knows(other)).toBe(texts.some((text) => normalizeText(text) === normalizeText(other)));
    }),
  );
  expect(() => trainedOn('toy-1', Buffer.alloc(7))).toThrow(expect.objectContaining({ code: 'broken-model' }));
});

test('a table of fingerprints is a map of those that came first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 40 }).map((value) => value * 2 ** 41 + (value % 3))),
      (fingerprints) => {
        const [table, first] = [createFingerprintTable(4), new Map<number, number>()];
        for (const [line, fingerprint] of fingerprints.entries()) {
          expect(table.first(fingerprint, line, 1)).toEqual(
            first.has(fingerprint) ? { line: first.get(fingerprint), label: 1 } : null,
          );
          if (!first.has(fingerprint)) first.set(fingerprint, line);
        }
        expect(table.size).toBe(first.size);
      },
    ),
  );
});

test('two changed words in ten or more are always found, wherever they are', () => {
  const word = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'f', 'g');
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 10, maxLength: 40 }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom('change', 'remove', 'insert'),
      (words, one, other, how) => {
        const edited = [...words];
        for (const place of [one, other].map((at) => at % words.length))
          edited.splice(
            Math.min(place, edited.length - 1),
            how === 'insert' ? 0 : 1,
            ...(how === 'remove' ? [] : ['zzz']),
          );
        const near = indexNearTexts();
        near.add(words, 7);
        expect(near.find(edited).map(({ key }) => key)).toEqual([7]);
      },
    ),
  );
});

test('words are what letters and numbers make; where there are none, the text itself', () => {
  expect(splitIntoWords('Ｈello, WORLD—it’s 3 p.m.')).toEqual(['hello', 'world', 'it', 's', '3', 'p', 'm']);
  expect(splitIntoWords('🙂 🙂')).toEqual(['🙂 🙂']);
  expect(splitIntoWords('  ')).toEqual([]);
});
