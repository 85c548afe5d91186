import { AgonClientError, errorFrom } from './client-error.ts';
import { waitBeforeRetry, pauseBeforeRetry, passes } from './retry.ts';
import type { Reach } from './request.ts';
import type { CallOptions } from './types.ts';

type Item = Record<string, unknown>;
interface Answered {
  offset: number;
  end?: { next: number; complete: boolean };
}

const encoder = new TextEncoder();
/** Browsers send no body while they read its answer: there, so many items go in a request. */
const itemsAtOnce = 100;
/** Sent and without a result: more are taken when some have theirs. */
const mostOpen = 1_000;

/**
 * The results of items as they come, in their order. A connection that is lost, or that the server ends, is made again
 * behind the last result; items are kept until theirs has come.
 */
export async function* judgeLines(
  address: string,
  items: AsyncIterable<Item> | Iterable<Item>,
  { query = {}, options = {} }: { query?: Record<string, unknown>; options?: CallOptions },
  reach: Reach,
): AsyncGenerator<Answered, void, void> {
  const source = placeItems(items, Number(query['from'] ?? 0));
  /** Lines that are sent, and without a result yet. */
  let open: string[] = [];
  let isOver = false;
  let change = Promise.withResolvers<void>();
  const changed = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  /** The next item, once it is asked for: a request that is cut off meanwhile leaves it to the one after. */
  let coming: Promise<IteratorResult<string, void>> | null = null;
  for (let attempt = 0; ;) {
    const again = open;
    const sent: string[] = (open = []);
    const isFull = () => open === sent && sent.length >= mostOpen;
    const body = sendItems(again, {
      limit: isBrowser() ? itemsAtOnce : Infinity,
      async next() {
        while (isFull()) await change.promise;
        if (open !== sent) return null;
        const step = await (coming ??= source.next());
        if (open !== sent) return null;
        coming = null;
        if (!step.done) return step.value;
        isOver = true;
        return null;
      },
      onSend: (line) => void sent.push(line),
    });
    try {
      for await (const result of askOnce(address, query, body, reach, options)) {
        if (result.end) break;
        attempt = 0;
        // Results come in the order of their lines.
        open.shift();
        changed();
        yield result;
      }
      open = [...sent, ...again];
      changed();
      if (isOver && open.length === 0) return;
    } catch (error) {
      options.signal?.throwIfAborted();
      const mayPass = error instanceof AgonClientError && (error.code === 'lost-stream' || passes(error, true));
      const wait = mayPass && attempt < (options.retries ?? reach.retries) ? pauseBeforeRetry(attempt, null) : null;
      if (wait === null) throw error;
      open = [...sent, ...again];
      changed();
      await waitBeforeRetry(wait, options.signal);
      attempt += 1;
    }
  }
}

async function* placeItems(
  items: AsyncIterable<Item> | Iterable<Item>,
  from: number,
): AsyncGenerator<string, void, void> {
  let next = from;
  for await (const item of items) {
    const offset = typeof item['offset'] === 'number' ? item['offset'] : next;
    next = Math.max(next, offset + 1);
    yield `${JSON.stringify({ ...item, offset })}\n`;
  }
}

interface Sending {
  /** Items in one request at most. */
  limit: number;
  /** Null where there is none for this request. */
  next(): Promise<string | null>;
  onSend(line: string): void;
}

/** What had no result yet, taken off its list, and then the rest. */
async function* sendItems(
  again: string[],
  { limit, next, onSend }: Sending,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  for (let sent = 0; again.length > 0 || sent < limit; sent += 1) {
    const line = again.shift() ?? (await next());
    if (line === null) return;
    onSend(line);
    yield encoder.encode(line);
  }
}

/** `ReadableStream.from` is not known everywhere. */
function streamOf(lines: AsyncGenerator<Uint8Array<ArrayBuffer>, void, void>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void lines.return(),
  });
}

async function* askOnce(
  address: string,
  query: Record<string, unknown>,
  lines: AsyncGenerator<Uint8Array<ArrayBuffer>, void, void>,
  { baseUrl, key, fetch }: Reach,
  { signal, headers }: CallOptions,
): AsyncGenerator<Answered, void, void> {
  const { from: _, ...named } = query;
  const asked = new URLSearchParams(
    Object.entries(named).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, JSON.stringify(value).replaceAll('"', '')]],
    ),
  ).toString();
  const stop = new AbortController();
  const isWhole = isBrowser();
  const body = isWhole ? await gather(lines) : streamOf(lines);
  try {
    const response = await fetch(`${baseUrl}${address}${asked === '' ? '' : `?${asked}`}`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/x-ndjson',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
      body,
      ...(isWhole ? {} : { duplex: 'half' }),
    }).catch((error: unknown) => {
      throw lost(error);
    });
    if (!response.ok) throw await errorFrom(response);
    yield* readResults(response);
  } finally {
    stop.abort();
  }
}

async function* readResults(response: Response): AsyncGenerator<Answered, void, void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let begun = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw lost(error);
      });
      // A stream that ends well says so.
      if (done) throw lost();
      const lines = `${begun}${value}`.split('\n');
      begun = lines.pop()!;
      for (const line of lines) {
        const result = JSON.parse(line) as Answered;
        yield result;
        if (result.end) return;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function gather(lines: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const line of lines) parts.push(line);
  return new Blob(parts);
}

function isBrowser(): boolean {
  return 'window' in globalThis;
}

function lost(cause?: unknown): AgonClientError {
  return new AgonClientError(
    'lost-stream',
    'The connection was lost before the stream had ended.',
    'Go on behind the last offset that came: what was judged is recalled.',
    { cause },
  );
}
