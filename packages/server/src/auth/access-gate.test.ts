import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import { openAccessGate, type AccessGateOptions } from './access-gate.ts';
import type { Principal } from './principal.ts';
import { securityHeaders } from './security-headers.ts';

const right = `agon_${'a'.repeat(12)}_${'x'.repeat(43)}`;
const holder: Principal = { key: { id: 'a'.repeat(12), name: 'holder', reviewer: null }, scopes: new Set(['read']) };

/** The one session that is known is `signed-in`. */
const sessions = { identify: (token: string) => Promise.resolve(token === 'signed-in' ? holder : null) };

/** A gate whose only key is `right`. What keys are is tested beside them. */
function gate({
  host = '127.0.0.1',
  settings = {},
  ratePerMinute = null as number | null,
}: Partial<Pick<AccessGateOptions, 'host' | 'settings'>> & { ratePerMinute?: number | null } = {}) {
  const identify = (key: string) =>
    key === right ? Promise.resolve(holder) : Promise.reject(new AgonError('wrong-api-key', 'Wrong.', 'Use another.'));
  return openAccessGate({ keys: { identify }, sessions, host, settings, limits: { ratePerMinute } });
}

const request = (headers: Record<string, string> = {}, { method = 'GET' } = {}) =>
  new Request('http://127.0.0.1:4100/api/self', { method, headers: { host: '127.0.0.1:4100', ...headers } });
const all = ['read', 'judge', 'review', 'care', 'admin'];

describe('on loopback', () => {
  test('nobody needs a key, and whoever is here may do everything', async () => {
    expect(await gate().identify(request())).toEqual({ key: null, scopes: new Set(all) });
  });

  test('whoever gives a key is known by it', async () => {
    expect(await gate().identify(request({ authorization: `Bearer ${right}` }))).toBe(holder);
    expect(await gate().identify(request({ 'x-api-key': right }))).toBe(holder);
  });

  test('a wrong key of ours is refused, and what an SDK sends because it must is not', async () => {
    await expect(gate().identify(request({ authorization: 'Bearer agon_nonsense' }))).rejects.toMatchObject({
      code: 'wrong-api-key',
    });
    await expect(gate().identify(request({ 'x-api-key': `${right}x` }))).rejects.toMatchObject({
      code: 'wrong-api-key',
    });
    for (const authorization of ['Bearer anything', 'Bearer sk-0123456789', 'Bearer', 'Basic YTpi', 'Bearer '])
      expect((await gate().identify(request({ authorization }))).key, authorization).toBeNull();
  });

  test('a ledger that cannot be read lets nobody in by mistake', async () => {
    const { identify } = openAccessGate({
      keys: { identify: () => Promise.reject(new AgonError('locked-ledger', 'Locked.', 'Wait.')) },
      sessions,
      host: '127.0.0.1',
      settings: {},
      limits: { ratePerMinute: null },
    });
    await expect(identify(request({ authorization: `Bearer ${right}` }))).rejects.toMatchObject({
      code: 'locked-ledger',
    });
  });

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via'])(
    'a request that a proxy passes on (%s) needs a key',
    async (name) => {
      await expect(gate().identify(request({ [name]: '203.0.113.9' }))).rejects.toMatchObject({
        code: 'no-api-key',
        message: expect.stringContaining('proxy') as string,
      });
      await expect(
        gate().identify(request({ [name]: '203.0.113.9', authorization: 'Bearer anything' })),
      ).rejects.toMatchObject({ code: 'wrong-api-key' });
      expect(await gate().identify(request({ [name]: '203.0.113.9', authorization: `Bearer ${right}` }))).toBe(holder);
    },
  );
});

