import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { guardResponse } from './guard-response.ts';
import type { HttpGuard } from './http-options.ts';
import type { JudgedRequest } from './judge-request.ts';

/** These have no body, whatever is written. */
const bodiless = new Set([204, 205, 304]);

/**
 * What the handler writes goes into a body of its own, and from there through the guard to the client; the response's
 * own methods are called by nobody else. Its head waits for the guard too, since a verdict may change it.
 */
export function holdResponse(
  response: ServerResponse,
  http: HttpGuard,
  judged: JudgedRequest,
  signal: AbortSignal,
): void {
  const { write, end, writeHead, flushHeaders } = response;
  const listen = { on: response.on, once: response.once, addListener: response.addListener };
  const written = new PassThrough();
  const drained = drainsOf(response);
  let hasBegun = false;
  let isFlushed = false;

  /** The head is what it is when the first byte is written. */
  function begin(): void {
    if (hasBegun) return;
    hasBegun = true;
    send().catch((error: unknown) => {
      // The client has gone, or the answer cannot be guarded: then nothing more of it leaves.
      judged.call.end('aborted');
      response.destroy(error as Error);
    });
  }

  async function send(): Promise<void> {
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.getHeaders()))
      for (const one of [value ?? []].flat()) headers.append(name, String(one));
    const { statusCode: status, statusMessage: statusText } = response;
    const body = bodiless.has(status) ? null : (Readable.toWeb(written) as ReadableStream<Uint8Array>);
    const guarded = await guardResponse(new Response(body, { status, statusText, headers }), http, judged, signal);
    response.statusMessage = guarded.statusText;
    for (const name of response.getHeaderNames()) if (!guarded.headers.has(name)) response.removeHeader(name);
    for (const [name, value] of guarded.headers) if (name !== 'set-cookie') response.setHeader(name, value);
    Reflect.apply(writeHead, response, [guarded.status]);
    if (isFlushed) flushHeaders.call(response);
    for await (const chunk of guarded.body ?? []) if (!Reflect.apply(write, response, [chunk])) await drained();
    Reflect.apply(end, response, []);
  }

  response.on('close', () => {
    judged.call.end('aborted');
    written.destroy();
  });
  Object.assign(response, {
    write(...given: Parameters<PassThrough['write']>): boolean {
      begin();
      return !written.writableEnded && written.write(...given);
    },
    end(...given: unknown[]): ServerResponse {
      const callback = given.find((one) => typeof one === 'function');
      const [chunk, encoding] = given.filter((one) => one !== callback);
      if (callback) response.once('finish', callback as () => void);
      begin();
      if (written.writableEnded) return response;
      if (chunk !== undefined && chunk !== null)
        written.write(chunk, (encoding as BufferEncoding | undefined) ?? 'utf8');
      written.end();
      return response;
    },
    writeHead(status: number, ...rest: unknown[]): ServerResponse {
      response.statusCode = status;
      for (const one of rest) {
        if (typeof one === 'string') response.statusMessage = one;
        if (typeof one === 'object' && one !== null)
          for (const [name, value] of listHeaders(one)) response.setHeader(name, value);
      }
      return response;
    },
    flushHeaders(): void {
      isFlushed = true;
      begin();
    },
    // Who waits for room waits for room in the body.
    ...Object.fromEntries(
      Object.entries(listen).map(([name, heard]) => [
        name,
        function (event: string, listener: () => void): ServerResponse {
          if (event === 'drain') written[name as keyof typeof listen](event, listener);
          else heard.call(response, event, listener);
          return response;
        },
      ]),
    ),
  });
  Object.defineProperties(response, {
    headersSent: { configurable: true, get: () => hasBegun },
    writableEnded: { configurable: true, get: () => written.writableEnded },
  });
}

/** Resolves when the response can take more, or never will; heard before its listeners are changed. */
function drainsOf(response: ServerResponse): () => Promise<void> {
  let drain = Promise.withResolvers<void>();
  for (const event of ['drain', 'close'])
    response.on(event, () => {
      drain.resolve();
      drain = Promise.withResolvers();
    });
  return () => (response.destroyed ? Promise.resolve() : drain.promise);
}

/** Headers as `writeHead` takes them: an object, pairs, or names and values in turn. */
function listHeaders(given: object): [string, OutgoingHttpHeader][] {
  if (!Array.isArray(given)) return Object.entries(given) as [string, OutgoingHttpHeader][];
  const flat = given.flat() as string[];
  const byName = Map.groupBy(
    flat.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: flat[at + 1]! }] : [])),
    ({ name }) => name.toLowerCase(),
  );
  return [...byName].map(([name, values]) => [name, values.map(({ value }) => value)]);
}
