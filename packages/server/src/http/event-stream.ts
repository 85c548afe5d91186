import type { EventSource, SentEvent } from '../reply.ts';
import { AgonError } from '@agonhq/engine/agon-error';

/** A comment now and then, so that proxies and clients know that the stream lives. */
const heartbeatMs = 15_000;
const encoder = new TextEncoder();

/** Events as a body that is read as fast as the client reads: nothing piles up for a slow one. */
export function createEventStream(
  source: EventSource,
  { after, signal, onEnd }: { after: string | null; signal: AbortSignal; onEnd: () => void },
): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const listening = AbortSignal.any([signal, gone.signal]);
  const events = source({ after, signal: listening })[Symbol.asyncIterator]();
  let step: Promise<IteratorResult<SentEvent>> | null = null;
  let came = false;
  let wake = () => {};
  let over = false;

  /** Asked for once, however often the heart beats while nothing comes: each look at a promise stays with it. */
  function ask(): Promise<IteratorResult<SentEvent>> {
    came = false;
    const next = events.next();
    const tell = () => {
      came = true;
      wake();
    };
    next.then(tell, tell);
    return next;
  }

  function end(): void {
    if (over) return;
    over = true;
    gone.abort();
    void events.return?.();
    onEnd();
  }
  signal.addEventListener('abort', end, { once: true });

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(': listening\n\n')),
      async pull(controller) {
        step ??= ask();
        const { promise: woken, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = setTimeout(resolve, heartbeatMs);
        try {
          if (!came) await woken;
          if (!came) return controller.enqueue(encoder.encode(': \n\n'));
          const { done, value } = await step;
          step = null;
          if (!done) return controller.enqueue(encoder.encode(writeEvent(value)));
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}

/** JSON holds no line break, so that one line of data is all of it. */
function writeEvent({ id, type, data }: SentEvent): string {
  return `id: ${id.replace(/[\r\n\0]/g, ' ')}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The event streams that are open, of all clients together. */
export interface OpenStreams {
  /** Throws (`too-many-streams`) when there is no room for another. */
  open(source: EventSource, request: Request): ReadableStream<Uint8Array>;
}

export function limitStreams(most: number, counted: (change: 1 | -1) => void): OpenStreams {
  let streams = 0;

  function count(change: 1 | -1): void {
    streams += change;
    counted(change);
  }

  return {
    open(source, { headers, signal }) {
      if (streams >= most)
        throw new AgonError(
          'too-many-streams',
          `${streams} streams are open, which is the limit.`,
          'Close some, or try again later; server.streams sets the limit.',
        );
      count(1);
      return createEventStream(source, { after: headers.get('last-event-id'), signal, onEnd: () => count(-1) });
    },
  };
}
