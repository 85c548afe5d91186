import { setImmediate as turnOfTheLoop, setImmediate as others } from 'node:timers/promises';

/** Runs generators side by side and returns in their order; the first failure, or leaving early, stops the others. */
export async function* runInParallel<Event, Result>(
  tasks: readonly ((signal: AbortSignal) => AsyncGenerator<Event, Result, void>)[],
  limit: number,
  outer?: AbortSignal,
): AsyncGenerator<Event, Result[], void> {
  const stop = new AbortController();
  const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal;
  const results: Result[] = [];
  const events: Event[] = [];
  let wake = () => {};
  let next = 0;
  let failure: { error: unknown } | undefined;

  async function work(): Promise<void> {
    while (next < tasks.length && !failure && !stop.signal.aborted) {
      const index = next++;
      try {
        const running = tasks[index]!(signal);
        let step = await running.next();
        for (; !step.done; step = await running.next()) {
          events.push(step.value);
          wake();
        }
        results[index] = step.value;
        // Work that never waits would leave no turn to timers, nor to Ctrl-C.
        await turnOfTheLoop();
        if (next < tasks.length) signal.throwIfAborted();
      } catch (error) {
        failure ??= { error };
        stop.abort(error);
      }
    }
  }

  let done = false;
  const workers = Promise.all(Array.from({ length: Math.max(1, Math.min(limit, tasks.length)) }, work)).then(() => {
    done = true;
    wake();
  });
  try {
    while (true) {
      while (events.length > 0) yield events.shift()!;
      if (done) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    if (!done) stop.abort();
    await workers;
  }
  if (failure) throw failure.error;
  return results;
}

/** Work that can be laid down between its steps. */
export type Steps<Result> = Generator<void, Result, void>;

/** How long others wait at most. */
const stretchMs = 20;

export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Lets whatever else the process does have its turn now and then: a long document takes seconds. */
export async function runInSteps<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began < stretchMs) continue;
    await others();
    signal?.throwIfAborted();
    began = performance.now();
  }
}
