/** @module agon/client */

import { AgonClientError } from './client-error.ts';
import { eventStream } from './event-stream.ts';
import { judgeLines } from './line-stream.ts';
import { request, type AnsweredRequest, type RequestCall, type Reach } from './request.ts';
import type { ClientRoute, CallOptions, Client } from './types.ts';
import { routes } from './routes.ts';

export { AgonError } from '@agonhq/engine/agon-error';
export { AgonClientError };
export type { CallOptions, Client, EventStream, FileInput } from './types.ts';

export interface ClientOptions {
  /** Where the server is: http://127.0.0.1:4100 unless told otherwise. */
  baseUrl?: string;
  /** A key of the server; on loopback none is needed unless the server says so. */
  key?: string;
  /** How often a call is made again that was refused for a moment, or whose connection was lost, where that is safe. */
  retries?: number;
  /** How long an answer may take: by default a little longer than a server lets a trial take. */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

/**
 * A client of an Agon server. Runs in browsers and in Node; types and routes come from the server's own contract.
 *
 * @example
 * const client = createClient();
 * const { verdict } = await client.moderations.create({ text: 'How do I kill a process on Linux?' });
 */
export function createClient({
  baseUrl = 'http://127.0.0.1:4100',
  key,
  retries = 3,
  timeoutMs = 620_000,
  fetch = (...asked) => globalThis.fetch(...asked),
}: ClientOptions = {}): Client {
  const reach: Reach = { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''), key, retries, timeoutMs, fetch };
  const client: Record<string, Record<string, unknown>> = {};
  for (const line of routes) {
    const { group, verb, ...route } = readRoute(line);
    Object.assign((client[group] ??= {}), methodsOf(verb, route, reach));
  }
  return client as unknown as Client;
}

function readRoute(line: string): ClientRoute & { group: string; verb: string } {
  const [id, method, path, given, answer, ...how] = line.split(' ') as [string, ...string[]];
  const [group, verb] = id.split('.') as [string, string];
  const form = given!.startsWith('form:') ? { form: given!.slice('form:'.length) } : undefined;
  return {
    group,
    verb,
    method: method as ClientRoute['method'],
    path: path!,
    given: form ?? (given === '-' ? undefined : (given as 'query' | 'json' | 'lines')),
    answer: answer as ClientRoute['answer'],
    events: how.includes('events-only') ? 'only' : how.includes('events') ? 'also' : undefined,
    isTrial: how.includes('trial'),
    isIdempotent: how.includes('idempotent'),
  };
}

type Given = readonly unknown[];

function methodsOf(verb: string, route: ClientRoute, reach: Reach): Record<string, unknown> {
  if (route.given === 'lines')
    return {
      [verb]: (items: Parameters<typeof judgeLines>[1], query?: Record<string, unknown>, options?: CallOptions) =>
        judgeLines(route.path, items, { query, options }, reach),
    };
  const stream = (...given: Given) => eventStream(callOf(route, given), reach);
  if (route.events === 'only') return { [verb]: stream };
  const media = async (...given: Given) =>
    (await request(callOf({ ...route, answer: 'media' }, given), reach, { events: false })).response;
  const value = async (...given: Given) =>
    valueOf(
      await request(callOf(route.answer === 'either' ? { ...route, given: undefined } : route, given), reach, {
        events: false,
      }),
    );
  return {
    [verb]: route.answer === 'media' ? media : value,
    ...(route.answer === 'either' ? { [`${verb}As`]: media } : {}),
    ...(route.events === 'also'
      ? { [verb === 'create' ? 'stream' : `stream${verb[0]!.toUpperCase()}${verb.slice(1)}`]: stream }
      : {}),
  };
}

function valueOf({ response, text }: AnsweredRequest): unknown {
  if (response.status === 204) return undefined;
  try {
    return JSON.parse(text!);
  } catch (error) {
    throw new AgonClientError(
      'unexpected-answer',
      'The server did not answer in JSON.',
      'Is there a proxy in between, or is it another server?',
      { status: response.status, requestId: response.headers.get('x-request-id'), cause: error },
    );
  }
}

/** The ids of the path, what is given beside them, and the options: in that order. */
function callOf(route: ClientRoute, given: Given): RequestCall {
  const count = route.path.match(/\{/g)?.length ?? 0;
  const rest = given.slice(count);
  const about = route.given === undefined ? undefined : (rest.shift() as RequestCall['given']);
  const options = (rest[0] ?? {}) as CallOptions;
  return {
    route,
    ids: given.slice(0, count) as string[],
    given: about,
    options,
    idempotencyKey: route.isIdempotent ? (options.idempotencyKey ?? randomKey()) : undefined,
  };
}

/** Where a page was not loaded safely, browsers have no randomUUID. */
function randomKey(): string {
  return (
    globalThis.crypto.randomUUID?.() ??
    [...globalThis.crypto.getRandomValues(new Uint8Array(16))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
  );
}
