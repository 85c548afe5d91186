import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import type { Environment } from './resolve-provider.ts';

/**
 * What the SDK needs of fetch, over node:http. With many debates at once the CPU time of a call decides how long they
 * take, and the built-in fetch would be most of it.
 * Proxies are used like by the rest of Node: when NODE_USE_ENV_PROXY=1 says so.
 */
export function createHttpFetch(environment: Environment): typeof fetch {
  const options = { keepAlive: true, ...(environment.NODE_USE_ENV_PROXY === '1' ? { proxyEnv: environment } : {}) };
  const plain = { request: httpRequest, agent: new HttpAgent(options) };
  const encrypted = { request: httpsRequest, agent: new HttpsAgent(options) };

  // The few addresses that models have are taken apart once.
  const addresses = new Map<string, ReturnType<typeof urlToHttpOptions>>();
  const addressOf = (url: string) => {
    let address = addresses.get(url);
    if (!address) addresses.set(url, (address = urlToHttpOptions(new URL(url))));
    return address;
  };

  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const address = addressOf(input instanceof Request ? input.url : String(input));
      const { request, agent } = address.protocol === 'https:' ? encrypted : plain;
      const headers =
        init.headers instanceof Headers ? Object.fromEntries(init.headers) : (init.headers as Record<string, string>);
      const { method, signal } = init;
      const outgoing = request({ ...address, method, headers, agent, signal: signal ?? undefined }, (incoming) => {
        const stream = incoming.headers['content-type']?.includes('event-stream');
        if (stream) resolve(makeStreamedResponse(incoming));
        else readWholeBody(incoming, (body) => resolve(makeWholeResponse(incoming, body)), reject);
      });
      outgoing.on('error', reject);
      outgoing.end(init.body as string | undefined);
    });
}

function makeStreamedResponse(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (let i = 0; i < incoming.rawHeaders.length; i += 2)
    headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!);
  return new Response(Readable.toWeb(incoming) as ReadableStream, {
    status: incoming.statusCode ?? 502,
    statusText: incoming.statusMessage,
    headers,
  });
}

function readWholeBody(incoming: IncomingMessage, done: (body: Buffer) => void, failed: (error: Error) => void): void {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
  incoming.on('end', () => done(Buffer.concat(chunks)));
  incoming.on('error', failed);
}

/**
 * An answer that is here already, in as much of a Response as the SDK reads: the built-in one puts web streams around
 * its bytes, which take longer than all the rest of reading it.
 */
function makeWholeResponse(incoming: IncomingMessage, bytes: Buffer): Response {
  const status = incoming.statusCode ?? 502;
  const text = () => bytes.toString('utf8');
  const response: WholeResponse = {
    ok: status >= 200 && status < 300,
    status,
    statusText: incoming.statusMessage ?? '',
    headers: readHeaders(incoming),
    body: bytes.length === 0 ? null : makeWholeBody(bytes),
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

function readHeaders({ rawHeaders }: IncomingMessage): WholeResponse['headers'] {
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
function makeWholeBody(bytes: Buffer): NonNullable<WholeResponse['body']> {
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
