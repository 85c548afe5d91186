import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Job } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { runStream, type JudgedRecord, type StreamRecord } from '@agonhq/core/streams';
import type { GroupOf, Handlers, Request } from '../handler.ts';
import { parseWith } from '../http/read-request.ts';
import { Reply } from '../reply.ts';
import { assertNotDraining, type ServerContext } from '../server-context.ts';
import { openAnswerLines } from '../streams/answer-lines.ts';
import { followBody, items } from '../streams/body-source.ts';
import { openRequestedTrial } from './judging.ts';
import { startTrial } from '../trials/run-trial.ts';

/**
 * A request may take no longer to arrive than the server is patient: a stream ends well before, and is gone on with.
 */
const partOfPatience = 0.9;
const mostStreams = 64;
let open = 0;

export const streamHandlers: Handlers<GroupOf<'streams'>> = {
  'streams.judge'(request, context) {
    assertNotDraining(context);
    const { query, lines, signal } = request;
    const job = context.jobs.require(query.job ?? 'moderation');
    if (open >= mostStreams)
      throw new AgonError('too-many-streams', `${open} streams are open, which is the limit.`, 'Try again later.');
    open += 1;
    const gone = new AbortController();
    const left = AbortSignal.any([signal, gone.signal]);
    const answer = openAnswerLines(left);
    const positions = keepPositions(context.ledger, query.stream);
    let next = query.from ?? 0;
    const drain = AbortSignal.any([context.draining, AbortSignal.timeout(partOfPatience * context.requestMs)]);
    void runStream({
      stream: query.stream ?? 'request',
      source: followBody(lines!, {
        from: next,
        async onCommit(then) {
          // What was said again moves nothing.
          if (then === next) return;
          next = then;
          await positions.keep(next - 1);
        },
      }),
      sink: answer.sink,
      concurrency: context.limits.concurrency,
      signal: left,
      drain,
      surface: 'api',
      judge: (record, stop) => judgeRecord(job, record, { request, context, signal: stop }),
    })
      .then(({ judged, failed }) => answer.end({ end: { next, judged, failed, complete: !drain.aborted } }))
      .catch((error: unknown) => {
        context.log({ level: 'warn', event: 'stream', code: AgonError.is(error) ? error.code : 'internal' });
        answer.end(null);
      })
      .then(() => positions.close())
      .finally(() => (open -= 1));
    return new Reply(
      { body: leaving(answer.lines, () => gone.abort()), type: 'application/x-ndjson' },
      { headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' } },
    );
  },

  async 'streams.get'({ params: { stream } }, { ledger }) {
    const kept = await ledger.streams.findPosition(nameInLedger(stream));
    if (!kept)
      throw new AgonError(
        'unknown-stream',
        `Nothing was delivered yet of a stream ${stream}.`,
        'Begin it with POST /api/stream?stream=NAME.',
      );
    return { stream, offset: kept.position, movedAt: kept.movedAt };
  },
};

/** Passes on what is read; whoever stops reading has left. */
async function* leaving(lines: AsyncGenerator<string, void, void>, onLeave: () => void) {
  try {
    yield* lines;
  } finally {
    onLeave();
  }
}

interface Judging {
  request: Request<'streams.judge'>;
  context: ServerContext;
  signal: AbortSignal;
}

/** Judges a line as a request by itself would be; where there is no place for it yet, it waits for one. */
async function judgeRecord(
  job: Job,
  record: StreamRecord,
  { request, context, signal }: Judging,
): Promise<JudgedRecord> {
  const key = record.key ?? String(record.offset);
  try {
    await whenAllowed(() => request.countRequest(), signal);
    const given = parseWith(job.request.schema, items.get(record), 'body');
    const trial = await openRequestedTrial(job, { files: [], signal, item: record.key || undefined }, context, given);
    const live = await whenAllowed(() => startTrial(context, trial, signal, false), signal);
    const answer = await live.waitForResult(signal);
    const { label, risk, escalate, rule, categories } = job.summarize(answer);
    return { key, outcome: { case: answer.id, label, risk, escalate, rule: rule.id, categories } };
  } catch (error) {
    if (AgonError.is(error)) return { key, error };
    signal.throwIfAborted();
    context.log({ level: 'error', event: 'failure', request: request.requestId, error: String(error) });
    return {
      key,
      error: new AgonError('internal', 'Something went wrong inside Agon.', 'Send the line again.', { cause: error }),
    };
  }
}

/** Waits while the server has no place or the key has used up its requests: the stream is paused. */
async function whenAllowed<Result>(work: () => Result | Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!AgonError.is(error) || (error.code !== 'queue-full' && error.code !== 'rate-limited')) throw error;
      await pause(250, undefined, { signal });
    }
  }
}

const keepMs = 1_000;

/** Notes how far a stream is, now and then and at its end. */
function keepPositions(ledger: Ledger, stream: string | undefined) {
  let last: number | null = null;
  let keptAt = performance.now();
  const keep = async () => {
    if (stream === undefined || last === null) return;
    keptAt = performance.now();
    await ledger.streams.keepPosition(nameInLedger(stream), last);
  };
  return {
    async keep(offset: number) {
      last = offset;
      if (performance.now() - keptAt > keepMs) await keep();
    },
    close: () => keep().catch(() => undefined),
  };
}

function nameInLedger(stream: string): string {
  return `api/stream/${stream}`;
}
