import { expect, test } from 'vitest';
import { createSequence } from '@agonhq/engine/concurrency-limit';

test('work is done one after the other, and goes on after a failure', async () => {
  const line = createSequence();
  const said: string[] = [];
  const work = (name: string) => async () => {
    said.push(`${name} begins`);
    await Promise.resolve();
    said.push(`${name} ends`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const done = await Promise.allSettled(['a', 'b', 'c'].map((name) => line.take(work(name))));
  expect(said).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('whoever left is passed over, and one too many is told to come again', async () => {
  const line = createSequence(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = line.take(() => promise);
  await Promise.resolve();
  const leave = new AbortController();
  let done = false;
  const second = line.take(async () => (done = true), leave.signal);
  await expect(line.take(async () => 3)).rejects.toMatchObject({ code: 'queue-full' });
  leave.abort();
  resolve();
  await first;
  await expect(second).rejects.toThrow();
  expect(done).toBe(false);
  expect(await line.take(async () => 4)).toBe(4);
});
