/* CORS, where pages elsewhere may call: without cookies or other credentials of the browser, since keys are sent as headers. */

const methods = 'GET, POST, PUT, PATCH, DELETE';
const requestHeaders = 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-API-Key, X-Request-Id';
const responseHeaders = 'X-Request-Id, Retry-After, Location, Idempotent-Replayed';

/** What an answer to a page elsewhere carries. */
export function crossOriginHeaders(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': responseHeaders };
}

export function isPreflight(request: Request): boolean {
  return request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
}

export function preflightAnswer(origin: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...crossOriginHeaders(origin),
      'access-control-allow-methods': methods,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': '600',
    },
  });
}
