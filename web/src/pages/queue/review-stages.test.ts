import { expect, test } from 'vitest';
import { findNextCase } from './review-stages.ts';

const rows = [
  { id: 'a', heldBy: 'bob' },
  { id: 'b', heldBy: null },
  { id: 'c', heldBy: null },
];

test('the next case is the most urgent one that nobody holds and that was not passed by', () => {
  expect(findNextCase(rows, new Set())).toBe('b');
  expect(findNextCase(rows, new Set(['b']))).toBe('c');
  expect(findNextCase(rows, new Set(['b', 'c']))).toBeNull();
  expect(findNextCase([], new Set())).toBeNull();
});
