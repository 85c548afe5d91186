import { expect, test } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

const never = new AbortController().signal;

test('so many are held at once, and the others come in turn', async () => {
  const places = createConcurrencyLimit({ concurrency: 2, queue: 5 });
  const order: string[] = [];
  const leave = await places.enter(never);
  await places.enter(never);
  const third = places.enter(never).then((leave) => (order.push('third'), leave));
  const fourth = places.enter(never).then((leave) => (order.push('fourth'), leave));
  expect(places).toMatchObject({ held: 2, waiting: 2 });
  leave();
  (await third)();
  await fourth;
  expect(order).toEqual(['third', 'fourth']);
});

test('a full queue is said at once, with when to come again, and there is room again afterwards', async () => {
  const places = createConcurrencyLimit({ concurrency: 1, queue: 1 });
  const leave = await places.enter(never);
  const waiting = places.enter(never);
  await expect(places.enter(never)).rejects.toMatchObject({
    code: 'queue-full',
    hint: expect.stringMatching(/Try again in \d+ s/),
  });
  leave();
  (await waiting)();
  expect(places).toMatchObject({ held: 0, waiting: 0 });
  (await places.enter(never))();
});

test('who goes away while waiting leaves the queue', async () => {
  const places = createConcurrencyLimit({ concurrency: 1, queue: 1 });
  const leave = await places.enter(never);
  const gone = new AbortController();
  const waiting = places.enter(gone.signal);
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(places.waiting).toBe(0);
  leave();
  leave();
  expect(places.held).toBe(0);
});
