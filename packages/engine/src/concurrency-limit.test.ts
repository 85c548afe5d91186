import { afterEach, describe, expect, test, vi } from 'vitest';
import { createConcurrencyLimit, createSequence } from './concurrency-limit.ts';

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

describe('when to come again', () => {
  afterEach(() => void vi.useRealTimers());

  test('follows from how long the last took, how many wait and how many are held at once: a second to a minute', async () => {
    vi.useFakeTimers();
    const places = createConcurrencyLimit({ concurrency: 2 });
    expect(places.retryAfter()).toBe(1);
    const leaves = [await places.enter(never), await places.enter(never)];
    await vi.advanceTimersByTimeAsync(10_000);
    for (const leave of leaves) leave();
    expect(places.retryAfter()).toBe(5);
    const [held] = [await places.enter(never), await places.enter(never)];
    const waiting = [places.enter(never), places.enter(never)];
    expect(places.retryAfter()).toBe(15);
    await vi.advanceTimersByTimeAsync(300_000);
    held();
    await waiting[0];
    expect(places.retryAfter()).toBe(60);
  });

  test('forgets what is long ago', async () => {
    vi.useFakeTimers();
    const places = createConcurrencyLimit({ concurrency: 1 });
    const slow = await places.enter(never);
    await vi.advanceTimersByTimeAsync(50_000);
    slow();
    for (let times = 0; times < 49; times += 1) {
      const leave = await places.enter(never);
      await vi.advanceTimersByTimeAsync(2_000);
      leave();
    }
    expect(places.retryAfter()).toBe(3);
    (await places.enter(never))();
    expect(places.retryAfter()).toBe(2);
  });
});

test('who has gone away before asking gets no place', async () => {
  const places = createConcurrencyLimit({ concurrency: 1 });
  await expect(places.enter(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(places.held).toBe(0);
});

describe('work in sequence', () => {
  test('is done one after the other, whatever becomes of those before', async () => {
    const sequence = createSequence();
    const order: string[] = [];
    const work = (name: string, outcome: () => void) =>
      sequence.take(async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
        outcome();
        return name;
      });
    const broken = work('a', () => {
      throw new Error('broken');
    });
    const sound = work('b', () => {});
    await expect(broken).rejects.toThrow('broken');
    expect(await sound).toBe('b');
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  test('passes over who has gone away, and refuses when too many wait', async () => {
    const sequence = createSequence(2);
    const gone = new AbortController();
    let done = 0;
    const first = sequence.take(async () => void (done += 1));
    const second = sequence.take(async () => void (done += 1), gone.signal);
    const third = sequence.take(async () => {});
    gone.abort(new Error('gone'));
    await expect(third).rejects.toMatchObject({ code: 'queue-full' });
    await expect(second).rejects.toThrow('gone');
    await first;
    expect(done).toBe(1);
    expect(await sequence.take(async () => 'again')).toBe('again');
  });
});
