import { scopes } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger } from '@agonhq/ledger';
import type { ServerSettings } from '@agonhq/core/settings';
import type { ServerLimits } from '../limits.ts';
import { crossOriginHeaders, isPreflight, preflightAnswer, createOriginCheck } from './check-origin.ts';
import { createHostCheck, isBehindProxy, isLoopback } from './check-host.ts';
import { looksLikeOurs } from './key-text.ts';
import type { Keys } from './keys.ts';
import { isForwarded, readPresentedKey, ownerName, type Principal } from './principal.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';
import { createSharedRateLimit } from './shared-rate-limit.ts';
import { securityHeaders } from './security-headers.ts';
import { readSessionCookie, type Sessions } from './sessions.ts';

/** Who comes in, and under which conditions. */
export interface AccessGate {
  /** Throws when the request came by a name, or from a page, that is not allowed (`bad-host`, `bad-origin`). */
  checkSource(request: Request): void;
  /** Whether nobody comes in by that they are on this machine. */
  needsKey(request: Request): boolean;
  /** Who asks; throws when a key is needed or wrong. */
  identify(request: Request): Promise<Principal>;
  /** Whether it came over https, as far as the server, its page or the proxy in front of it knows. */
  isSecure(request: Request): boolean;
  /** Counts a request of somebody; throws when it is one too many (`rate-limited`). */
  countRequest(principal: Principal): Promise<void>;
  /** What every answer carries: security headers, and CORS where it is on. */
  headers(request: Request): Record<string, string>;
  /** The answer to a preflight of CORS; null when the request is none. */
  preflight(request: Request): Response | null;
}

export interface AccessGateOptions {
  keys: Pick<Keys, 'identify'>;
  sessions: Pick<Sessions, 'identify'>;
  /** The address that the server is bound to. */
  host: string;
  settings: Pick<ServerSettings, 'auth' | 'allowedHosts' | 'origins'>;
  limits: Pick<ServerLimits, 'ratePerMinute'>;
  /** Where servers share a ledger, what they share of limits; by default each counts for itself. */
  rates?: Ledger['rates'] | null;
}

/** Whoever is on this machine, where that is enough. */
const localUser: Principal = { key: null, scopes: new Set(scopes) };

export function openAccessGate({
  keys,
  sessions,
  host,
  settings: { auth, allowedHosts = [], origins = [] },
  limits: { ratePerMinute },
  rates = null,
}: AccessGateOptions): AccessGate {
  const isProxied = allowedHosts.some(isBehindProxy);
  const isKeyed = !isLoopback(host) || auth === 'required' || isProxied;
  const needsKey = ({ headers }: Request) => isKeyed || isForwarded(headers);
  const checkHost = createHostCheck({ host, allowedHosts });
  const pages = createOriginCheck(origins);
  const limit = ratePerMinute === null ? null : openRateLimit(ratePerMinute, rates);

  /** Null where nobody signed in; what changes something must come from a page of ours. */
  async function signedIn({ headers, method }: Request, token: string): Promise<Principal | null> {
    const principal = await sessions.identify(token);
    if (principal && !readingMethods.has(method) && !pages.isOwnPage(headers)) throw foreignPage();
    return principal;
  }

  const varying: Record<string, string> = origins.length > 0 ? { vary: 'Origin' } : {};

  return {
    needsKey,
    checkSource({ url, headers, method }) {
      checkHost(headers.get('host'));
      // A request line may name a host by itself (GET http://… HTTP/1.1): links are made of that one.
      checkHost(/^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? null);
      pages.check(headers, method);
    },
    async identify(request) {
      const { headers } = request;
      const key = readPresentedKey(headers);
      const isLet = !needsKey(request);
      if (key !== null) {
        try {
          return await keys.identify(key);
        } catch (error) {
          // OpenAI's SDKs always send some key: where none is needed it means nothing, unless it was meant as one of
          // ours.
          if (!isLet || looksLikeOurs(key)) throw error;
        }
      }
      // A page elsewhere that may call has a key of its own, or none.
      const token = key === null && pages.allowedOrigin(headers) === null ? readSessionCookie(headers) : null;
      const principal = token === null ? null : await signedIn(request, token);
      if (principal) return principal;
      if (isLet) return localUser;
      if (token !== null) throw sessionEnded();
      throw isKeyed ? noKey() : behindProxy();
    },
    isSecure({ url, headers }) {
      const byPage = headers.get('origin')?.startsWith('https:') === true && pages.isOwnPage(headers);
      const byProxy = isProxied && /^\s*https\s*(?:,|$)/i.test(headers.get('x-forwarded-proto') ?? '');
      return url.startsWith('https:') || byPage || byProxy;
    },
    async countRequest(principal) {
      // Whoever may do nothing asks only for what anybody may: a flood of that must not keep a probe from /healthz.
      if (principal.scopes.size > 0) await limit?.(ownerName(principal));
    },
    headers({ headers }) {
      const page = pages.allowedOrigin(headers);
      return { ...securityHeaders, ...varying, ...(page === null ? {} : crossOriginHeaders(page)) };
    },
    preflight(request) {
      const page = pages.allowedOrigin(request.headers);
      return page !== null && isPreflight(request) ? preflightAnswer(page) : null;
    },
  };
}

function openRateLimit(perMinute: number, rates: Ledger['rates'] | null): RateLimit {
  return rates ? createSharedRateLimit(perMinute, rates) : createRateLimit(perMinute);
}

const readingMethods = new Set(['GET', 'HEAD']);

function foreignPage(): AgonError {
  return new AgonError(
    'bad-origin',
    'A session can change things only from a page of this server.',
    'Programs send the key itself: Authorization: Bearer KEY.',
  );
}

function sessionEnded(): AgonError {
  return new AgonError(
    'session-ended',
    'Your session has ended, or its key is no longer valid.',
    'Sign in again: POST /api/session.',
  );
}

function noKey(): AgonError {
  return new AgonError(
    'no-api-key',
    'This server needs a key, and none was sent.',
    'Send Authorization: Bearer KEY; agon keys create makes one.',
  );
}

function behindProxy(): AgonError {
  return new AgonError(
    'no-api-key',
    'The request came through a proxy, so it needs a key.',
    'Send Authorization: Bearer KEY (agon keys create makes one), and name the host of the proxy in ' +
      'server.allowedHosts.',
  );
}
