import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batchItems } from '../conduct/load-items.ts';

const never = new AbortController().signal;

async function* numbers(count: number) {
  for (let number = 1; number <= count; number++) yield number;
}

async function listOf(batches: AsyncIterable<number[]>): Promise<number[][]> {
  const list: number[][] = [];
  for await (const batch of batches) list.push(batch);
  return list;
}

test('items come in full batches while there are enough, and the rest at the end', async () => {
  expect(await listOf(batchItems(numbers(7), { size: 3, withinMs: 1_000, signal: never }))).toEqual([
    [1, 2, 3],
    [4, 5, 6],
    [7],
  ]);
  expect(await listOf(batchItems(numbers(0), { size: 3, withinMs: 1_000, signal: never }))).toEqual([]);
});

test('what has come does not wait for a source that is silent', async () => {
  const silence = Promise.withResolvers<void>();
  async function* slow() {
    yield 1;
    yield 2;
    await silence.promise;
    yield 3;
  }
  const batches = batchItems(slow(), { size: 100, withinMs: 20, signal: never });
  expect(await batches.next()).toEqual({ value: [1, 2], done: false });
  silence.resolve();
  expect(await batches.next()).toEqual({ value: [3], done: false });
});

test('an abort ends it at once, even amid a silence', async () => {
  const stop = new AbortController();
  async function* silent() {
    yield 1;
    await new Promise<never>(() => {});
  }
  const reading = listOf(batchItems(silent(), { size: 100, withinMs: 10_000, signal: stop.signal }));
  await pause(10);
  stop.abort();
  expect(await reading).toEqual([]);
});

test('an error of the source comes out', async () => {
  async function* broken() {
    yield 1;
    throw new Error('broken');
  }
  await expect(listOf(batchItems(broken(), { size: 5, withinMs: 10, signal: never }))).rejects.toThrow('broken');
});
