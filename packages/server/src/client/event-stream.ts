import { createParser } from 'eventsource-parser';
import { AgonClientError, errorOf } from './client-error.ts';
import { passes, waitBeforeRetry, pauseBeforeRetry } from './retry.ts';
import { request, type RequestCall, type Reach } from './request.ts';
import type { EventStream } from './types.ts';

interface Told {
  type: string;
  [member: string]: unknown;
}

/** What ends a stream well, and which of its members is the answer; null where it is the event itself. */
const endings: Record<string, string | null> = { answer: 'answer', report: 'report', end: null };

/** The server says something every 15 s, if only that it lives. */
const stallMs = 60_000;

/**
 * The events of a call. A connection that is lost is made again, from after the last event that was heard: events of a
 * trial come once each, whatever happens in between.
 */
export function eventStream(call: RequestCall, reach: Reach): EventStream<Told, unknown> {
  const events = hear(call, reach);
  let left: IteratorResult<Told, unknown> | null = null;
  const next = async () => {
    const step = await events.next();
    if (step.done) left ??= step;
    return step;
  };
  const leave = async () => {
    left ??= { done: true, value: undefined };
    return events.return(undefined);
  };
  return {
    [Symbol.asyncIterator]: () => ({ next, return: leave }),
    async answer() {
      let step = left ?? (await next());
      while (!step.done) step = await next();
      if (step.value === undefined)
        throw new AgonClientError(
          'stream-left',
          'The stream was left before its end.',
          'Hear it to its end, or ask for the answer by the id of the case.',
        );
      return step.value;
    },
  };
}

async function* hear(call: RequestCall, reach: Reach): AsyncGenerator<Told, unknown, void> {
  const { route, options } = call;
  const resumable = route.method === 'GET' || call.idempotencyKey !== undefined;
  const retries = options.retries ?? reach.retries;
  const heard = new Set<string>();
  let last = options.lastEventId ?? null;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const { response } = await request(call, reach, { events: true, lastEventId: last });
      for await (const { id, data } of messagesOf(response, options.signal)) {
        attempt = 0;
        if (id !== undefined) last = id;
        if (route.isTrial && id !== undefined) {
          // What is behind the @ says who told it: from another trial, or from the record, an event may come again.
          const name = id.replace(/@\w+$/, '');
          if (heard.has(name)) continue;
          heard.add(name);
        }
        const event = JSON.parse(data) as Told;
        if (event.type === 'problem') throw problemIn(event, response);
        yield event;
        const member = endings[event.type];
        if (member !== undefined) return member === null ? event : event[member];
      }
      throw lost();
    } catch (error) {
      options.signal?.throwIfAborted();
      const wait =
        error instanceof AgonClientError &&
        resumable &&
        attempt < retries &&
        (error.code === 'lost-stream' || passes(error, true))
          ? pauseBeforeRetry(attempt, null)
          : null;
      if (wait === null) throw error;
      await waitBeforeRetry(wait, options.signal);
    }
  }
}

function lost(cause?: unknown): AgonClientError {
  return new AgonClientError(
    'lost-stream',
    'The connection was lost before the stream had ended.',
    'Try again: arguments made so far are recalled.',
    { cause },
  );
}

function problemIn({ problem }: Told, response: Response): AgonClientError {
  const said = (problem ?? {}) as { status?: number; code?: string };
  return errorOf(said, { status: said.status ?? response.status, requestId: response.headers.get('x-request-id') });
}

async function* messagesOf(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ id?: string | undefined; data: string }, void, void> {
  const waiting: { id?: string | undefined; data: string }[] = [];
  const parser = createParser({ onEvent: (message) => void waiting.push(message) });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), signal);
      if (done) return;
      parser.feed(value);
      yield* waiting.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** A connection that says nothing is lost, though nobody told us. */
async function within<Value>(reading: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(lost()), stallMs)));
  try {
    return await Promise.race([reading, silence]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof AgonClientError ? error : lost(error);
  } finally {
    clearTimeout(timer);
  }
}
