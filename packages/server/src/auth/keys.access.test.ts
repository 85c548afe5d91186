import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import type { ApiKeyRow } from '@agonhq/ledger';
import type { Settings } from '@agonhq/core/settings';
import { openKeys, type NewKey } from './keys.ts';

/* Through a real server, by real requests. */

const admin = 'the key of the environment, long enough';
const environment = { AGON_API_KEY: admin };
const required: Settings = { server: { auth: 'required' } };
const asAdmin = { authorization: `Bearer ${admin}` };

interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  code: string | null;
}

/** With headers that `fetch` would not send as they are. */
async function ask(
  { url }: ServerUnderTest,
  path: string,
  headers: Record<string, string | string[]> = {},
  method = 'GET',
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const asked = request(`${url}${path}`, { method, headers, agent: false }, (response) => {
    text(response).then(
      (body) =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body,
          code: body.startsWith('{') ? ((JSON.parse(body) as { code?: string }).code ?? null) : null,
        }),
      reject,
    );
  });
  asked.on('error', reject).end();
  return promise;
}

/** Bytes as they are; what came back. */
async function say({ url }: ServerUnderTest, bytes: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = '';
  socket
    .setEncoding('latin1')
    .on('data', (part: string) => (said += part))
    .on('error', () => undefined)
    .on('close', () => resolve(said))
    .setTimeout(3_000, () => socket.destroy());
  socket.write(bytes);
  return promise;
}

async function makeKey(
  { ledger }: ServerUnderTest,
  key: Partial<NewKey> = {},
): Promise<{ key: string; row: ApiKeyRow; headers: Record<string, string> }> {
  const made = await (await openKeys({ ledger, environment: {} })).create({ name: 'one', scopes: ['read'], ...key });
  return { ...made, headers: { authorization: `Bearer ${made.key}` } };
}

describe('by which name a server is reached', () => {
  test('a page that made its name point here gets nothing', async () => {
    await using server = await runningServer();
    const { port } = new URL(server.url);
    for (const path of ['/api/cases', '/healthz', '/docs', '/nowhere']) {
      const { status, code, body } = await ask(server, path, { host: `rebound.evil.example:${port}` });
      expect([status, code], path).toEqual([403, 'bad-host']);
      expect(body).toContain('server.allowedHosts');
    }
    for (const host of [`localhost:${port}`, '127.0.0.1', `[::1]:${port}`])
      expect(await ask(server, '/healthz', { host }), host).toMatchObject({ status: 200 });
  });

  test('the name of a proxy is allowed where the settings name it, and then a key is needed', async () => {
    await using server = await runningServer({ server: { allowedHosts: ['agon.example.com'] } }, { environment });
    expect(await ask(server, '/api/self', { host: 'agon.example.com' })).toMatchObject({
      status: 401,
      code: 'no-api-key',
    });
    expect(await ask(server, '/api/self')).toMatchObject({ status: 401 });
    expect(
      await ask(server, '/api/self', { host: 'agon.example.com', 'x-forwarded-for': '203.0.113.9', ...asAdmin }),
    ).toMatchObject({ status: 200 });
  });

  test('without a name, with two, or with nonsense it is a problem, and the server goes on', async () => {
    await using server = await runningServer();
    for (const head of [
      '',
      'Host: \r\n',
      'Host: localhost\r\nHost: evil.example\r\n',
      'Host: local host\r\n',
      'Host: löcalhost\r\n',
      'Host: [::1\r\n',
      'Host: a:b:c\r\n',
      'Host: http://localhost\r\n',
    ]) {
      for (const version of ['1.0', '1.1'])
        expect(
          await say(server, `GET /api/cases HTTP/${version}\r\n${head}Connection: close\r\n\r\n`),
          `${version} ${head}`,
        ).toMatch(/^HTTP\/1\.1 (?:400|403) /);
    }
    expect(await ask(server, '/healthz')).toMatchObject({ status: 200 });
  });
});

