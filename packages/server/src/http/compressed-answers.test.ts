import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await runningServer();
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

/** The bytes as they came: `fetch` would unpack them. */
async function ask(where: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    coding: string | undefined;
    type: string | undefined;
    body: Buffer;
  }>();
  request(
    `${server.url}${where}`,
    { headers, agent: false },
    (response) =>
      void buffer(response).then(
        (body) =>
          resolve({ coding: response.headers['content-encoding'], type: response.headers['content-type'], body }),
        reject,
      ),
  )
    .on('error', reject)
    .end();
  return promise;
}

test('a long answer comes packed to whoever takes it so, and is the same', async () => {
  const plain = await ask('/openapi.json');
  const packed = await ask('/openapi.json', { 'accept-encoding': 'gzip, br' });
  expect([plain.coding, packed.coding, packed.type]).toEqual([undefined, 'gzip', 'application/json']);
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  expect(packed.body.length * 4).toBeLessThan(plain.body.length);
});

test('a short one comes as it is', async () => {
  expect((await ask('/healthz', { 'accept-encoding': 'gzip, br' })).coding).toBeUndefined();
});

test('events are not held back to be packed', async () => {
  const response = await server.call('/api/events', { headers: { 'accept-encoding': 'gzip, br' } });
  expect(response.headers.get('content-encoding')).toBeNull();
  await response.body!.cancel();
});
