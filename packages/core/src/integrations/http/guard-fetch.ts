import { guardResponse } from './guard-response.ts';
import { openHttpGuard, type HttpGuard, type HttpGuardOptions } from './http-options.ts';
import { judgeRequest } from './judge-request.ts';
import { readBytes } from './read-body.ts';
import { describeMistake, toResponse, verdictHeader } from './say-verdict.ts';

type Handler<Rest extends unknown[]> = (request: Request, ...rest: Rest) => Response | Promise<Response>;

/**
 * A handler of the Fetch API behind the guard.
 *
 * @example
 * export default { fetch: guardFetch((request) => Response.json({ ok: true }), { fields: ['/message'] }) };
 */
export function guardFetch<Rest extends unknown[]>(
  handler: Handler<Rest>,
  options: HttpGuardOptions = {},
): Handler<Rest> & Pick<HttpGuard, 'guard'> {
  const http = openHttpGuard(options);
  const guarded: Handler<Rest> = async (request, ...rest) =>
    answerGuarded(request, http, (judged) => handler(judged, ...rest));
  return Object.assign(guarded, { guard: http.guard });
}

/** Judges a request, hands it on with the verdict on it, and judges what comes back. */
export async function answerGuarded(
  request: Request,
  http: HttpGuard,
  handle: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const { signal } = request;
  let bytes: Uint8Array<ArrayBuffer>;
  let judged: Awaited<ReturnType<typeof judgeRequest>>;
  try {
    bytes = await readBytes(request.body, http.maxBytes);
    const type = request.headers.get('content-type') ?? '';
    judged = await judgeRequest({ type, encoding: request.headers.get('content-encoding'), bytes }, http, signal);
  } catch (error) {
    return toResponse(describeMistake(error));
  }
  if (judged.stopped) return toResponse(judged.stopped);
  const headers = new Headers(request.headers);
  // A client cannot say what the guard thinks of it.
  headers.delete(verdictHeader);
  if (judged.header) headers.set(verdictHeader, judged.header);
  const handed = new Request(request, { headers, ...(request.body === null ? {} : { body: bytes }) });
  return guardResponse(await handle(handed), http, judged, signal);
}