test('a request line that names another host is refused', async () => {
  await using server = await runningServer();
  for (const where of [
    'http://evil.example/openapi.json',
    'https://user:password@127.0.0.1/openapi.json',
    'HTTP://evil.example',
  ]) {
    const said = await say(server, `GET ${where} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    expect(said, where).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(said).not.toContain('evil.example');
  }
  expect(
    await say(server, 'GET http://127.0.0.1/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'),
  ).toMatch(/^HTTP\/1\.1 200 /);
});

describe('which pages may call', () => {
  test('none elsewhere by default: neither to do something, nor to listen', async () => {
    await using server = await runningServer();
    for (const [method, path] of [
      ['GET', '/api/events'],
      ['GET', '/api/cases'],
      ['POST', '/api/jobs/moderation/cases'],
      ['DELETE', '/api/keys/x'],
      ['OPTIONS', '/api/jobs/moderation/cases'],
    ] as const) {
      for (const origin of ['https://evil.example', 'null', 'http://localhost:3000']) {
        const { status, code, headers } = await ask(
          server,
          path,
          { origin, 'access-control-request-method': 'POST' },
          method,
        );
        expect([method, path, origin, status, code]).toEqual([method, path, origin, 403, 'bad-origin']);
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
    }
    expect(
      await ask(server, '/api/cases', {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'no-cors',
        'sec-fetch-dest': 'image',
      }),
    ).toMatchObject({ status: 403, code: 'bad-origin' });
    expect(await ask(server, '/api/cases', { origin: server.url })).toMatchObject({ status: 200 });
  });

  test('those of the settings, also when they are refused for another reason', async () => {
    const origin = 'https://console.example.com';
    await using server = await runningServer({ server: { origins: [origin], auth: 'required' } }, { environment });
    const preflight = await ask(
      server,
      '/api/jobs/moderation/cases',
      { origin, 'access-control-request-method': 'POST' },
      'OPTIONS',
    );
    expect(preflight).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': origin, vary: 'Origin' },
    });
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    expect(await ask(server, '/api/self', { origin, ...asAdmin })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': origin },
    });
    expect(await ask(server, '/api/self', { origin })).toMatchObject({
      status: 401,
      headers: { 'access-control-allow-origin': origin },
    });
    expect(await ask(server, '/api/self', { origin: 'https://evil.example', ...asAdmin })).toMatchObject({
      status: 403,
    });
  });
});

test('every answer forbids what it does not need', async () => {
  await using server = await runningServer();
  for (const path of ['/healthz', '/api/cases', '/nowhere', '/openapi.json', '/metrics']) {
    const { headers } = await ask(server, path);
    expect(headers, path).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/./) as string,
    });
    expect(headers['permissions-policy']).toContain('camera=()');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  const { headers } = await ask(server, '/docs');
  expect(headers['content-security-policy']).toMatch(/default-src 'none';.*frame-ancestors 'none'/);
  expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/);
});

test('a report may run its own script by hash, and is not kept by anybody', async () => {
  await using server = await runningServer();
  const judged = (await (
    await server.call('/api/jobs/moderation/cases', {
      json: { text: '<script>alert(1)</script> How do I kill a process?', method: 'guard' },
    })
  ).json()) as { id: string };
  const { headers, body } = await ask(server, `/api/cases/${judged.id}/report`);
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/);
  expect(headers['content-security-policy']).not.toContain('script-src');
  expect(headers['cache-control']).toBe('no-store');
  expect(body).not.toContain('<script>alert');
});

describe('on loopback', () => {
  test('no key is needed; a proxy that was put in front without a word is noticed', async () => {
    await using server = await runningServer();
    expect(await ask(server, '/api/self')).toMatchObject({ status: 200 });
    expect(await ask(server, '/api/self', { authorization: 'Bearer sk-anything' })).toMatchObject({ status: 200 });
    expect(await ask(server, '/api/self', { authorization: 'Bearer agon_wrong' })).toMatchObject({
      status: 401,
      code: 'wrong-api-key',
    });
    expect(await ask(server, '/api/self', { 'x-forwarded-for': '203.0.113.9' })).toMatchObject({
      status: 401,
      code: 'no-api-key',
      body: expect.stringContaining('proxy') as string,
    });
  });
});

describe('on every other address', () => {
  test('a server does not start without a key that can be used', async () => {
    await expect(runningServer({ server: { host: '0.0.0.0' } })).rejects.toMatchObject({
      code: 'no-api-key',
      hint: expect.stringContaining('agon keys create') as string,
    });
    await expect(
      runningServer({ server: { host: '0.0.0.0' } }, { environment: { AGON_API_KEY: 'short' } }),
    ).rejects.toMatchObject({ code: 'short-api-key' });
  });

  test('it starts with one, and asks everybody for it', async () => {
    await using server = await runningServer({ server: { host: '0.0.0.0' } }, { environment });
    const { port } = new URL(server.url);
    const here = { ...server, url: `http://127.0.0.1:${port}` };
    expect(await ask(here, '/api/self')).toMatchObject({ status: 401, code: 'no-api-key' });
    expect(await ask(here, '/api/self', asAdmin)).toMatchObject({ status: 200 });
    expect(await ask(here, '/api/self', { ...asAdmin, host: '203.0.113.9' })).toMatchObject({ status: 200 });
    expect(await ask(here, '/api/self', { ...asAdmin, host: 'evil.example' })).toMatchObject({
      status: 403,
      code: 'bad-host',
    });
  });
});

