import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHostCheck, isBehindProxy, isLoopback } from './check-host.ts';

function isLet(given: string | null, host: string, allowedHosts: string[] = []): boolean {
  try {
    createHostCheck({ host, allowedHosts })(given);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'bad-host', hint: expect.stringContaining('server.allowedHosts') as string });
    return false;
  }
}

describe('a server on loopback', () => {
  test.each(['localhost', 'localhost:4100', 'LOCALHOST:1', '127.0.0.1:4100', '127.9.9.9', '[::1]:4100', '[::1]'])(
    'is reached as %s',
    (given) => {
      expect(isLet(given, '127.0.0.1')).toBe(true);
    },
  );

  test.each([
    'evil.example',
    'evil.example:4100',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.localhost',
    'localhost.',
    '192.168.1.5',
    '0.0.0.0',
    '127.0.0.1.',
    '127.0.0.256',
    '127.1',
    '2130706433',
    '[::]',
    '[::ffff:8.8.8.8]',
    '::1',
    '[::1',
    '[::1]x',
    'localhost:',
    'localhost:4100:1',
    'localhost:port',
    'localhost:999999',
    'user@localhost',
    'localhost/',
    'localhost#',
    'localhost, evil.example',
    ' localhost',
    '',
    '*',
    'löcalhost',
  ])('is not reached as %j', (given) => {
    expect(isLet(given, '127.0.0.1')).toBe(false);
  });

  test('is not reached without a name', () => {
    expect(isLet(null, '127.0.0.1')).toBe(false);
  });

  test('whatever name somebody made to point here, it is refused', () => {
    fc.assert(
      fc.property(
        fc.domain(),
        fc.option(fc.nat(65_535)),
        (name, port) => !isLet(port === null ? name : `${name}:${port}`, '127.0.0.1'),
      ),
    );
  });

  test('whatever stands in the header, it is let in or refused, and nothing breaks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        (given) => typeof isLet(given, '127.0.0.1', ['*.example.com']) === 'boolean',
      ),
    );
  });
});

test('an address of its own is reached by that address, on any port, and by nothing else', () => {
  expect(isLet('192.168.1.5:80', '192.168.1.5')).toBe(true);
  expect(isLet('[fd00::1]:80', 'fd00::1')).toBe(true);
  expect(isLet('agon.lan', 'AGON.lan')).toBe(true);
  for (const given of ['192.168.1.6', 'localhost', '127.0.0.1', 'evil.example'])
    expect(isLet(given, '192.168.1.5'), given).toBe(false);
});

test('a wildcard is reached by every address, and by no name but that of loopback', () => {
  for (const host of ['0.0.0.0', '::', '[::]']) {
    for (const given of ['10.1.2.3:4100', '203.0.113.9', '[2001:db8::1]:4100', 'localhost:4100'])
      expect(isLet(given, host), given).toBe(true);
    for (const given of ['evil.example', '10.1.2.3.evil.example', '10.1.2', '[2001:db8::zz]'])
      expect(isLet(given, host), given).toBe(false);
  }
});

describe('allowed hosts', () => {
  test('are meant exactly, whatever their case', () => {
    expect(isLet('Agon.Example.com', '127.0.0.1', ['agon.EXAMPLE.com'])).toBe(true);
    expect(isLet('agon.example.com:8443', '127.0.0.1', ['agon.example.com'])).toBe(true);
    for (const given of ['example.com', 'x.agon.example.com', 'agon.example.com.evil.example', 'agon-example.com'])
      expect(isLet(given, '127.0.0.1', ['agon.example.com']), given).toBe(false);
  });

  test('with a port are meant on that port', () => {
    expect(isLet('agon.example.com:8443', '127.0.0.1', ['agon.example.com:8443'])).toBe(true);
    for (const given of ['agon.example.com', 'agon.example.com:443'])
      expect(isLet(given, '127.0.0.1', ['agon.example.com:8443']), given).toBe(false);
  });

  test('with a star are the subdomains, and not the domain', () => {
    for (const given of ['a.example.com', 'b.a.example.com:80'])
      expect(isLet(given, '127.0.0.1', ['*.example.com']), given).toBe(true);
    for (const given of ['example.com', 'notexample.com', '.example.org', 'a.example.com.evil.example'])
      expect(isLet(given, '127.0.0.1', ['*.example.com']), given).toBe(false);
  });

  test.each(['https://example.com', '*', 'a b', 'example.com/path', '*.*.com', ''])(
    '%j is none, which is told at the start',
    (allowed) => {
      expect(() => createHostCheck({ host: '127.0.0.1', allowedHosts: [allowed] })).toThrow(
        expect.objectContaining({ code: 'bad-host-name' }),
      );
    },
  );
});

test('what means this machine alone is no proxy', () => {
  for (const allowed of ['localhost', 'localhost:8080', '127.0.0.1', '[::1]:80', '::1'])
    expect(isBehindProxy(allowed), allowed).toBe(false);
  for (const allowed of ['example.com', '*.example.com', '10.0.0.1:80', '*.localhost'])
    expect(isBehindProxy(allowed), allowed).toBe(true);
});

test('loopback is 127.0.0.0/8, ::1 and localhost', () => {
  for (const host of ['127.0.0.1', '127.255.255.255', 'localhost', 'LocalHost', '::1', '[::1]'])
    expect(isLoopback(host), host).toBe(true);
  for (const host of [
    '127.0.0.256',
    '127.1',
    '128.0.0.1',
    '0.0.0.0',
    '::',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '',
  ])
    expect(isLoopback(host), host).toBe(false);
});
