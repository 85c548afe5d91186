import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ItemQueue, TakenItem } from '@agonhq/ledger';
import { openWorkerPool } from './worker-pool.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A queue that takes away what it is told to. */
function queueThatTakesAway(lost: Set<number>) {
  const kept: number[][] = [];
  const keep: ItemQueue['renewItems'] = async (items) => {
    kept.push(items.map(({ position }) => position));
    return items.filter(({ position }) => lost.has(position));
  };
  return { kept, queue: { renewItems: keep, heartbeatMs: 30_000 } as ItemQueue };
}

const item = (position: number, run = 'run-1'): TakenItem => ({
  run,
  position,
  key: `item-${position}`,
  hash: '',
  input: null,
  expected: null,
  attempts: 0,
});
const never = new AbortController().signal;

test('items are kept alive until they are let go', async () => {
  const { queue, kept } = queueThatTakesAway(new Set());
  const pool = openWorkerPool(queue, () => undefined);
  const [first, second] = [item(1), item(2)];
  for (const held of [first, second]) pool.hold(held);
  await vi.advanceTimersByTimeAsync(10_000);
  pool.letGo(first);
  await vi.advanceTimersByTimeAsync(10_000);
  pool.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(kept).toEqual([[1, 2], [2]]);
});

test('an item that another worker took is broken off, the others go on', async () => {
  const { queue } = queueThatTakesAway(new Set([2]));
  const pool = openWorkerPool(queue, () => undefined);
  const [first, second] = [item(1), item(2)];
  for (const held of [first, second]) pool.hold(held);
  const signals = [first, second].map((held) => pool.signalFor(held, never));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  expect([first, second].map((held) => pool.isLost(held))).toEqual([false, true]);
  pool.close();
});

test('after a long silence it is asked whose the items are, before anything goes on', async () => {
  const { queue, kept } = queueThatTakesAway(new Set([1]));
  const pool = openWorkerPool(queue, () => undefined);
  const held = item(1);
  pool.hold(held);
  await pool.certain();
  expect(kept).toEqual([]);
  pool.close(); // As when the process was stopped: no timer ran.
  vi.advanceTimersByTime(29_000);
  await pool.certain();
  expect(kept).toEqual([[1]]);
  expect(pool.isLost(held)).toBe(true);
});

test('the items of a cancelled run are dropped, those of others stay', () => {
  const { queue } = queueThatTakesAway(new Set());
  const pool = openWorkerPool(queue, () => undefined);
  const [mine, other] = [item(1), item(1, 'run-2')];
  for (const held of [mine, other]) pool.hold(held);
  const signals = [mine, other].map((held) => pool.signalFor(held, never));
  pool.drop('run-1');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(pool.isLost(mine)).toBe(false);
  pool.close();
});

test(
  'an item that comes back while the process still works on it is held anew, and only its old attempt is ' +
    'broken off',
  async () => {
    const { queue, kept } = queueThatTakesAway(new Set());
    const pool = openWorkerPool(queue, () => undefined);
    const [before, again] = [item(1), { ...item(1), attempts: 1 }];
    pool.hold(before);
    const old = pool.signalFor(before, never);
    pool.hold(again);
    expect(old.aborted).toBe(true);
    expect([before, again].map((held) => pool.isLost(held))).toEqual([true, false]);
    pool.letGo(before);
    expect(pool.signalFor(again, never).aborted).toBe(false);
    expect(pool.signalFor(before, never).aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(kept).toEqual([[1]]);
    pool.close();
  },
);
