import { expect, test } from 'vitest';
import { readDossier } from '@agonhq/core/app';
import { splitWords, stemWithIrregulars } from '@agonhq/engine/text';
import { checkNumbersInSteps } from './index.ts';

/* The server waits while a step is done: none may take the square of what somebody sent. */

const times = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join('');

test.each([
  ['one sentence of numbers', 'a.txt', `Revenue grew to ${times(60_000, (at) => `${at} million, `)}in 2024.`],
  ['numbers without an end', 'a.txt', times(120_000, (at) => `${at} `)],
  ['years without an end', 'a.txt', `In ${times(60_000, (at) => `20${10 + (at % 15)} and `)}revenue grew by 5 %.`],
  ['a cell of sentences', 'a.csv', `name,text\nx,"${times(30_000, (at) => `Revenue grew ${at} million `)}"\n`],
  ['a word of 80 kB', 'a.txt', `Revenue grew ${'ing'.repeat(27_000)} to 10 million in ${"a'".repeat(40_000)} 2024.`],
  ['a sentence again and again', 'a.txt', times(6_000, () => 'Revenue grew by 5 % to 10 million in 2024. ')],
  ['sentences alike', 'a.txt', times(6_000, (at) => `Revenue grew by ${at} % to ${at * 3} million in 2024. `)],
])('%s', { timeout: 60_000 }, async (_what, name, text) => {
  const dossier = await readDossier([{ name, bytes: Buffer.from(text) }]);
  const began = process.cpuUsage();
  let longest = 0;
  for (let step = performance.now(), steps = checkNumbersInSteps(dossier); !steps.next().done; step = performance.now())
    longest = Math.max(longest, performance.now() - step);
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(10);
  expect(longest).toBeLessThan(5_000);
});

test('a word that is longer than any has no other forms', () => {
  const word = 'ing'.repeat(100_000);
  expect([splitWords(word)[0]!.stem, stemWithIrregulars(word)]).toEqual([word, word]);
});
