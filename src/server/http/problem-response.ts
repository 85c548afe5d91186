import type { Problem } from '../../api/index.ts';
import { endedCookie } from '../auth/session-cookie.ts';
import { errorObject } from '../openai/error-object.ts';
import { methodsAt } from './methods-at.ts';

/** A problem as it is sent; `retryAfter` in seconds, for whoever may come again. */
export function problemResponse(problem: Problem, request: Request, retryAfter: () => number): Response {
  const { status, code } = problem;
  const { pathname } = new URL(request.url);
  const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
  if (status === 429 || status === 503 || code === 'idempotency-running') headers['retry-after'] = String(retryAfter());
  // What is left of the body is not read: the next request cannot come over the same connection.
  if (status === 413) headers['connection'] = 'close';
  if (status === 405) headers['allow'] = methodsAt(pathname).join(', ');
  if (code === 'session-ended') headers['set-cookie'] = endedCookie;
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="agon"';
  // OpenAI's SDKs read what went wrong from `error`.
  const shown = pathname.startsWith('/v1/') ? { ...problem, error: errorObject(problem) } : problem;
  return new Response(JSON.stringify(shown), { status, headers });
}
