import { expect, test } from 'vitest';
import { numbersIn } from './number-range.ts';

test.each<[string, number[]]>([
  ['3', [3]],
  ['2..5', [2, 3, 4, 5]],
  ['1,4', [1, 4]],
  ['2..3, 3..4', [2, 3, 4]],
  ['4..4', [4]],
])('%s are the numbers %j', (text, numbers) => {
  expect(numbersIn('--rounds', text, [1, 10])).toEqual(numbers);
});

test.each([['0'], ['11'], ['5..2'], ['1..99999999'], ['x'], [''], ['1,'], ['-1'], ['1.5']])('%j is refused', (text) => {
  expect(() => numbersIn('--rounds', text, [1, 10])).toThrow(expect.objectContaining({ code: 'bad-flag' }));
});
