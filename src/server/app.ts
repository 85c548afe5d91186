import { randomUUID } from 'node:crypto';
import { Hono, type Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { operations, type Operation } from '../api/index.ts';
import { AgonError } from '../errors.ts';
import { hashOf } from '../hash.ts';
import type { Gate } from './auth/gate.ts';
import { withoutKeys } from './auth/key-text.ts';
import { mayDo, ownerOf, type Principal } from './auth/principal.ts';
import type { Handlers } from './handler.ts';
import type { House } from './house.ts';
import { eventStream } from './http/event-stream.ts';
import { problemOf } from './http/problem.ts';
import { readJson } from './http/read-body.ts';
import { readUpload, type ReadUpload, type UploadedFile } from './http/read-upload.ts';
import { readThrough } from './http/read-through.ts';
import { claimKey } from './idempotency.ts';
import { errorObject } from './openai/error-object.ts';
import { Reply } from './reply.ts';

export interface AppParts {
  house: House;
  gate: Gate;
  handlers: Handlers;
}

interface Variables {
  requestId: string;
  operation: string;
}

type C = Context<{ Variables: Variables }>;

/** The HTTP API: every operation of the contract, mounted on its handler. */
export function makeApp({ house, gate, handlers }: AppParts): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>();
  let streams = 0;

  app.use('*', async (c, next) => {
    const began = performance.now();
    const requestId = requestIdOf(c.req.raw);
    c.set('requestId', requestId);
    c.set('operation', 'unknown');
    try {
      gate.check(c.req.raw);
      const preflight = gate.preflight(c.req.raw);
      if (preflight) c.res = preflight;
      else await next();
    } catch (error) {
      c.res = failed(c, error);
    }
    c.res.headers.set('x-request-id', requestId);
    for (const [name, value] of Object.entries(gate.headers(c.req.raw))) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    const ms = performance.now() - began;
    house.meters.request(c.get('operation'), c.res.status, ms / 1000);
    house.log({ level: c.res.status >= 500 ? 'error' : 'info', event: 'request', request: requestId, operation: c.get('operation'), method: c.req.method, path: withoutKeys(new URL(c.req.url).pathname), status: c.res.status, ms: Math.round(ms) });
  });

  for (const operation of operations as readonly Operation[]) {
    app.on(operation.method.toUpperCase(), operation.path.replace(/\{(\w+)\}/g, ':$1'), async (c) => {
      c.set('operation', operation.id);
      return answered(c, operation);
    });
  }

  app.notFound((c) => failed(c, noSuchPlace(c)));
  app.onError((error, c) => failed(c, error));
  return app;

  async function answered(c: C, operation: Operation): Promise<Response> {
    const principal = operation.scope === null ? nobody : await gate.principalOf(c.req.raw);
    gate.count(principal);
    if (operation.scope !== null && !mayDo(principal, operation.scope)) throw noScope(operation.scope);
    // Whoever asks for the head only would never hear the end of a stream.
    if (operation.onlyEvents && c.req.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    const wantsEvents = operation.onlyEvents === true || (operation.events !== undefined && (c.req.header('accept') ?? '').includes('text/event-stream'));
    const params = readThrough(operation.params, c.req.param(), 'path');
    const query = readThrough(operation.query, queryOf(c), 'query');
    const upload = operation.upload ? await uploadOf(c, operation) : null;
    try {
      const body = operation.body ? readThrough(operation.body, upload ? upload.fields : await jsonOf(c, operation), 'body') : undefined;
      const idempotent = await claimed(c, operation, principal, { params, body, files: upload?.files ?? [] }, wantsEvents);
      if (idempotent && !idempotent.fresh && idempotent.location !== null) return await elsewhere(c, idempotent.location, wantsEvents);
      try {
        const handler = handlers[operation.id as keyof Handlers] as (request: object, house: House) => Promise<unknown>;
        const reply = await handler(
          { params, query, body, files: upload?.files ?? [], principal, signal: c.req.raw.signal, wantsEvents, lastEventId: c.req.header('last-event-id') ?? null, requestId: c.get('requestId'), origin: new URL(c.req.url).origin },
          house,
        );
        if (idempotent?.fresh) await idempotent.settle(reply instanceof Reply ? (reply.headers['location'] ?? null) : null);
        const response = responseOf(c, reply, operation);
        if (idempotent && !idempotent.fresh) response.headers.set('idempotent-replayed', 'true');
        return response;
      } catch (error) {
        if (idempotent?.fresh) await idempotent.release();
        throw error;
      }
    } finally {
      await upload?.dispose();
    }
  }

  function claimed(c: C, { id, idempotent }: Operation, principal: Principal, { params, body, files }: { params: unknown; body: unknown; files: readonly UploadedFile[] }, joins: boolean) {
    const key = idempotent ? c.req.header('idempotency-key') : undefined;
    if (key === undefined) return null;
    const request = hashOf([id, params ?? null, body ?? null, files.map(({ name, hash }) => [name, hash])]);
    return claimKey(house.ledger.idempotency, { owner: ownerOf(principal), key, request, joins });
  }

  /** The answer that a first request of the same key got, asked for again where it is. */
  async function elsewhere(c: C, location: string, wantsEvents: boolean): Promise<Response> {
    const headers = new Headers(c.req.raw.headers);
    for (const name of ['content-type', 'content-length', 'transfer-encoding', 'idempotency-key']) headers.delete(name);
    const url = new URL(wantsEvents ? `${location}/events` : location, c.req.url);
    const response = await app.fetch(new Request(url, { headers, signal: c.req.raw.signal }), c.env);
    response.headers.set('idempotent-replayed', 'true');
    return response;
  }

  function responseOf(c: C, reply: unknown, { answers }: Operation): Response {
    if (!(reply instanceof Reply)) return answers.status === 204 ? c.body(null, 204) : c.json(reply as object, answers.status as ContentfulStatusCode);
    const status = (reply.status ?? answers.status) as ContentfulStatusCode;
    const { content, headers } = reply;
    if ('json' in content) return c.json(content.json as object, status, headers);
    if ('events' in content) return streamed(c, content.events, headers);
    return new Response(typeof content.body === 'string' || content.body instanceof Uint8Array ? (content.body as string) : ReadableStream.from(bytesOf(content.body)), { status, headers: { 'content-type': content.type, ...headers } });
  }

  function streamed(c: C, source: ConstructorParameters<typeof Reply>[0] extends infer Content ? Extract<Content, { events: unknown }>['events'] : never, headers: Record<string, string>): Response {
    if (streams >= house.limits.streams) throw new AgonError('too-many-streams', `${streams} streams are open: there is no room for another.`, 'Close some, or come again; server.streams sets how many.');
    streams += 1;
    house.meters.stream(1);
    const body = eventStream(source, {
      after: c.req.header('last-event-id') ?? null,
      signal: c.req.raw.signal,
      onEnd() {
        streams -= 1;
        house.meters.stream(-1);
      },
    });
    return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no', ...headers } });
  }

  async function uploadOf(c: C, { upload }: Operation): Promise<ReadUpload> {
    assertType(c, 'multipart/form-data');
    return readUpload(c.req.raw, { upload: upload!, mostBytes: house.limits.uploadBytes, folder: house.folder, signal: c.req.raw.signal });
  }

  async function jsonOf(c: C, operation: Operation): Promise<unknown> {
    // A body of which every member may be left out may be left out itself.
    if (c.req.raw.body === null && operation.body!.safeParse({}).success) return {};
    assertType(c, 'application/json');
    return readJson(c.req.raw, house.limits.bodyBytes);
  }

  function failed(c: C, thrown: unknown): Response {
    // Whoever has gone away hears nothing of it, and nothing is wrong with the server.
    const error = c.req.raw.signal.aborted && !AgonError.is(thrown) ? new AgonError('cancelled', 'The client went away.', 'Ask again: what was argued is recalled.', { cause: thrown }) : thrown;
    const problem = problemOf(error, c.get('requestId'));
    if (problem.status >= 500 || !AgonError.is(error)) house.log({ level: 'error', event: 'failure', request: c.get('requestId'), operation: c.get('operation'), code: problem.code, error: AgonError.is(error) ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error) });
    if (problem.status === 429) house.meters.refused(problem.code);
    const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
    if (problem.status === 429 || problem.status === 503 || problem.code === 'idempotency-running') headers['retry-after'] = String(problem.code === 'queue-full' ? house.hearings.places.retryAfter() : ((error as { retryAfter?: number }).retryAfter ?? 1));
    // What is left of the body is not read: the next request cannot come over the same connection.
    if (problem.status === 413) headers['connection'] = 'close';
    if (problem.status === 405) headers['allow'] = methodsAt(new URL(c.req.url).pathname).join(', ');
    if (problem.status === 401) headers['www-authenticate'] = 'Bearer realm="agon"';
    // OpenAI's SDKs read what went wrong from `error`.
    const shown = new URL(c.req.url).pathname.startsWith('/v1/') ? { ...problem, error: errorObject(problem) } : problem;
    return new Response(JSON.stringify(shown), { status: problem.status, headers });
  }
}

