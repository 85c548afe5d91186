import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createConcurrencyLimit } from '@agonhq/engine/concurrency-limit';
import { judgeEach } from '../handlers/openai.ts';

const items = Array.from({ length: 30 }, (_, item) => item);

/** Takes a place for a while. */
function working(places: ReturnType<typeof createConcurrencyLimit>, seen: { most: number } = { most: 0 }) {
  return async (item: number, signal: AbortSignal) => {
    const leave = await places.enter(signal);
    seen.most = Math.max(seen.most, places.held);
    await pause(1 + ((item * 7) % 5));
    leave();
    return item * 2;
  };
}

test('results keep the order of what was given, whoever is ready first', async () => {
  const limits = { concurrency: 4, queue: 0 };
  const places = createConcurrencyLimit(limits);
  const seen = { most: 0 };
  expect(
    await judgeEach(items, working(places, seen), { places, concurrency: 4, signal: new AbortController().signal }),
  ).toEqual(items.map((item) => item * 2));
  expect(seen.most).toBe(4);
});

test('a long list takes what is free, and never turns itself away', async () => {
  const places = createConcurrencyLimit({ concurrency: 3, queue: 0 });
  const others = [await places.enter(new AbortController().signal), await places.enter(new AbortController().signal)];
  expect(
    await judgeEach(items, working(places), { places, concurrency: 3, signal: new AbortController().signal }),
  ).toHaveLength(30);
  for (const leave of others) leave();
});

test('where there is no place for the first, there is none for all', async () => {
  const places = createConcurrencyLimit({ concurrency: 1, queue: 0 });
  await places.enter(new AbortController().signal);
  await expect(
    judgeEach(items, working(places), { places, concurrency: 1, signal: new AbortController().signal }),
  ).rejects.toMatchObject({ code: 'queue-full' });
});

test('what fails for one stops the others', async () => {
  const places = createConcurrencyLimit({ concurrency: 2, queue: 0 });
  const begun: number[] = [];
  const judge = async (item: number) => {
    begun.push(item);
    await pause(1);
    if (item === 3) throw new Error('no');
    return item;
  };
  await expect(
    judgeEach(items, judge, { places, concurrency: 0, signal: new AbortController().signal }),
  ).rejects.toThrow('no');
  await pause(20);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('nothing is begun for somebody who has gone', async () => {
  const places = createConcurrencyLimit({ concurrency: 2, queue: 0 });
  const gone = new AbortController();
  gone.abort(new Error('gone'));
  await expect(judgeEach(items, working(places), { places, concurrency: 2, signal: gone.signal })).rejects.toThrow(
    'gone',
  );
  expect(places.held).toBe(0);
});
