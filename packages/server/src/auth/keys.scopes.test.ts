import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { operations, scopes, type Operation, type Scope } from '../api/index.ts';
import { openKeys } from './keys.ts';

/* Every operation of the contract, asked by everybody: nobody, somebody with a wrong key, and a key of each scope. */

let server: ServerUnderTest;
const keys = new Map<Scope, string>();

beforeAll(async () => {
  server = await runningServer({ server: { auth: 'required' } });
  const { create } = await openKeys({ ledger: server.ledger, environment: {} });
  for (const scope of scopes) keys.set(scope, (await create({ name: scope, scopes: [scope] })).key);
});

afterAll(async () => {
  for (const line of server.log)
    for (const key of keys.values()) expect(JSON.stringify(line)).not.toContain(key.slice(18));
  await server[Symbol.asyncDispose]();
});

/** Asks for what is not there, so that nothing is done; whether one may is decided before. */
async function statusOf(
  { method, path }: Operation,
  key?: string,
): Promise<{ status: number; code: string | null; challenge: string | null }> {
  const away = new AbortController();
  const where = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'hash' && path.includes('attachments') ? `sha256:${'0'.repeat(64)}` : '0'.repeat(12),
  );
  const response = await server.call(where, {
    method: method.toUpperCase(),
    headers: {
      ...(method === 'get' ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(method === 'get' ? {} : { body: '[]' }),
    signal: away.signal,
  });
  const code =
    response.headers.get('content-type') === 'application/problem+json'
      ? ((await response.json()) as { code: string }).code
      : null;
  away.abort();
  return { status: response.status, code, challenge: response.headers.get('www-authenticate') };
}

const guarded = (operations as readonly Operation[]).filter(({ scope }) => scope !== null);
const free = (operations as readonly Operation[]).filter(({ scope }) => scope === null);

describe('what needs a scope', () => {
  test.each(guarded.map((operation) => [operation.id, operation.scope!, operation] as const))(
    '%s needs %s',
    async (_, needed, operation) => {
      expect(await statusOf(operation)).toMatchObject({
        status: 401,
        code: 'no-api-key',
        challenge: 'Bearer realm="agon"',
      });
      for (const wrong of [
        'anything',
        'agon_nonsense',
        `agon_${'0'.repeat(12)}_${'x'.repeat(43)}`,
        `${keys.get('admin')!}x`,
      ])
        expect(await statusOf(operation, wrong), wrong).toMatchObject({ status: 401, code: 'wrong-api-key' });
      for (const scope of scopes) {
        const { status, code } = await statusOf(operation, keys.get(scope));
        if (scope === needed || scope === 'admin') expect([401, 403, 500], `${scope}: ${code}`).not.toContain(status);
        else expect({ scope, status, code }).toEqual({ scope, status: 403, code: 'no-scope' });
      }
    },
  );
});

describe('what anybody may ask', () => {
  test.each(free.map((operation) => [operation.id, operation] as const))(
    '%s is answered without a key',
    async (_, operation) => {
      const { status } = await statusOf(operation);
      // To sign in takes a body, which is looked at before anything else.
      if (operation.method === 'get') expect(status).toBe(200);
      else expect([401, 403, 500]).not.toContain(status);
    },
  );

  test('is nothing but health, the description of the API, and to sign in and out', () => {
    expect(free.map(({ id }) => id).toSorted()).toEqual([
      'house.alive',
      'house.docs',
      'house.document',
      'house.ready',
      'session.create',
      'session.end',
      'session.ways',
    ]);
  });
});

test('a place that is not there says so to everybody, and nothing more', async () => {
  const response = await server.call('/api/secrets');
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'not-found']);
});
