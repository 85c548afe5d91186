import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openKeys } from '../auth/keys.ts';
import type { Scope } from '../api/index.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';

/* As a browser does it: with a cookie, and an origin that it tells. */

const environmentKey = 'the key of the environment, long enough';
let server: ServerUnderTest;
beforeAll(async () => {
  server = await runningServer(
    { server: { auth: 'required', allowedHosts: ['agon.example.com'] } },
    { environment: { AGON_API_KEY: environmentKey } },
  );
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

async function newKey(...scopes: Scope[]): Promise<{ key: string; id: string }> {
  const { key, row } = await (
    await openKeys({ ledger: server.ledger, environment: {} })
  ).create({ name: 'desk', scopes, reviewer: 'mara' });
  return { key, id: row.id };
}

const signIn = (key: string, headers: Record<string, string> = {}) =>
  server.call('/api/session', { json: { key }, headers: { origin: server.url, ...headers } });
const cookieOf = (response: Response) => response.headers.get('set-cookie')!.split(';')[0]!;
const own = (cookie: string) => ({ cookie, origin: server.url });
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];

describe('signing in', () => {
  test('answers who one is, with a cookie that scripts cannot read and other sites cannot send', async () => {
    const { key, id } = await newKey('read', 'review');
    const response = await signIn(` ${key}\n`);
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toMatch(
      /^agon_session=[\w.-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const self = await response.json();
    expect(self).toMatchObject({ key: { id, name: 'desk', reviewer: 'mara' }, scopes: ['read', 'review'] });
    expect(await (await server.call('/api/self', { headers: own(cookieOf(response)) })).json()).toEqual(self);
  });

  test('behind a proxy with TLS the cookie stays with TLS', async () => {
    expect(
      (await signIn(environmentKey, { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' })).headers.get(
        'set-cookie',
      ),
    ).toMatch(/; Secure$/);
  });

  test('with a wrong key fails, and gives no cookie; too often, and it is too much', async () => {
    const statuses: number[] = [];
    for (let tried = 0; tried < 12; tried += 1) {
      const response = await signIn(`agon_${'0'.repeat(12)}_${'x'.repeat(43)}`);
      expect(response.headers.get('set-cookie')).toBeNull();
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      statuses.push(response.status);
    }
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses.at(-1)).toBe(429);
  });

  test('is nothing that a page elsewhere can do', async () => {
    expect(await codeOf(await signIn(environmentKey, { origin: 'https://evil.example' }))).toEqual([403, 'bad-origin']);
    expect(
      (
        await server.call('/api/session', {
          body: JSON.stringify({ key: environmentKey }),
          headers: { 'content-type': 'text/plain' },
        })
      ).status,
    ).toBe(415);
  });
});

describe('whoever signed in', () => {
  test('may do what the key may, and no more', async () => {
    const cookie = cookieOf(await signIn((await newKey('read')).key));
    expect((await server.call('/api/cases', { headers: { cookie } })).status).toBe(200);
    expect(
      await codeOf(
        await server.call('/api/jobs/moderation/cases', { json: { text: 'Good morning' }, headers: own(cookie) }),
      ),
    ).toEqual([403, 'no-scope']);
  });

  test('judges from a page of the server, and gets the same answer for the same request', async () => {
    const cookie = cookieOf(await signIn((await newKey('judge')).key));
    const judge = (headers: Record<string, string>) =>
      server.call('/api/jobs/moderation/cases', {
        json: { text: 'Good morning' },
        headers: { 'idempotency-key': 'by-session', ...headers },
      });
    const first = await judge(own(cookie));
    const again = await judge(own(cookie));
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
    expect(await again.json()).toEqual(await first.json());
    const elsewhere: Record<string, string>[] = [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: `http://127.0.0.1:${Number(new URL(server.url).port) + 1}` },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of elsewhere) {
      expect(await codeOf(await judge({ cookie, ...headers })), JSON.stringify(headers)).toEqual([403, 'bad-origin']);
    }
  });

  test('hears events by the cookie alone', async () => {
    const cookie = cookieOf(await signIn((await newKey('read')).key));
    const response = await server.call('/api/events', { headers: { cookie } });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    await response.body!.cancel();
  });

  test('and sends a key is whom the key says', async () => {
    const cookie = cookieOf(await signIn((await newKey('read')).key));
    expect(
      await (await server.call('/api/self', { headers: { cookie, authorization: `Bearer ${environmentKey}` } })).json(),
    ).toMatchObject({ key: { id: 'environment' } });
    const wrong = await server.call('/api/self', { headers: { cookie, authorization: 'Bearer agon_wrong' } });
    expect(wrong.headers.get('set-cookie')).toBeNull();
    expect(await codeOf(wrong)).toEqual([401, 'wrong-api-key']);
  });

  test('is signed out when the key is revoked, and the cookie goes', async () => {
    const { key, id } = await newKey('read');
    const cookie = cookieOf(await signIn(key));
    await server.call(`/api/keys/${id}`, { method: 'DELETE', headers: { authorization: `Bearer ${environmentKey}` } });
    const response = await server.call('/api/self', { headers: { cookie } });
    expect(response.headers.get('set-cookie')).toMatch(/^agon_session=; Max-Age=0;/);
    expect(await codeOf(response)).toEqual([401, 'session-ended']);
  });

  test('signs out', async () => {
    const cookie = cookieOf(await signIn(environmentKey));
    const response = await server.call('/api/session', { method: 'DELETE', headers: own(cookie) });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('set-cookie')).toMatch(
      /^agon_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(await codeOf(await server.call('/api/self', { headers: { cookie } }))).toEqual([401, 'session-ended']);
  });
});

test('a cookie that nobody was given is no session', async () => {
  for (const token of [
    'x',
    'environment.9999999999.',
    `environment.9999999999.${'x'.repeat(43)}`,
    `__proto__.9999999999.${'x'.repeat(43)}`,
    encodeURIComponent(environmentKey),
  ]) {
    expect(
      await codeOf(await server.call('/api/self', { headers: { cookie: `agon_session=${token}` } })),
      token,
    ).toEqual([401, 'session-ended']);
  }
});

test('no key and no session is in the log', async () => {
  const { key } = await newKey('read');
  const cookie = cookieOf(await signIn(key));
  await server.call('/api/self', { headers: { cookie } });
  await server.call('/api/session', { json: { key, more: key }, headers: { origin: server.url } });
  const said = JSON.stringify(server.log);
  for (const secret of [key.slice(18), environmentKey, cookie.slice('agon_session='.length)])
    expect(said).not.toContain(secret);
});

test('where nobody needs a key one may sign in, and need not; a restart ends no session', async () => {
  let cookie: string;
  const home = { AGON_SECRET: 'of this installation' };
  {
    await using open = await runningServer({}, { ledger: server.ledger, environment: home });
    const { key } = await newKey('read');
    cookie = cookieOf(await open.call('/api/session', { json: { key } }));
    expect(await (await open.call('/api/self')).json()).toMatchObject({
      key: null,
      scopes: ['read', 'judge', 'review', 'care', 'admin'],
    });
  }
  await using open = await runningServer({}, { ledger: server.ledger, environment: home });
  expect(await (await open.call('/api/self', { headers: { cookie } })).json()).toMatchObject({
    key: { reviewer: 'mara' },
    scopes: ['read'],
  });
  expect((await open.call('/api/self', { headers: { cookie: 'agon_session=of-another-server' } })).status).toBe(200);
});
