import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawHttp } from '@agonhq/test/support/contract/raw-http.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { consolePolicy } from './serve-console.ts';

const script = `export const words = [${'"the same words again",'.repeat(400)}];\n`;
const page =
  '<!doctype html><html lang="en"><title>Agon</title><script type="module" ' +
  'src="/assets/index-4f1c09ab.js"></script></html>';

const verifier =
  '<!doctype html><html lang="en"><head><meta charset="utf-8" />' +
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; script-src \'sha256-abc=\'" /></head></html>';

let folder: string;
let server: ServerUnderTest;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-console-'));
  const built = path.join(folder, 'console');
  await mkdir(path.join(built, 'assets'), { recursive: true });
  await mkdir(path.join(built, 'api'));
  const files: Record<string, string | Uint8Array> = {
    'index.html': page,
    'assets/index-4f1c09ab.js': script,
    'assets/index-77aa.css': 'body{}',
    'assets/letters-1b.woff2': new Uint8Array(3_000),
    'assets/part-3c.wasm': '\0asm',
    'verifier.html': verifier,
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/ready-5d.js': script,
    'assets/ready-5d.js.br': brotliCompressSync(script),
    'api/cases': 'not an answer of the API',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(built, name), content);
  await writeFile(path.join(folder, 'outside.txt'), 'outside');
  await symlink(path.join(folder, 'outside.txt'), path.join(built, 'linked.txt'));
  server = await runningServer(
    { server: { auth: 'required', allowedHosts: ['agon.example.com'], origins: ['https://tools.example.com'] } },
    { console: built, environment: { AGON_API_KEY: 'the key of the environment, long enough' } },
  );
}, 60_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const visited = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** The bytes as they came: `fetch` would unpack them. */
async function ask(where: string, headers: Record<string, string> = {}, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: Record<string, string | string[] | undefined>;
    body: Buffer;
  }>();
  request(
    `${server.url}${where}`,
    { method, headers, agent: false },
    (response) =>
      void buffer(response).then(
        (body) => resolve({ status: response.statusCode!, headers: response.headers, body }),
        reject,
      ),
  )
    .on('error', reject)
    .end();
  return promise;
}

describe('the page', () => {
  test.each(['/', '/cases', '/cases/mod-4f1c', '/runs/nightly-1.0', '/?next=%2Fqueue', '/queue/'])(
    'is shown at %s without a key, and asked for again each time',
    async (where) => {
      const { status, headers, body } = await ask(where, visited);
      expect([status, body.toString()]).toEqual([200, page]);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': consolePolicy,
        'x-content-type-options': 'nosniff',
        etag: expect.stringMatching(/^"[\w-]+"$/) as string,
      });
      expect(await ask(where, { ...visited, 'if-none-match': `W/${String(headers['etag'])}, "other"` })).toMatchObject({
        status: 304,
        body: Buffer.alloc(0),
      });
    },
  );

  test.each<Record<string, string>>([{ accept: '*/*' }, {}])(
    'is shown at / to curl, which says %o',
    async (headers) => {
      const { status, body } = await ask('/', headers);
      expect([status, body.toString()]).toEqual([200, page]);
    },
  );

  test('stands beside the page that checks bundles, which says itself what it may do', async () => {
    const { status, headers, body } = await ask('/verifier.html', visited);
    expect([status, body.toString()]).toEqual([200, verifier]);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'sha256-abc='; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
  });

  test('answers HEAD without a body', async () => {
    expect(await ask('/', visited, 'HEAD')).toMatchObject({
      status: 200,
      headers: { 'content-length': String(page.length) },
      body: Buffer.alloc(0),
    });
  });

  test('is not shown by a name that is not the server’s', async () => {
    expect(await ask('/', { ...visited, host: 'evil.example' })).toMatchObject({ status: 403 });
    expect(await ask('/', { ...visited, host: 'agon.example.com' })).toMatchObject({ status: 200 });
  });

  test.each([
    '/api',
    '/api/nothing',
    '/API/cases',
    '/api/cases',
    '/v1/nothing',
    '/docs/nothing',
    '/healthz/',
    '/assets/',
    '/assets/gone-1.js',
    '/nothing.png',
    '/.env',
    '/index.htm',
  ])('is not shown at %s', async (where) => {
    const { headers, status, body } = await ask(where, visited);
    expect([401, 404]).toContain(status);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(body.toString()).not.toContain('not an answer');
  });

  test('is for people: programs, and whoever wants to change something there, get a problem', async () => {
    for (const [where, headers, method] of [
      ['/', { accept: 'application/json' }, 'GET'],
      ['/cases', { accept: '*/*' }, 'GET'],
      ['/cases', {}, 'GET'],
      ['/cases', { accept: 'application/json' }, 'GET'],
      ['/', visited, 'POST'],
      ['/cases', visited, 'DELETE'],
    ] as const) {
      expect(await ask(where, headers, method)).toMatchObject({
        status: 404,
        headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
      });
    }
  });
});

