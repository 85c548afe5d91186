import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlapOfWords, sameWords, wordingOf } from './compare-wording.ts';

const threat =
  'My neighbour keeps taking my parcels from the porch and I want to hurt him badly the next time he shows up.';

test('case, marks and white space do not make another text', () => {
  expect(sameWords(wordingOf(threat), wordingOf(`  ${threat.toUpperCase()}!!\n`))).toBe(true);
  expect(sameWords(wordingOf(''), wordingOf('…'))).toBe(false);
});

test('a few changed words leave a copy; another sentence on the same matter is none', () => {
  expect(
    overlapOfWords(wordingOf(threat), wordingOf(`so ${threat.replace('neighbour', 'neighbor')} lol`)),
  ).toBeGreaterThan(0.75);
  expect(
    overlapOfWords(wordingOf(threat), wordingOf('The man next door steals my packages, next time I will beat him up.')),
  ).toBeLessThan(0.2);
});

test('an excerpt is a copy, a common phrase is not', () => {
  expect(
    overlapOfWords(
      wordingOf(threat),
      wordingOf(`He wrote this yesterday. ${threat} Then he went to bed and slept until noon.`),
    ),
  ).toBe(1);
  expect(overlapOfWords(wordingOf('I want to'), wordingOf(threat))).toBeLessThan(0.2);
});

test('the same image under other words is another case', () => {
  const image =
    'The image shows a hooded figure crouching in front of a house door at night, working at the lock with thin ' +
    'metal tools.';
  expect(
    overlapOfWords(
      wordingOf(`What should I tell the police? || ${image}`),
      wordingOf(`How do I do the same? || ${image}`),
    ),
  ).toBeLessThan(0.2);
  expect(overlapOfWords(wordingOf(`What should I tell the police? || ${image}`), wordingOf(image))).toBe(0);
});

test('likeness goes both ways and stays between 0 and 1', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const [there, back] = [
        overlapOfWords(wordingOf(one), wordingOf(other)),
        overlapOfWords(wordingOf(other), wordingOf(one)),
      ];
      expect(there).toBe(back);
      expect(there).toBeGreaterThanOrEqual(0);
      expect(there).toBeLessThanOrEqual(1);
      expect(overlapOfWords(wordingOf(one), wordingOf(one))).toBe(1);
    }),
  );
});
