import { AgonError } from '@agonhq/engine/agon-error';

/* CORS, where pages elsewhere may call: without cookies of the browser, since keys are sent as headers. */

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

/* Which pages may call: those of the server itself, and those of origins in the settings. */

export interface OriginCheck {
  /** Throws (`bad-origin`) when a page that may not has sent a request. */
  check(headers: Headers, method: string): void;
  /** The origin of a page elsewhere that may call; null for every other request. */
  allowedOrigin(headers: Headers): string | null;
  /** Whether a page of the server itself has sent a request, as browsers say. */
  isOwnPage(headers: Headers): boolean;
}

export function createOriginCheck(origins: readonly string[]): OriginCheck {
  const listed = new Set(origins.map((origin) => serializeOrigin(origin)));

  function isAllowed(headers: Headers, method: string): boolean {
    const origin = headers.get('origin');
    if (origin !== null) return listed.has(origin.toLowerCase()) || isOwnOrigin(origin, headers.get('host'));
    // Images, scripts and frames of other pages are asked for without an origin; browsers tell where they stand.
    const site = headers.get('sec-fetch-site');
    return (site !== 'cross-site' && site !== 'same-site') || isFollowedLink(headers, method);
  }

  return {
    check(headers, method) {
      if (!isAllowed(headers, method))
        throw new AgonError(
          'bad-origin',
          'The server does not accept requests from pages of this origin.',
          'Name the origin in server.origins (AGON_ORIGINS); a proxy has to pass the Host that it was asked for.',
        );
    },
    allowedOrigin(headers) {
      const origin = headers.get('origin');
      return origin !== null && listed.has(origin.toLowerCase()) ? origin : null;
    },
    isOwnPage(headers) {
      const origin = headers.get('origin');
      return origin === null
        ? headers.get('sec-fetch-site') === 'same-origin'
        : isOwnOrigin(origin, headers.get('host'));
    },
  };
}

/** A server behind TLS does not know of it: the scheme does not count, host and port do. */
function isOwnOrigin(origin: string, host: string | null): boolean {
  const from = URL.parse(origin);
  if (!from || host === null || !/^https?:$/.test(from.protocol) || serializeOrigin(origin) !== origin.toLowerCase())
    return false;
  return URL.parse(`${from.protocol}//${host}`)?.host === from.host;
}

/** What a person sees as a page of its own, and the page that linked to it does not see. */
function isFollowedLink(headers: Headers, method: string): boolean {
  return (
    method === 'GET' && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
  );
}

/** As browsers write an origin. That of an extension is opaque to URL, though they send it. */
function serializeOrigin(text: string): string {
  const url = URL.parse(text);
  if (!url) return '';
  return url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
}
