import type { IncomingMessage } from 'node:http';

/**
 * An answer that is here already, in as much of a Response as the SDK reads: the built-in one puts web streams around
 * its bytes, which take longer than all the rest of reading it.
 */
export function wholeResponse(incoming: IncomingMessage, bytes: Buffer): Response {
  const status = incoming.statusCode ?? 502;
  const text = () => bytes.toString('utf8');
  const response: WholeResponse = {
    ok: status >= 200 && status < 300,
    status,
    statusText: incoming.statusMessage ?? '',
    headers: headersOf(incoming),
    body: bytes.length === 0 ? null : wholeBody(bytes),
    text: async () => text(),
    json: async () => JSON.parse(text()) as unknown,
    arrayBuffer: async () => Uint8Array.from(bytes).buffer,
  };
  return response as Response;
}

interface WholeResponse extends Pick<Response, 'ok' | 'status' | 'statusText' | 'text' | 'json' | 'arrayBuffer'> {
  headers: Pick<Headers, 'get' | 'has'> & Iterable<[string, string]>;
  body: (Pick<ReadableStream<Uint8Array>, 'cancel' | 'pipeThrough'> & { getReader(): unknown }) | null;
}

function headersOf({ rawHeaders }: IncomingMessage): WholeResponse['headers'] {
  const values = new Map<string, string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const before = values.get(name);
    values.set(name, before === undefined ? rawHeaders[i + 1]! : `${before}, ${rawHeaders[i + 1]!}`);
  }
  return {
    get: (name) => values.get(name.toLowerCase()) ?? null,
    has: (name) => values.has(name.toLowerCase()),
    [Symbol.iterator]: () => values[Symbol.iterator](),
  };
}

/** A stream of one chunk. Whoever wants to pipe it gets a real one. */
function wholeBody(bytes: Buffer): NonNullable<WholeResponse['body']> {
  let read = false;
  const cancel = async () => {
    read = true;
  };
  return {
    getReader: () => ({
      async read() {
        if (read) return { done: true };
        read = true;
        return { done: false, value: bytes };
      },
      cancel,
      releaseLock() {},
    }),
    cancel,
    pipeThrough: (transform, options) => new Response(Uint8Array.from(bytes)).body!.pipeThrough(transform, options),
  };
}
