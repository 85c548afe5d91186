import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertModest } from './read-json.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
/** What this process worked; what others do on the machine does not count. */
const millisecondsOfWork = (since: NodeJS.CpuUsage) => process.cpuUsage(since).user / 1_000;

test('whatever a request may hold passes, brackets and commas in texts included', () => {
  fc.assert(fc.property(fc.json({ maxDepth: 8 }), (json) => assertModest(bytesOf(json))));
  assertModest(bytesOf(JSON.stringify({ text: '[{,'.repeat(500_000), escaped: '\\"[{'.repeat(100_000), end: '\\' })));
});

test('what is nested too deep or has too many members is refused before it is parsed, in a moment', () => {
  const began = process.cpuUsage();
  for (const json of [
    '['.repeat(8_000_000),
    '{"a":'.repeat(1_000),
    `{${Array.from({ length: 200_000 }, (_, key) => `"k${key}":1`).join(',')}}`,
  ]) {
    expect(() => assertModest(bytesOf(json))).toThrow(
      /The body is JSON (nested more than 64 deep|of more than 100,000 members)/,
    );
  }
  expect(millisecondsOfWork(began)).toBeLessThan(1_000);
});

test('a member that is there twice is refused, however it is written and however deep', () => {
  for (const json of [
    '{"text":"a","text":"b"}',
    '{"text" : "a", "t\\u0065xt"\n: "b"}',
    '[{"a":{"b":1,"c":{"d":1},"b":2}}]',
    '{"__proto__":1,"__proto__":2}',
  ])
    expect(() => assertModest(bytesOf(json)), json).toThrow(/has a member ".+" twice/);
  assertModest(bytesOf('{"a":{"a":{"a":"a"}},"b":["a","a"],"c":{"a":1}}'));
});

test('an image in base64 costs next to nothing', () => {
  const json = bytesOf(JSON.stringify({ images: [{ data: 'A'.repeat(28_000_000) }] }));
  const began = process.cpuUsage();
  assertModest(json);
  expect(millisecondsOfWork(began)).toBeLessThan(500);
});
