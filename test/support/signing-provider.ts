import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openIdClient } from './openid-provider.ts';

/** A pair of keys under a name, as a provider publishes and uses them. */
export interface SigningKey {
  alg: string;
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/** An OpenID provider that lets everybody in and says what the test has it say. */
export interface SigningProvider extends AsyncDisposable {
  issuer: string;
  /** Those at its address of keys. */
  keys: SigningKey[];
  /** How often they were asked for. */
  keysRead: number;
  /** The ID token for claims that hold, of whoever comes next. */
  write(claims: Record<string, unknown>): string;
}

export function makeKey(alg: string, kid = alg): SigningKey {
  const pair =
    alg === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : alg === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { alg, kid, ...pair };
}

export function signToken(claims: Record<string, unknown>, { alg, kid, privateKey: key }: SigningKey): string {
  const told = layOut({ alg, kid }, claims);
  const how = alg.startsWith('PS') ? { key, padding: 6, saltLength: 32 } : { key, dsaEncoding: 'ieee-p1363' as const };
  return `${told}.${sign(alg === 'EdDSA' ? null : 'sha256', Buffer.from(told), how).toString('base64url')}`;
}

export function sealToken(claims: Record<string, unknown>, secret: string | Buffer, kid: string): string {
  const told = layOut({ alg: 'HS256', kid }, claims);
  return `${told}.${createHmac('sha256', secret).update(told).digest('base64url')}`;
}

export function layOut(header: object, claims: object): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

export async function startSigningProvider(key: SigningKey): Promise<SigningProvider> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: SigningProvider = {
    issuer,
    keys: [key],
    keysRead: 0,
    write: (claims) => signToken(claims, key),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  const pages: Record<string, (query: URLSearchParams) => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      // A provider may offer what nobody should take.
      id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256', 'PS256', 'ES256', 'EdDSA'],
    }),
    '/keys': () => {
      provider.keysRead += 1;
      const keys = provider.keys.map(({ publicKey, kid }) => ({ ...publicKey.export({ format: 'jwk' }), kid }));
      return { keys };
    },
    '/token': (query) => ({
      access_token: 'of the tests',
      token_type: 'bearer',
      id_token: provider.write({
        iss: issuer,
        sub: 'mara',
        aud: openIdClient.clientId,
        nonce: query.get('code'),
        iat: Math.floor(Date.now() / 1000),
        exp: Math.floor(Date.now() / 1000) + 300,
        name: 'Mara Lind',
        groups: ['reviewers'],
      }),
    }),
  };
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, issuer);
    if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri')!);
      // The code is the nonce, so that nothing need be kept.
      back.search = new URLSearchParams({
        code: searchParams.get('nonce')!,
        state: searchParams.get('state')!,
      }).toString();
      response.writeHead(303, { location: back.href }).end();
      return;
    }
    void text(request).then((body) => {
      const page = pages[pathname]?.(new URLSearchParams(body));
      response.writeHead(page ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(page ?? {}));
    });
  });
  return provider;
}
