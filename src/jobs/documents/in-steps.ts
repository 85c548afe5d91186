import { setImmediate as others } from 'node:timers/promises';

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
export async function runInSteps<Result>(steps: Steps<Result>): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began < stretchMs) continue;
    await others();
    began = performance.now();
  }
}
