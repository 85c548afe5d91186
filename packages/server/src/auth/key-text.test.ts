import fc from 'fast-check';
import { expect, test } from 'vitest';
import { looksLikeOurs, makeKeyText, readKey, redactKeys, writeKey } from './key-text.ts';

test('a key that was written is read as it was made, and no two are alike', () => {
  const made = Array.from({ length: 100 }, makeKeyText);
  for (const text of made) expect(readKey(writeKey(text))).toEqual(text);
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(100);
  expect(made.every((text) => looksLikeOurs(writeKey(text)))).toBe(true);
});

test('its secret has 256 bits', () => {
  expect(Buffer.from(makeKeyText().secret, 'base64url')).toHaveLength(32);
});

test('a key is cut out of a path also where its letters are encoded', () => {
  const text = makeKeyText();
  const encoded = writeKey(text).replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  expect(redactKeys(`/api/keys/${encoded}`)).toBe(`/api/keys/agon_${text.id}_…`);
  expect(redactKeys('/api/cases/%0a%2F%ff%20a')).toBe('/api/cases/%0a%2F%ff%20a');
});

test('a log line names a key by its id, whatever stands around it', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const text = makeKeyText();
      const line = redactKeys(`${before}/${writeKey(text)}/${after}`);
      return !line.includes(text.secret) && line.includes(text.id);
    }),
  );
  expect(redactKeys('/api/cases/mod-315703c5ee85a07c')).toBe('/api/cases/mod-315703c5ee85a07c');
});