describe('a rate', () => {
  test('of a key that is spent answers 429 with Retry-After, and lets it in again after that', async () => {
    await using server = await runningServer({ server: { auth: 'required', ratePerMinute: 60 } }, { environment });
    const { headers } = await makeKey(server);
    const answers = await Promise.all(Array.from({ length: 90 }, () => ask(server, '/api/keys', headers)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ code: 'rate-limited', headers: { 'retry-after': '1' } });
    expect(answers.filter(({ status }) => status === 403).length).toBeGreaterThanOrEqual(60);
    expect(await ask(server, '/api/self', asAdmin), 'another key is not concerned').toMatchObject({ status: 200 });
    expect(await ask(server, '/healthz')).toMatchObject({ status: 200 });
    await sleep(1_000);
    expect(await ask(server, '/api/self', headers)).toMatchObject({ status: 200 });
  });
});

describe('keys over HTTP', () => {
  test('are made, used, listed and revoked; the key itself is shown once, its hash never', async () => {
    await using server = await runningServer(required, { environment });
    const response = await server.call('/api/keys', {
      json: { name: 'desk', scopes: ['read', 'review'], reviewer: 'mara' },
      headers: asAdmin,
    });
    const made = (await response.json()) as { id: string; key: string };
    expect(response.status).toBe(201);
    expect(made).toEqual({
      id: expect.any(String) as string,
      name: 'desk',
      scopes: ['read', 'review'],
      reviewer: 'mara',
      createdAt: expect.any(String) as string,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
      key: expect.stringMatching(/^agon_/) as string,
    });

    const bearer = { authorization: `Bearer ${made.key}` };
    expect(JSON.parse((await ask(server, '/api/self', bearer)).body)).toMatchObject({
      key: { id: made.id, name: 'desk', reviewer: 'mara' },
      scopes: ['read', 'review'],
    });
    const { secretHash } = (await server.ledger.keys.findKey(made.id))!;
    const listed = await ask(server, '/api/keys', asAdmin);
    expect(JSON.parse(listed.body)).toMatchObject({ rows: [{ id: made.id, name: 'desk' }] });
    for (const secret of [made.key.slice(18), secretHash, secretHash.slice('sha256:'.length)])
      expect(listed.body).not.toContain(secret);

    expect(await ask(server, `/api/keys/${made.id}`, asAdmin, 'DELETE')).toMatchObject({ status: 200 });
    expect(await ask(server, '/api/self', bearer)).toMatchObject({ status: 401, code: 'wrong-api-key' });
    expect(await ask(server, '/api/keys/ffffffffffff', asAdmin, 'DELETE')).toMatchObject({
      status: 404,
      code: 'unknown-key',
    });
  });

  test('one may revoke itself, and is turned away from then on', async () => {
    await using server = await runningServer(required);
    const { headers, row } = await makeKey(server, { scopes: ['admin'] });
    expect(await ask(server, `/api/keys/${row.id}`, headers, 'DELETE')).toMatchObject({ status: 200 });
    expect(await ask(server, '/api/keys', headers)).toMatchObject({ status: 401 });
  });

  test('what another process revokes is turned away within five seconds', async () => {
    await using server = await runningServer(required);
    const { headers, row } = await makeKey(server);
    expect(await ask(server, '/api/self', headers)).toMatchObject({ status: 200 });
    await server.ledger.keys.revokeKey(row.id);
    await vi.waitFor(async () => expect((await ask(server, '/api/self', headers)).status).toBe(401), {
      timeout: 5_000,
      interval: 100,
    });
  });

  test('what has expired is turned away, and cannot be made', async () => {
    await using server = await runningServer(required, { environment });
    const { headers } = await makeKey(server, { expiresAt: new Date(Date.now() + 4_000) });
    expect(await ask(server, '/api/self', headers)).toMatchObject({ status: 200 });
    await sleep(4_000);
    expect(await ask(server, '/api/self', headers)).toMatchObject({ status: 401, code: 'wrong-api-key' });
    const late = await server.call('/api/keys', {
      json: { name: 'late', scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' },
      headers: asAdmin,
    });
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([422, 'bad-expiry']);
  });

  test('are not made of nonsense', async () => {
    await using server = await runningServer(required, { environment });
    const read = ['read'];
    for (const json of [
      { name: '', scopes: read },
      { name: 'a\u0000b', scopes: read },
      { name: 'a\u202eb', scopes: read },
      { name: 'a', scopes: [] },
      { name: 'a', scopes: ['root'] },
      { name: 'a', scopes: read, id: 'mine' },
      { name: 'a', scopes: read, expiresAt: 'soon' },
      [],
      null,
      'a',
    ]) {
      expect((await server.call('/api/keys', { json, headers: asAdmin })).status, JSON.stringify(json)).toBe(400);
    }
    expect(await server.ledger.keys.listKeys()).toEqual([]);
  });
});

test('a key that may only judge gets its answer again, and nothing else', async () => {
  await using server = await runningServer({ server: { auth: 'required', ratePerMinute: 4 } }, { environment });
  const { headers } = await makeKey(server, { scopes: ['judge'] });
  const other = await makeKey(server, { scopes: ['judge'] });
  const judge = (more: Record<string, string>) =>
    server.call('/api/jobs/moderation/cases', {
      json: { text: 'Good morning' },
      headers: { 'idempotency-key': 'mine', ...more },
    });
  const first = await judge(headers);
  const answer = await first.json();
  expect(first.status).toBe(200);
  const again = await judge(headers);
  expect([again.status, again.headers.get('idempotent-replayed'), await again.json()]).toEqual([200, 'true', answer]);
  const heard = await judge({ ...headers, accept: 'text/event-stream' });
  expect(await heard.text()).toContain('event: answer');
  expect((await judge(other.headers)).headers.has('idempotent-replayed')).toBe(false);
  expect(await ask(server, first.headers.get('location')!, headers)).toMatchObject({ status: 403, code: 'no-scope' });
  expect(await ask(server, '/api/cases', headers)).toMatchObject({ status: 429 });
});

test('no key is in the log or in an answer, wherever it was put', async () => {
  await using server = await runningServer(required, { environment });
  const { key, headers } = await makeKey(server, { scopes: ['admin'] });
  const secret = key.slice(18);
  const answers = [
    await ask(server, '/api/self', headers),
    await ask(server, '/api/self', { 'x-api-key': key }),
    await ask(server, `/api/keys/${key}`, headers, 'DELETE'),
    await ask(server, `/api/cases/${key}`, headers),
    await ask(server, `/nowhere/${key}?key=${key}`, headers),
    await ask(server, `/api/cases?after=${key}`, headers),
    await ask(server, `/api/cases?${key}=1`, headers),
    await ask(server, '/api/self', { authorization: `Basic ${key}`, origin: `http://${secret}.example` }),
    await ask(server, '/api/self', { authorization: `Bearer ${key}x` }),
    await ask(server, '/api/self', { 'last-event-id': key, 'idempotency-key': key, ...headers }),
    await ask(server, `/api/cases/%61gon_${key.slice(5)}`, headers),
    await ask(server, `/api/cases/${key.slice(0, -1)}%${key.charCodeAt(key.length - 1).toString(16)}`, headers),
    await ask(server, '/api/self', { 'x-request-id': key, ...headers }),
  ];
  for (const { body, status } of answers) {
    expect(status).toBeLessThan(500);
    expect(body).not.toContain(admin);
  }
  expect(server.log.length).toBeGreaterThanOrEqual(answers.length);
  for (const line of server.log) {
    expect(JSON.stringify(line)).not.toContain(secret);
    expect(JSON.stringify(line)).not.toContain(admin);
  }
});

test('hostile headers are a problem, and the server goes on', async () => {
  await using server = await runningServer(required, { environment });
  const host = 'Host: 127.0.0.1\r\n';
  const heads = [
    `Authorization: Bearer ${'x'.repeat(20_000)}\r\n`,
    `Authorization: Bearer ${'x'.repeat(8_000)}\r\n`,
    'Authorization: Bearer \u0000\u0001\r\n',
    `Authorization: Bearer ${'\u{1f511}'.repeat(20)}\r\n`,
    'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n',
    `X-API-Key: agon_\r\nX-API-Key: agon_${'0'.repeat(12)}_${'x'.repeat(43)}\r\n`,
    'Origin: http://[\r\n',
    `Origin: ${'a'.repeat(8_000)}\r\n`,
    'Origin: http://127.0.0.1\r\nOrigin: https://evil.example\r\n',
    'Sec-Fetch-Site: cross-site, same-origin\r\nAuthorization:\r\n',
    Array.from({ length: 1_500 }, (_, index) => `X-${index}: 1\r\n`).join(''),
    'X-Request-Id: a\u001b[31mb\r\n',
    'no colon\r\n',
  ];
  for (const head of heads) {
    const answer = await say(
      server,
      Buffer.from(`GET /api/self HTTP/1.1\r\n${host}${head}Connection: close\r\n\r\n`, 'utf8'),
    );
    expect(answer, head.slice(0, 60)).toMatch(/^HTTP\/1\.1 (?:400|401|403|431) /);
  }
  expect(await ask(server, '/api/self', asAdmin)).toMatchObject({ status: 200 });
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
});