const nobody: Principal = { key: null, scopes: new Set() };

function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
}

function noScope(scope: string): AgonError {
  return new AgonError('no-scope', `This key may not do that: it lacks the scope ${scope}.`, `Use a key with it: agon keys create --name NAME --scope ${scope}.`);
}

function noSuchPlace(c: C): AgonError {
  const methods = methodsAt(new URL(c.req.url).pathname);
  if (methods.length > 0) return new AgonError('method-not-allowed', `${c.req.method} is not answered there.`, `Use ${methods.join(' or ')}.`);
  return new AgonError('not-found', 'There is nothing at this address.', 'GET /docs shows what there is.');
}

/** What is answered at an address. */
function methodsAt(pathname: string): string[] {
  return (operations as readonly Operation[]).filter(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname)).map(({ method }) => method.toUpperCase());
}

/** Each once; a name that comes twice is a mistake that is told, not a guess. */
function queryOf(c: C): Record<string, string> {
  const all = c.req.queries();
  const twice = Object.entries(all).find(([, values]) => values.length > 1);
  if (twice) throw new AgonError('bad-request', `The query has ${twice[0]} ${twice[1].length} times.`, 'Give it once.');
  return c.req.query();
}

function assertType(c: C, type: string): void {
  const packed = c.req.header('content-encoding') ?? 'identity';
  if (packed !== 'identity') throw new AgonError('wrong-media-type', 'The body is packed.', 'Send it without Content-Encoding.');
  const given = (c.req.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (given === type || (type === 'application/json' && given.endsWith('+json'))) return;
  throw new AgonError('wrong-media-type', given === '' ? 'The request does not say what its body is.' : `The body is ${given}.`, `Send Content-Type: ${type}.`);
}

async function* bytesOf(parts: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array, void, void> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield typeof part === 'string' ? encoder.encode(part) : part;
}
