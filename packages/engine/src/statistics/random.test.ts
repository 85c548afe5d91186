import { expect, test } from 'vitest';
import { randomNumbers, shuffle, shuffleByLot } from './random.ts';

test('a seed gives the numbers that recorded folds, samples and intervals were made with', () => {
  const random = randomNumbers(1);
  expect([random(), random(), random()]).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
});

test('a seed gives the orders that recorded batches and examples were drawn in', () => {
  const letters = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect(shuffle(letters, randomNumbers(7)).join('')).toBe('ebcdfa');
  expect(shuffleByLot(letters, randomNumbers(7)).join('')).toBe('abfedc');
});
