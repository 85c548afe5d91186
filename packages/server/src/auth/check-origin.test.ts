import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOriginCheck } from './check-origin.ts';

const host = '127.0.0.1:4100';

function isLet(headers: Record<string, string>, { method = 'GET', origins = [] as string[] } = {}): boolean {
  try {
    createOriginCheck(origins).check(new Headers({ host, ...headers }), method);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'bad-origin', hint: expect.stringContaining('server.origins') as string });
    return false;
  }
}

describe('a page', () => {
  test('of the server itself may call, whether TLS ends before it or not', () => {
    expect(isLet({ origin: 'http://127.0.0.1:4100' }, { method: 'POST' })).toBe(true);
    expect(isLet({ host: 'agon.example.com', origin: 'https://agon.example.com' })).toBe(true);
    expect(isLet({ host: 'agon.example.com:443', origin: 'https://agon.example.com' })).toBe(true);
    expect(isLet({ host: 'Agon.Example.com:8443', origin: 'https://agon.example.com:8443' })).toBe(true);
  });

  test.each([
    'https://evil.example',
    'http://127.0.0.1',
    'http://127.0.0.1:4101',
    'http://localhost:4100',
    'null',
    '',
    'file://',
    'http://127.0.0.1:4100/',
    'http://127.0.0.1:4100/path',
    'http://user@127.0.0.1:4100',
    'http://127.0.0.1:4100@evil.example',
    'http://127.0.0.1:4100, https://evil.example',
    'ftp://127.0.0.1:4100',
    '//127.0.0.1:4100',
    '127.0.0.1:4100',
    'https://127.0.0.1.evil.example:4100',
    '\u00e9',
  ])('of %j may not, by whatever method', (origin) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD'])
      expect(isLet({ origin }, { method }), method).toBe(false);
  });

  test('of another port of the same host may not: it is another program’s', () => {
    expect(isLet({ host: 'agon.example.com', origin: 'https://agon.example.com:8443' })).toBe(false);
  });

  test('of a listed origin may call, and of no other', () => {
    const origins = ['https://Console.example.com/', 'http://localhost:5173', 'chrome-extension://abcdefghijklmnop'];
    for (const origin of [
      'https://console.example.com',
      'http://localhost:5173',
      'chrome-extension://abcdefghijklmnop',
    ]) {
      expect(isLet({ origin, 'sec-fetch-site': 'cross-site' }, { origins, method: 'POST' }), origin).toBe(true);
      expect(createOriginCheck(origins).allowedOrigin(new Headers({ origin }))).toBe(origin);
    }
    for (const origin of [
      'http://console.example.com',
      'https://console.example.com:8443',
      'https://x.console.example.com',
      'null',
      '',
    ]) {
      expect(isLet({ origin }, { origins }), origin).toBe(false);
      expect(createOriginCheck(origins).allowedOrigin(new Headers({ origin }))).toBeNull();
    }
  });

  test('whatever origin is sent, none but the server’s own is let in', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.webUrl().map((url) => new URL(url).origin),
          fc.string({ unit: fc.integer({ min: 33, max: 255 }).map((code) => String.fromCharCode(code)) }),
        ),
        (origin) => !isLet({ origin }),
      ),
    );
  });
});

describe('what is asked for without an origin', () => {
  test('by a program, by the server’s own page or by typing is answered', () => {
    const asked: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    ];
    for (const headers of asked) expect(isLet(headers)).toBe(true);
  });

  test.each(['cross-site', 'same-site'])('as an image, a script or a frame of a %s page is not', (site) => {
    for (const [mode, dest] of [
      ['no-cors', 'image'],
      ['no-cors', 'script'],
      ['navigate', 'iframe'],
      ['navigate', 'object'],
      ['no-cors', 'document'],
    ]) {
      expect(isLet({ 'sec-fetch-site': site, 'sec-fetch-mode': mode!, 'sec-fetch-dest': dest! }), dest).toBe(false);
    }
  });

  test('by following a link is answered; a form that is sent from elsewhere is not', () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(isLet(link)).toBe(true);
    expect(isLet(link, { method: 'POST' })).toBe(false);
    expect(isLet({ ...link, origin: 'https://evil.example' })).toBe(false);
  });
});
