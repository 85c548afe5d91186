import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeatRegularly } from './repeat-regularly.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what takes long is not begun again before it has ended', async () => {
  const calls: PromiseWithResolvers<void>[] = [];
  const end = repeatRegularly(
    1_000,
    () => {
      calls.push(Promise.withResolvers<void>());
      return calls.at(-1)!.promise;
    },
    () => undefined,
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls).toHaveLength(1);
  calls[0]!.resolve();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(calls).toHaveLength(2);
  calls[1]!.resolve();
  await end();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls).toHaveLength(2);
});

test('a failure is told, and it goes on; who ends it waits for what is under way', async () => {
  const problems: unknown[] = [];
  let calls = 0;
  const last = Promise.withResolvers<void>();
  const end = repeatRegularly(
    1_000,
    () => ((calls += 1) === 1 ? Promise.reject(new Error('away')) : last.promise),
    (error) => void problems.push(error),
  );
  await vi.advanceTimersByTimeAsync(2_000);
  expect(problems).toEqual([new Error('away')]);
  let ended = false;
  const ending = end().then(() => void (ended = true));
  await vi.advanceTimersByTimeAsync(10);
  expect(ended).toBe(false);
  last.resolve();
  await ending;
  expect(calls).toBe(2);
});
