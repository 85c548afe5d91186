import { AgonClientError, errorFrom } from './client-error.ts';
import { passes, waitBeforeRetry, pauseBeforeRetry } from './retry.ts';
import type { ClientRoute, CallOptions, FileInput } from './types.ts';

/** How a client reaches its server. */
export interface Reach {
  baseUrl: string;
  key: string | undefined;
  fetch: typeof globalThis.fetch;
  retries: number;
  timeoutMs: number;
}

/** One call: what is asked, with its ids and what is given beside them. */
export interface RequestCall {
  route: ClientRoute;
  ids: readonly string[];
  given: Record<string, unknown> | undefined;
  options: CallOptions;
  /** The same for every attempt. */
  idempotencyKey: string | undefined;
}

/** An answer of 2xx; its text where that is all of it, and not to be read by the caller. */
export interface AnsweredRequest {
  response: Response;
  text: string | null;
}

/** Asks, and asks again where that is safe and may help. Answers of 2xx are returned, all others thrown. */
export async function request(
  call: RequestCall,
  reach: Reach,
  accept: { events: boolean; lastEventId?: string | null },
): Promise<AnsweredRequest> {
  const { route, options, idempotencyKey } = call;
  const repeatable = route.method === 'GET' || route.method === 'PUT' || idempotencyKey !== undefined;
  const retries = options.retries ?? reach.retries;
  for (let attempt = 0; ; attempt += 1) {
    const answered = await once(call, reach, accept);
    if ('response' in answered && answered.response.ok) return answered;
    const error = 'response' in answered ? await errorFrom(answered.response) : answered;
    const wait =
      attempt < retries && passes(error, repeatable)
        ? pauseBeforeRetry(attempt, 'response' in answered ? answered.response.headers.get('retry-after') : null)
        : null;
    if (wait === null) throw error;
    await waitBeforeRetry(wait, options.signal);
  }
}

async function once(
  { route, ids, given, options, idempotencyKey }: RequestCall,
  { baseUrl, key, fetch, timeoutMs }: Reach,
  { events, lastEventId }: { events: boolean; lastEventId?: string | null },
): Promise<AnsweredRequest | AgonClientError> {
  const body = bodyOf(route, given);
  const headers: Record<string, string> = {
    ...options.headers,
    accept: events ? 'text/event-stream' : route.answer === 'media' ? '*/*' : 'application/json, */*;q=0.5',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
  };
  const limit = new AbortController();
  const ms = options.timeoutMs ?? timeoutMs;
  const timer = setTimeout(
    () =>
      limit.abort(
        new AgonClientError(
          'client-timeout',
          `There was no answer within ${ms / 1000} s.`,
          'Give it longer with timeoutMs, or listen to its events.',
        ),
      ),
    ms,
  );
  const signal = options.signal ? AbortSignal.any([options.signal, limit.signal]) : limit.signal;
  try {
    const response = await fetch(`${baseUrl}${addressOf(route, ids, given)}`, {
      method: route.method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    // An answer is read within the same time; a stream takes as long as it takes.
    return { response, text: events || route.answer === 'media' || !response.ok ? null : await response.text() };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (limit.signal.aborted) throw limit.signal.reason;
    return new AgonClientError(
      'unreachable-server',
      `${baseUrl} could not be reached: ${reasonOf(error)}.`,
      'Is it running (agon serve), and is baseUrl right?',
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** What fetch hides one level down: `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}

function addressOf({ path, given: place }: ClientRoute, ids: readonly string[], given: RequestCall['given']): string {
  let at = 0;
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[at++]!));
  const query =
    place === 'query'
      ? new URLSearchParams(
          Object.entries(given ?? {}).flatMap(([name, value]): [string, string][] =>
            value === undefined ? [] : [[name, written(value)]],
          ),
        ).toString()
      : '';
  return query === '' ? filled : `${filled}?${query}`;
}

function bodyOf({ given: place }: ClientRoute, given: RequestCall['given']): string | FormData | undefined {
  if (place === 'json') return JSON.stringify(given ?? {});
  return typeof place === 'object' ? formOf(place.form, given ?? {}) : undefined;
}

/** A value as text: lists and records as JSON, which forms take. */
function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Fields first: a server that reads as it comes knows what it is asked before the files arrive. */
function formOf(part: string, { files, ...fields }: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, written(value));
  for (const file of files as readonly FileInput[]) {
    const { name, data } = 'data' in file ? file : { name: file.name, data: file };
    form.append(part, data instanceof Blob ? data : new Blob([data]), name);
  }
  return form;
}