describe('a key is needed', () => {
  test.each<[string, Partial<AccessGateOptions>]>([
    ['on every other address', { host: '0.0.0.0' }],
    ['where the settings say so', { settings: { auth: 'required' } }],
    ['where a proxy is in front', { settings: { allowedHosts: ['agon.example.com'] } }],
    ['where one of several names is a proxy’s', { settings: { allowedHosts: ['localhost', '*.example.com'] } }],
  ])('%s', async (_, options) => {
    const { identify } = gate(options);
    await expect(identify(request())).rejects.toMatchObject({ code: 'no-api-key' });
    await expect(identify(request({ authorization: 'Basic YTpi' }))).rejects.toMatchObject({ code: 'no-api-key' });
    await expect(identify(request({ authorization: 'Bearer anything' }))).rejects.toMatchObject({
      code: 'wrong-api-key',
    });
    expect(await identify(request({ authorization: `bearer  ${right}` }))).toBe(holder);
    expect(await identify(request({ authorization: 'Basic YTpi', 'x-api-key': right }))).toBe(holder);
  });

  test('not where further names are loopback’s own', async () => {
    expect((await gate({ settings: { allowedHosts: ['localhost:8080', '::1'] } }).identify(request())).key).toBeNull();
  });

  test('two keys at once are a wrong one', async () => {
    const twice = new Headers([
      ['host', '127.0.0.1'],
      ['authorization', `Bearer ${right}`],
      ['authorization', `Bearer ${right}`],
    ]);
    await expect(
      gate({ settings: { auth: 'required' } }).identify(new Request('http://127.0.0.1/', { headers: twice })),
    ).rejects.toMatchObject({ code: 'wrong-api-key' });
  });
});

