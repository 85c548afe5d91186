import { expect, test } from 'vitest';
import { rankBySharedWords } from './similar-cases.ts';
import { splitPlainWords } from '@agonhq/engine/text';

const texts = (...all: string[]) => all.map((text, id) => ({ id, words: new Set(splitPlainWords(text)) }));

test('who says the same in the same words comes first, whatever the case and the marks', async () => {
  const found = await rankBySharedWords(
    new Set(splitPlainWords('The goat is in the town hall!')),
    texts('The bread is in the oven.', 'the GOAT is in the town hall', 'The goat ate the hat in the hall.'),
    3,
  );
  expect(found.map(({ id }) => id)).toEqual([1, 2, 0]);
  expect(found[0]!.share).toBe(1);
});

test('a rare word weighs more than many common ones', async () => {
  const common = Array.from({ length: 50 }, (_, number) => `a note with some words that many have, number ${number}`);
  const found = await rankBySharedWords(
    new Set(splitPlainWords('a note about zymurgy')),
    texts(...common, 'zymurgy at home'),
    1,
  );
  expect(found[0]!.id).toBe(50);
});

test('what shares no word is not alike', async () => {
  expect(await rankBySharedWords(new Set(splitPlainWords('kettle')), texts('bread', ''), 5)).toEqual([]);
});
