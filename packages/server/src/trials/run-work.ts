import { assertNotDraining, type ServerContext } from '../server-context.ts';
import type { Asking } from './run-trial.ts';
import { createChannel } from '@agonhq/engine/debate';
import { replyWithEvents, Reply, type SentEvent } from '../reply.ts';

/** Tells something while the work goes on. */
export type TellProgress = (type: string, data: object) => void;

/** Work that takes its time: it holds a place as a trial does, tells how far it is, and comes to a report. */
export interface Work<Report extends object> {
  /** Work of the same key is one: who asks for what is under way joins. */
  key: string;
  /** Aborts when nobody waits for it any more, or it takes too long. */
  run(signal: AbortSignal, tell: TellProgress): Promise<Report>;
}

/** Works for a client: the report when it is there, or what is told on the way, with the report as its last event. */
export async function runWork<Report extends object>(
  { signal, wantsEvents }: Asking,
  context: ServerContext,
  { key, run }: Work<Report>,
): Promise<Reply> {
  assertNotDraining(context);
  const live = await context.trials.startOrJoin<Report>(
    {
      key,
      hold: (stop) => streamWork((tell) => run(stop, tell)),
      conclude: (report): SentEvent => ({ id: 'report', type: 'report', data: { type: 'report', report } }),
    },
    signal,
  );
  if (wantsEvents) return replyWithEvents((options) => live.subscribe(options));
  return new Reply({ json: await live.waitForResult(signal) });
}

/** What work tells, as it is told, and then what it returns. */
async function* streamWork<Result>(
  work: (tell: TellProgress) => Promise<Result>,
): AsyncGenerator<SentEvent, Result, void> {
  const waiting = createChannel<SentEvent>();
  let number = 0;
  const result = work((type, data) =>
    waiting.push({ id: String((number += 1)), type, data: { type, ...data } }),
  ).finally(() => waiting.close());
  result.catch(() => undefined);
  yield* waiting;
  return result;
}

/** At most so often, and at the end: progress is for people. */
const progressMs = 250;

/** Tells how far work is, not oftener than somebody can read it. */
export function createProgressTeller(tell: TellProgress): (done: number, total: number | null) => void {
  let last = -Infinity;
  return (done, total) => {
    const now = performance.now();
    if (now - last < progressMs && done !== total) return;
    last = now;
    tell('progress', { done, total });
  };
}