describe('whoever signed in', () => {
  const cookie = 'theme=dark; agon_session=signed-in; other=1';
  const guarded = () => gate({ settings: { auth: 'required', origins: ['https://console.example.com'] } });

  test('is known by the cookie; one that is over is told so, and means nothing where no key is needed', async () => {
    expect(await guarded().identify(request({ cookie }))).toBe(holder);
    expect(await gate().identify(request({ cookie }))).toBe(holder);
    await expect(guarded().identify(request({ cookie: 'agon_session=over' }))).rejects.toMatchObject({
      code: 'session-ended',
    });
    expect((await gate().identify(request({ cookie: 'agon_session=over' }))).key).toBeNull();
    for (const other of ['agon_session=', 'xagon_session=signed-in', 'agon_session', 'Agon_session=signed-in', ''])
      await expect(guarded().identify(request({ cookie: other })), other).rejects.toMatchObject({
        code: 'no-api-key',
      });
  });

  test('and gives a key is whom the key says', async () => {
    await expect(guarded().identify(request({ cookie, authorization: 'Bearer anything' }))).rejects.toMatchObject({
      code: 'wrong-api-key',
    });
    expect(await guarded().identify(request({ cookie, authorization: 'Basic YTpi' }))).toBe(holder);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'changes something (%s) from a page of the server alone',
    async (method) => {
      const asked = (headers: Record<string, string>) =>
        guarded().identify(request({ cookie, ...headers }, { method }));
      expect(await asked({ origin: 'http://127.0.0.1:4100' })).toBe(holder);
      expect(await asked({ 'sec-fetch-site': 'same-origin' })).toBe(holder);
      const elsewhere: Record<string, string>[] = [
        {},
        { origin: 'null' },
        { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': 'same-site' },
      ];
      for (const headers of elsewhere) await expect(asked(headers)).rejects.toMatchObject({ code: 'bad-origin' });
    },
  );

  test('is nobody to a page elsewhere, though it may call', async () => {
    for (const method of ['GET', 'POST'])
      await expect(
        guarded().identify(request({ cookie, origin: 'https://console.example.com' }, { method })),
      ).rejects.toMatchObject({ code: 'no-api-key' });
  });
});

test('it is known whether a request came over https', () => {
  const proxied = gate({ settings: { allowedHosts: ['agon.example.com'] } });
  const host = 'agon.example.com';
  expect(proxied.isSecure(request({ host, 'x-forwarded-proto': 'https' }))).toBe(true);
  expect(proxied.isSecure(request({ host, 'x-forwarded-proto': 'https, http' }))).toBe(true);
  expect(proxied.isSecure(request({ host, origin: 'https://agon.example.com' }))).toBe(true);
  const plain: Record<string, string>[] = [
    {},
    { 'x-forwarded-proto': 'http' },
    { 'x-forwarded-proto': 'httpsx' },
    { origin: 'http://agon.example.com' },
    { origin: 'https://evil.example' },
  ];
  for (const headers of plain)
    expect(proxied.isSecure(request({ host, ...headers })), JSON.stringify(headers)).toBe(false);
  expect(gate().isSecure(request({ 'x-forwarded-proto': 'https' }))).toBe(false);
});

describe('a check', () => {
  test('asks for the host first, then for the page', () => {
    expect(() => gate().checkSource(request())).not.toThrow();
    expect(() => gate().checkSource(request({ host: 'evil.example', origin: 'http://evil.example' }))).toThrow(
      expect.objectContaining({ code: 'bad-host' }),
    );
    expect(() => gate().checkSource(request({ origin: 'http://evil.example' }))).toThrow(
      expect.objectContaining({ code: 'bad-origin' }),
    );
  });

  test('whatever headers say, it ends in a problem of ours or in none', async () => {
    const value = fc.string({
      unit: fc
        .integer({ min: 32, max: 255 })
        .filter((code) => code !== 127)
        .map((code) => String.fromCharCode(code)),
      maxLength: 2_000,
    });
    const names = [
      'host',
      'origin',
      'cookie',
      'x-forwarded-proto',
      'authorization',
      'x-api-key',
      'sec-fetch-site',
      'sec-fetch-mode',
      'x-forwarded-for',
      'access-control-request-method',
    ];
    const {
      checkSource: check,
      identify,
      headers,
      preflight,
      isSecure,
    } = gate({
      settings: { origins: ['https://console.example.com'] },
    });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...names), value),
        fc.constantFrom('GET', 'POST', 'OPTIONS'),
        async (given, method) => {
          const hostile = request(given, { method });
          headers(hostile);
          isSecure(hostile);
          try {
            check(hostile);
            preflight(hostile);
            await identify(hostile);
          } catch (error) {
            expect(AgonError.is(error)).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('CORS', () => {
  const console = 'https://console.example.com';
  const preflight = (origin: string) =>
    request(
      { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      { method: 'OPTIONS' },
    );

  test('is off by default', () => {
    expect(gate().preflight(preflight('http://127.0.0.1:4100'))).toBeNull();
    expect(
      Object.keys(gate().headers(request({ origin: console }))).filter(
        (name) => name.startsWith('access-control') || name === 'vary',
      ),
    ).toEqual([]);
  });

  test('where it is on, answers the preflight of a listed page, without credentials', () => {
    const { status, headers } = gate({ settings: { origins: [console] } }).preflight(preflight(console))!;
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(console);
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'X-Request-Id'])
      expect(headers.get('access-control-allow-headers')).toContain(name);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expect(headers.get('access-control-allow-methods')).toContain(method);
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('lets a listed page read what it needs, and every cache know that it depends on the page', () => {
    const { headers } = gate({ settings: { origins: [console] } });
    expect(headers(request({ origin: console }))).toMatchObject({
      'access-control-allow-origin': console,
      'access-control-expose-headers': 'X-Request-Id, Retry-After, Location, Idempotent-Replayed',
      vary: 'Origin',
    });
    expect(headers(request())).toEqual({ ...securityHeaders, vary: 'Origin' });
    expect(headers(request({ origin: 'https://evil.example' }))).toEqual({ ...securityHeaders, vary: 'Origin' });
  });

  test('OPTIONS without a preflight is none', () => {
    expect(
      gate({ settings: { origins: [console] } }).preflight(request({ origin: console }, { method: 'OPTIONS' })),
    ).toBeNull();
  });
});

describe('a rate', () => {
  test('is counted by key; without a setting there is none', async () => {
    const other: Principal = { ...holder, key: { ...holder.key!, id: 'b' } };
    const { countRequest: count } = gate({ ratePerMinute: 1 });
    await count(holder);
    await count(other);
    await expect(count(holder)).rejects.toMatchObject({ code: 'rate-limited', retryAfter: 60 });
    const unlimited = gate();
    await Promise.all(Array.from({ length: 1_000 }, () => unlimited.countRequest(holder)));
  });

  test('does not count what anybody may ask, so that nobody keeps a probe from its answer', async () => {
    const { countRequest: count } = gate({ ratePerMinute: 1 });
    await Promise.all(Array.from({ length: 100 }, () => count({ key: null, scopes: new Set() })));
  });

  test('comes back with time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { countRequest: count } = gate({ ratePerMinute: 60 });
      for (let index = 0; index < 60; index += 1) await count(holder);
      await expect(count(holder)).rejects.toThrow();
      vi.advanceTimersByTime(1_000);
      await count(holder);
      await expect(count(holder)).rejects.toThrow();
    } finally {
      vi.useRealTimers();
    }
  });
});