describe('a file of it', () => {
  const named = '/assets/index-4f1c09ab.js';

  test('is packed as the browser likes it, and kept for good', async () => {
    for (const [accepted, coding, unpack] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['identity', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const { status, headers, body } = await ask(named, { 'accept-encoding': accepted });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': String(body.length),
        vary: 'Accept-Encoding, Origin',
      });
      expect(headers['content-encoding']).toBe(coding);
      expect(unpack(body).toString()).toBe(script);
      expect(await ask(named, { 'accept-encoding': accepted, 'if-none-match': String(headers['etag']) })).toMatchObject(
        { status: 304 },
      );
    }
  });

  test('has the policy of the console, since workers have that of their file', async () => {
    expect((await ask(named)).headers['content-security-policy']).toBe(consolePolicy);
  });

  test('that the build has packed is sent as it is', async () => {
    expect(
      (await ask('/assets/ready-5d.js', { 'accept-encoding': 'br' })).body.equals(brotliCompressSync(script)),
    ).toBe(true);
    expect((await ask('/assets/ready-5d.js.br')).status).toBe(404);
  });

  test.each([
    ['/assets/index-77aa.css', 'text/css; charset=utf-8'],
    ['/assets/letters-1b.woff2', 'font/woff2'],
    ['/assets/part-3c.wasm', 'application/wasm'],
  ])('%s is %s', async (where, type) => {
    expect((await ask(where, { 'accept-encoding': 'br' })).headers).toMatchObject({
      'content-type': type,
      'cache-control': expect.stringContaining('immutable') as string,
    });
  });

  test('that has no hash in its name is asked for again', async () => {
    expect((await ask('/icon.svg')).headers).toMatchObject({
      'content-type': expect.stringContaining('image/svg+xml') as string,
      'cache-control': 'no-cache',
    });
  });

  test('is one that was there at the start: no path leads to another', async () => {
    await writeFile(path.join(folder, 'console', 'assets', 'later-9.js'), script);
    const { host } = new URL(server.url);
    for (const where of [
      '/assets/later-9.js',
      '/linked.txt',
      '/outside.txt',
      '/../outside.txt',
      '/assets/../../outside.txt',
      '/..%2foutside.txt',
      '/%2e%2e/outside.txt',
      '/assets/..%5c..%5coutside.txt',
      '//assets/index-4f1c09ab.js',
      '/assets//index-4f1c09ab.js',
      '/assets/index-4f1c09ab.js/',
      '/assets/index-4f1c09ab.js%00',
      '/ASSETS/index-4f1c09ab.js',
      '/__proto__',
      '/constructor',
    ]) {
      const { text, statuses } = await rawHttp(
        server.url,
        `GET ${where} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(statuses, where).toEqual([404]);
      expect(text, where).not.toMatch(/outside\n|the same words/);
    }
  });
});

test('who asked for the console is known to the figures by one name, whatever the address', async () => {
  await ask('/cases/some-case', visited);
  expect(server.log.findLast(({ path: where }) => where === '/cases/some-case')).toMatchObject({
    operation: 'console',
    status: 200,
  });
});

test('where the console was not built a person is told how, and the API answers', async () => {
  await using bare = await runningServer({}, { console: path.join(folder, 'nowhere') });
  const response = await bare.call('/', { headers: visited });
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(await response.text()).toContain('npm run build');
  expect((await bare.call('/healthz')).status).toBe(200);
});
