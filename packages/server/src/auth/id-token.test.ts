import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Browser } from '@agonhq/test/support/browser.ts';
import { openIdClient } from '@agonhq/test/support/openid-provider.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import {
  layOut,
  makeKey,
  sealToken,
  signToken,
  startSigningProvider,
  type SigningProvider,
} from '@agonhq/test/support/signing-provider.ts';

type Claims = Record<string, unknown>;

const key = makeKey('RS256');
let provider: SigningProvider;
let server: ServerUnderTest;
beforeAll(async () => {
  provider = await startSigningProvider(key);
  server = await runningServer({
    server: {
      auth: 'required',
      openid: { issuer: provider.issuer, ...openIdClient, roles: { reviewers: ['read', 'review'] } },
    },
  });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Where somebody ends up whom the provider sends back with such a token, and who they are then. */
async function signIn(write: (claims: Claims) => string): Promise<{ where: string; status: number }> {
  provider.write = write;
  const browser = new Browser();
  const where = (await browser.follow(`${server.url}/sign-in/openid`)).replace(server.url, '');
  return { where, status: (await browser.visit(`${server.url}/api/self`)).status };
}

const letIn = { where: '/', status: 200 };
const refused = { where: '/?sign-in=openid-failed', status: 401 };

test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('a token signed with %s by the provider signs in', async (alg) => {
  const own = makeKey(alg, `new-${alg}`);
  await using another = await startSigningProvider(own);
  await using apart = await runningServer({
    server: { openid: { issuer: another.issuer, ...openIdClient, everybody: ['read'] } },
  });
  const browser = new Browser();
  expect(await browser.follow(`${apart.url}/sign-in/openid`)).toBe(`${apart.url}/`);
  expect(await browser.follow(`${apart.url}/sign-in/openid`)).toBe(`${apart.url}/`);
  expect(another.keysRead).toBe(1);
});

/** The claims of one token under the signature of another. */
function swapClaims(token: string, claims: Claims): string {
  const [header, , signature] = token.split('.');
  return [header, layOut({}, claims).split('.')[1], signature].join('.');
}

const publicPem = key.publicKey.export({ type: 'spki', format: 'pem' });
test.each<[string, (claims: Claims) => string]>([
  ['without a signature', (claims) => `${layOut({ alg: 'none' }, claims)}.`],
  ['that says none and carries a signature', (claims) => signToken(claims, { ...key, alg: 'none' })],
  ['of a foreign key under the provider’s name', (claims) => signToken(claims, makeKey('RS256'))],
  ['of a key that the provider does not name', (claims) => signToken(claims, makeKey('RS256', 'foreign'))],
  ['with changed claims', (claims) => swapClaims(signToken(claims, key), { ...claims, sub: 'the director' })],
  ['sealed with the client’s secret', (claims) => sealToken(claims, openIdClient.clientSecret, key.kid)],
  ['sealed with the provider’s public key', (claims) => sealToken(claims, publicPem, key.kid)],
  ['of another issuer', (claims) => signToken({ ...claims, iss: 'https://elsewhere.example' }, key)],
  ['for another client', (claims) => signToken({ ...claims, aud: 'somebody-else' }, key)],
  ['that has run out', (claims) => signToken({ ...claims, exp: Number(claims['iat']) - 60 }, key)],
  ['without an end', (claims) => signToken({ ...claims, exp: undefined }, key)],
  ['for another sign-in', (claims) => signToken({ ...claims, nonce: 'of-another-time-00000' }, key)],
])('a token %s signs nobody in', async (_, write) => {
  expect(await signIn((claims) => signToken(claims, key))).toEqual(letIn);
  expect(await signIn(write)).toEqual(refused);
});

test('a key that the provider has since taken into use is fetched; one that it gave up opens nothing', async () => {
  expect(await signIn((claims) => signToken(claims, key))).toEqual(letIn);
  const next = makeKey('ES256', 'next');
  provider.keys = [next];
  const before = provider.keysRead;
  // The provider is asked at most once a minute, whatever keys tokens name.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  expect(await signIn((claims) => signToken(claims, next))).toEqual(letIn);
  expect(await signIn((claims) => signToken(claims, key))).toEqual(refused);
  expect(provider.keysRead).toBe(before + 1);
});
