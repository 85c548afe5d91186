import { describe, expect, test } from 'vitest';
import { runInParallel } from './run-tasks.ts';

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function run<Event, Result>(trial: AsyncGenerator<Event, Result, void>) {
  const events: Event[] = [];
  for (let next = await trial.next(); ; next = await trial.next()) {
    if (next.done) return { events, result: next.value };
    events.push(next.value);
  }
}

describe('generators side by side', () => {
  test('yield as it comes, and return in their order', async () => {
    const task = (name: string, delay: number) =>
      async function* () {
        await wait(delay);
        yield name;
        return name.toUpperCase();
      };
    expect(await run(runInParallel([task('slow', 40), task('fast', 1)], 2))).toEqual({
      events: ['fast', 'slow'],
      result: ['SLOW', 'FAST'],
    });
    expect(await run(runInParallel([], 2))).toEqual({ events: [], result: [] });
  });

  test('the first failure stops the others, after what came before it', async () => {
    const stopped: unknown[] = [];
    async function* failing() {
      yield 'before';
      throw new Error('broken');
    }
    async function* patient(signal: AbortSignal) {
      yield 'begun';
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      stopped.push(signal.reason);
      throw signal.reason;
    }
    const never = async function* () {
      yield 'never';
    };
    const events: string[] = [];
    const read = async () => {
      for await (const event of runInParallel<string, void>([failing, patient, never], 2)) events.push(event);
    };
    await expect(read()).rejects.toThrow('broken');
    expect(events.toSorted()).toEqual(['before', 'begun']);
    expect(stopped).toHaveLength(1);
  });

  test('leaving early stops them', async () => {
    let aborted = false;
    async function* patient(signal: AbortSignal) {
      yield 'begun';
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      aborted = true;
    }
    for await (const _ of runInParallel([patient], 1)) break;
    expect(aborted).toBe(true);
  });

  test('tasks that never wait leave a turn to whoever stops them', async () => {
    const controller = new AbortController();
    let started = 0;
    const tasks = Array.from(
      { length: 2000 },
      () =>
        async function* () {
          started += 1;
          for (const until = performance.now() + 1; performance.now() < until;);
          yield started;
        },
    );
    setTimeout(() => controller.abort(new Error('stopped')), 5);
    const running = runInParallel(tasks, 4, controller.signal);
    await expect(
      (async () => {
        for await (const _ of running);
      })(),
    ).rejects.toThrow('stopped');
    expect(started).toBeLessThan(2000);
  });
});
