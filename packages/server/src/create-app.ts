import { randomUUID } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { operations, type Operation } from './api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import { describeRequest, describeTarget, isAudited } from './audit/audited.ts';
import type { AccessGate } from './auth/access-gate.ts';
import { redactKeys } from './auth/key-text.ts';
import { hasScope, ownerName, type Principal } from './auth/principal.ts';
import { serveOpenId, type AppVariables } from './auth/serve-openid.ts';
import type { OpenId } from './auth/openid.ts';
import { readSessionCookie } from './auth/sessions.ts';
import { findTeamOfPerson, type Person } from './auth/people.ts';
import type { ConsolePages } from './console/serve-console.ts';
import type { Handlers } from './handler.ts';
import type { ServerContext } from './server-context.ts';
import { listMethods, sendProblem, toProblem } from './http/problem.ts';
import { readRequest, type ReadRequest } from './http/read-request.ts';
import { sendReply, sendStreamHead } from './http/send-reply.ts';
import { createUploadSpace } from './http/upload-storage.ts';
import { limitStreams } from './http/event-stream.ts';
import { claimIdempotencyKey } from './claim-idempotency-key.ts';
import { errorTrace } from './log.ts';
import { unknownTeam } from '@agonhq/ledger';
import { Reply } from './reply.ts';

export interface AppParts {
  context: ServerContext;
  gate: AccessGate;
  handlers: Handlers;
  /** Who signs people in without a key; null where nobody does. */
  openId: OpenId | null;
  console: ConsolePages;
}

/** How many uploads of the largest size there is room for at once. */
const uploadsAtOnce = 8;

type C = Context<{ Variables: AppVariables }>;

