import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseCoding } from './compression.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['br;q=0.5, gzip;q=1.0', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['*;q=0.1, br;q=0', 'gzip'],
  ['identity', null],
  ['', null],
  [null, null],
  ['gzip;q=0', null],
  ['br;q=nonsense', null],
  ['xgzip', null],
])('who takes %j is sent %j', (accepted, coding) => {
  expect(chooseCoding(accepted)).toBe(coding);
});

test('what is not offered is not sent', () => {
  expect(chooseCoding('br, gzip;q=0.1', ['gzip'])).toBe('gzip');
  expect(chooseCoding('br', ['gzip'])).toBeNull();
});

test('whatever a client says, it is a coding or none', () => {
  fc.assert(fc.property(fc.string(), (accepted) => [null, 'br', 'gzip'].includes(chooseCoding(accepted))));
});
