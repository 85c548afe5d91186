import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client';
import { AgonError } from '@agonhq/engine/agon-error';
import type { OpenIdSettings } from '@agonhq/core/settings';
import { isLoopback } from './check-host.ts';
import { findRoles, listScopes, readClaims, type Person } from './people.ts';

/** Signing in through an OpenID provider: authorization code, PKCE, state and nonce. */
export interface OpenId {
  /** Where a browser is sent, and the cookie that it keeps until it comes back. */
  begin(site: string): Promise<{ location: string; cookie: string }>;
  /** Who came back to `url` with the cookie; throws (`sign-in-refused`, `openid-failed`). */
  finish(url: URL, cookies: string | null): Promise<Person>;
}

export const openIdPath = '/sign-in/openid';
const returnPath = `${openIdPath}/callback`;

/* What must be the same when the browser comes back. Lax: it comes from the provider's site. */
const cookieName = 'agon_sign_in';
const attributes = `Path=${openIdPath}; HttpOnly; SameSite=Lax`;
const minutes = 10;
/** Takes it away again. */
export const endedSignInCookie = `${cookieName}=; Max-Age=0; ${attributes}`;

export function openOpenId(settings: OpenIdSettings, { timeoutSeconds = 10 } = {}): OpenId {
  let known: Promise<Configuration> | undefined;

  /** A provider that could not be reached is asked again the next time. */
  function configuration(): Promise<Configuration> {
    known ??= discover().catch((error: unknown) => {
      known = undefined;
      throw unreachable(settings.issuer, error);
    });
    return known;
  }

  function discover(): Promise<Configuration> {
    const issuer = new URL(settings.issuer);
    // Without TLS only on this machine.
    const withoutTls = issuer.protocol === 'http:' && isLoopback(issuer.hostname) ? [allowInsecureRequests] : [];
    return discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
      // The second checks tokens against the provider's keys: whoever answers in its place has none of them.
      execute: [...withoutTls, enableNonRepudiationChecks],
      timeout: timeoutSeconds,
    });
  }

  return {
    async begin(site) {
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
      const location = buildAuthorizationUrl(await configuration(), {
        redirect_uri: `${site}${returnPath}`,
        scope: settings.scope ?? 'openid profile email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const secure = site.startsWith('https:') ? '; Secure' : '';
      return {
        location: location.href,
        cookie: `${cookieName}=${state}.${nonce}.${verifier}; Max-Age=${minutes * 60}; ${attributes}${secure}`,
      };
    },
    async finish(url, cookies) {
      const [, state, nonce, verifier] =
        /(?:^|;)[ \t]*agon_sign_in=([\w-]{20,100})\.([\w-]{20,100})\.([\w-]{20,130})/.exec(cookies ?? '') ?? [];
      if (state === undefined || nonce === undefined || verifier === undefined) throw expired();
      const provider = await configuration();
      const person = readClaims(await readAllClaims(provider, url, { state, nonce, verifier }), settings);
      if (listScopes(person.roles, settings).length === 0) throw noRole(person.name);
      return person;
    },
  };

  /** Those of the ID token, and, where it tells no name or no roles, those of the provider's userinfo. */
  async function readAllClaims(
    provider: Configuration,
    url: URL,
    { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
  ): Promise<Record<string, unknown>> {
    try {
      const tokens = await authorizationCodeGrant(provider, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const isStated = claims['name'] !== undefined && findRoles(claims, settings.claim ?? 'groups').length > 0;
      if (isStated || provider.serverMetadata().userinfo_endpoint === undefined) return claims;
      // What is signed comes before what is not.
      return { ...(await fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
    } catch (error) {
      throw failed(error);
    }
  }
}

function unreachable(issuer: string, cause: unknown): AgonError {
  return new AgonError(
    'openid-failed',
    `The OpenID provider ${issuer} does not answer as one: ${(cause as Error).message}.`,
    'Check server.openid.issuer: issuer plus /.well-known/openid-configuration must be readable from the server.',
    { cause },
  );
}

function expired(): AgonError {
  return new AgonError(
    'sign-in-refused',
    `Signing in took longer than ${minutes} minutes, or began in another browser.`,
    'Sign in again.',
  );
}

function noRole(name: string): AgonError {
  return new AgonError(
    'sign-in-refused',
    `None of the roles of ${name} opens anything here.`,
    'Ask whoever runs this server to name one of them in server.openid.roles.',
  );
}

/** A person who declined, or a provider that did not play by the rules. */
function failed(cause: unknown): AgonError {
  const { error, error_description: said } = cause as { error?: unknown; error_description?: unknown };
  if (error === 'access_denied')
    return new AgonError('sign-in-refused', 'The provider refused the sign-in.', 'Sign in again.', { cause });
  const why = typeof said === 'string' ? said : (cause as Error).message;
  return new AgonError(
    'openid-failed',
    `Signing in through the provider failed: ${why}.`,
    'Check clientId and clientSecret of server.openid, and that the provider allows this server’s address.',
    { cause },
  );
}