/** The HTTP API: every operation of the contract, mounted on its handler; and the console, at every other address. */
export function createApp({ context, gate, handlers, openId, console }: AppParts): Hono<{ Variables: AppVariables }> {
  const app = new Hono<{ Variables: AppVariables }>();
  const uploadSpace = createUploadSpace(uploadsAtOnce * context.limits.uploadBytes);
  const streams = limitStreams(context.limits.streams, context.metrics.countStream);
  /** What the server asks itself for somebody who may have it, whatever scope it takes to ask for it by itself. */
  const vouched = new WeakSet<Request>();

  app.use('*', async (c, next) => {
    const began = performance.now();
    const requestId = readRequestId(c.req.raw);
    c.set('requestId', requestId);
    c.set('operation', 'unknown');
    c.set('audited', null);
    try {
      gate.checkSource(c.req.raw);
      const preflight = gate.preflight(c.req.raw);
      if (preflight) c.res = preflight;
      else await next();
    } catch (error) {
      c.res = failed(c, error);
    }
    c.res.headers.set('x-request-id', requestId);
    for (const [name, value] of Object.entries(gate.headers(c.req.raw))) {
      if (name === 'vary') c.res.headers.append(name, value);
      else if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    noteEntry(c);
    const ms = performance.now() - began;
    context.metrics.countRequest(c.get('operation'), c.res.status, ms / 1000);
    context.log({
      level: c.res.status >= 500 ? 'error' : 'info',
      event: 'request',
      request: requestId,
      operation: c.get('operation'),
      method: c.req.method,
      path: redactKeys(new URL(c.req.url).pathname),
      status: c.res.status,
      ms: Math.round(ms),
    });
  });

  for (const operation of operations as readonly Operation[]) {
    app.on(operation.method.toUpperCase(), operation.path.replace(/\{(\w+)\}/g, ':$1'), async (c) => {
      c.set('operation', operation.id);
      return answered(c, operation);
    });
  }

  if (openId) {
    const { audit, log, settings } = context;
    const findPlace = async (person: Person) => {
      const team = findTeamOfPerson(person, settings.server!.openid!);
      const place = team === null ? context : await context.findTeam(team);
      if (!place) throw unknownTeam(team!);
      return place;
    };
    serveOpenId(app, { openId, findPlace, audit, isSecure: gate.isSecure, log });
  }

  app.notFound(async (c) => {
    const shown = await console.serve(c.req.raw);
    if (!shown) return failed(c, noSuchAddress(c.req.raw));
    c.set('operation', 'console');
    return shown;
  });
  app.onError((error, c) => failed(c, error));
  return app;

  async function answered(c: C, operation: Operation): Promise<Response> {
    const principal = operation.scope === null ? nobody : await gate.identify(c.req.raw);
    if (!vouched.has(c.req.raw)) {
      await gate.countRequest(principal);
      const may = operation.scope === null || hasScope(principal, operation.scope);
      if (!may || isAudited(operation))
        c.set('audited', { principal, operation: operation.id, target: describeTarget(c.req.param()), what: {} });
      if (!may) throw noScope(operation.scope!);
    }
    if (operation.onlyEvents && c.req.method === 'HEAD') return sendStreamHead();
    const asked = await readRequest(c.req.raw, operation, {
      jobs: context.jobs,
      params: c.req.param(),
      queries: c.req.queries(),
      limits: context.limits,
      folder: context.folder,
      uploadSpace,
    });
    const audited = c.get('audited');
    if (audited) c.set('audited', { ...audited, what: describeRequest(asked.query, asked.body) });
    try {
      return await handled(c, operation, principal, asked);
    } finally {
      await asked.dispose();
    }
  }

  async function handled(c: C, operation: Operation, principal: Principal, asked: ReadRequest): Promise<Response> {
    const wantsEvents =
      operation.onlyEvents === true ||
      (operation.events !== undefined && (c.req.header('accept') ?? '').includes('text/event-stream'));
    const once = readKeyedRequest(c, operation, principal, asked);
    const idempotent = once && (await claimIdempotencyKey(context.ledger.idempotency, once, wantsEvents));
    if (idempotent && !idempotent.fresh && idempotent.location !== null)
      return elsewhere(c, idempotent.location, wantsEvents, operation);
    const { params, query, body, files } = asked;
    try {
      const handler = handlers[operation.id as keyof Handlers] as (
        request: object,
        context: ServerContext,
      ) => Promise<unknown>;
      const reply = await handler(
        {
          params,
          query,
          body,
          files,
          lines: operation.lines ? (c.req.raw.body ?? emptyBody()) : null,
          countRequest: () => gate.countRequest(principal),
          principal,
          signal: c.req.raw.signal,
          wantsEvents,
          lastEventId: c.req.header('last-event-id') ?? null,
          once,
          requestId: c.get('requestId'),
          origin: new URL(c.req.url).origin,
          secure: gate.isSecure(c.req.raw),
          session: readSessionCookie(c.req.raw.headers),
        },
        context,
      );
      if (idempotent?.fresh)
        await idempotent.settle(reply instanceof Reply ? (reply.headers['location'] ?? null) : null);
      const response = await sendReply(reply, operation, c.req.raw, streams);
      if (idempotent && !idempotent.fresh) response.headers.set('idempotent-replayed', 'true');
      return response;
    } catch (error) {
      if (idempotent?.fresh) await idempotent.release();
      throw error;
    }
  }

  /** What was made is named by where it is. */
  function noteEntry(c: C): void {
    const audited = c.get('audited');
    if (!audited) return;
    const made = c.res.headers.get('location')?.split('/').at(-1) ?? null;
    context.audit.note({
      ...audited,
      target: audited.target ?? made,
      status: c.res.status,
      request: c.get('requestId'),
    });
  }

  /** The answer that a first request of the same key got, asked for again where it is. */
  async function elsewhere(c: C, location: string, wantsEvents: boolean, { answers }: Operation): Promise<Response> {
    const headers = new Headers(c.req.raw.headers);
    for (const name of ['content-type', 'content-length', 'transfer-encoding', 'idempotency-key']) headers.delete(name);
    const answer = new URL(location, c.req.url);
    const request = new Request(wantsEvents ? new URL('events', answer) : answer, {
      headers,
      signal: c.req.raw.signal,
    });
    vouched.add(request);
    const { ok, status, body, headers: told } = await app.fetch(request, c.env);
    const response = new Response(body, { status: ok && !wantsEvents ? answers.status : status, headers: told });
    response.headers.set('idempotent-replayed', 'true');
    return response;
  }

  function failed(c: C, thrown: unknown): Response {
    // Whoever has gone away hears nothing of it, and nothing is wrong with the server.
    const error =
      c.req.raw.signal.aborted && !AgonError.is(thrown)
        ? new AgonError('cancelled', 'The client disconnected.', 'Try again: arguments made so far are recalled.', {
            cause: thrown,
          })
        : thrown;
    const requestId = c.get('requestId');
    const problem = toProblem(error, requestId);
    if (problem.status >= 500 || !AgonError.is(error))
      context.log({
        level: problem.code === 'draining' ? 'info' : 'error',
        event: 'failure',
        request: requestId,
        operation: c.get('operation'),
        code: problem.code,
        error: AgonError.is(error) ? error.message : errorTrace(error),
      });
    if (problem.status === 429) context.metrics.countRefusal(problem.code);
    return sendProblem(problem, c.req.raw, () =>
      problem.code === 'queue-full'
        ? context.trials.limit.retryAfter()
        : ((error as { retryAfter?: number }).retryAfter ?? 1),
    );
  }
}

const nobody: Principal = { key: null, scopes: new Set() };

async function* emptyBody(): AsyncGenerator<Uint8Array, void, void> {}

function readKeyedRequest(
  c: C,
  { id, idempotent }: Operation,
  principal: Principal,
  { params, body, files }: ReadRequest,
): KeyedRequest | undefined {
  const key = idempotent ? c.req.header('idempotency-key') : undefined;
  if (key === undefined) return undefined;
  const request = hashOf([id, params ?? null, body ?? null, files.map(({ name, hash }) => [name, hash])]);
  return { owner: ownerName(principal), key, request };
}

function readRequestId(request: Request): string {
  const given = request.headers.get('x-request-id');
  return given !== null && /^[\w.-]{1,100}$/.test(given) && redactKeys(given) === given ? given : randomUUID();
}

function noScope(scope: string): AgonError {
  return new AgonError(
    'no-scope',
    `The key lacks the scope ${scope}.`,
    `Use a key that has it: agon keys create --name NAME --scope ${scope}.`,
  );
}

function noSuchAddress({ url, method }: Request): AgonError {
  const methods = listMethods(new URL(url).pathname);
  if (methods.length > 0)
    return new AgonError(
      'method-not-allowed',
      `${method} is not allowed at this address.`,
      `Use ${methods.join(' or ')}.`,
    );
  return new AgonError('not-found', 'There is nothing at this address.', 'GET /docs shows what there is.');
}
