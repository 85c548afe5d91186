import { expect, test } from 'vitest';
import { gatherWrites } from './gather-writes.ts';

test('what comes while one write is under way goes together with the next', async () => {
  const batches: number[][] = [];
  const write = gatherWrites<number, string>(async (values) => {
    batches.push([...values]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return values.map((value) => `wrote ${value}`);
  });
  const first = [write(1), write(2)];
  await new Promise((resolve) => setTimeout(resolve, 1));
  const later = [write(3), write(4), write(5)];
  expect(await Promise.all([...first, ...later])).toEqual(['wrote 1', 'wrote 2', 'wrote 3', 'wrote 4', 'wrote 5']);
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
});

test('a write has at most so many', async () => {
  const sizes: number[] = [];
  const write = gatherWrites<number, number>(async (values) => (sizes.push(values.length), values), { atMost: 2 });
  await Promise.all([1, 2, 3, 4, 5].map(write));
  expect(sizes).toEqual([2, 2, 1]);
});

test('a write that fails is told to those of its batch alone, and the next goes on', async () => {
  const write = gatherWrites<number, number>(
    async (values) => {
      if (values.includes(2)) throw new Error('refused');
      return values;
    },
    { atMost: 2 },
  );
  const settled = await Promise.allSettled([1, 2, 3].map(write));
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await write(4)).toBe(4);
});
