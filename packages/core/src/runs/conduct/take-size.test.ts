import { expect, test } from 'vitest';
import { createTakeSize } from './take-size.ts';

/** What is taken at once when each of `concurrency` items takes so long. */
function settleOn(concurrency: number, itemMs: number): number {
  let clock = 0;
  const take = createTakeSize(concurrency, () => clock);
  for (let times = 0; times < 40; times += 1) {
    const size = take.next();
    take.note(size);
    clock += (size * itemMs) / concurrency;
  }
  return take.next();
}

test('what takes a minute is taken by the quarter of what is judged at once', () => {
  expect([settleOn(16, 60_000), settleOn(1, 60_000)]).toEqual([4, 1]);
});

test('what takes a millisecond is taken by the hundreds, and never more than 500', () => {
  expect(settleOn(16, 1)).toBe(500);
  expect(settleOn(1_000, 0.1)).toBe(500);
});

test('what is taken lasts a quarter of a second at most, where more than the least is taken', () => {
  for (const itemMs of [3, 10, 30, 100]) {
    const size = settleOn(16, itemMs);
    if (size > 4) expect((size * itemMs) / 16).toBeLessThanOrEqual(250);
  }
});
