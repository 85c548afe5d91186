import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderCurl } from './render-curl.ts';

const request = (content: string) => ({
  url: 'https://api.example.com/v1/chat/completions',
  headers: { 'content-type': 'application/json', authorization: 'Bearer $EXAMPLE_API_KEY' },
  body: { messages: [{ role: 'user', content }] },
});

test('law: whatever was said, the shell hands on the very body and fills in nothing but the key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (content) => {
      const command = renderCurl({ request: request(`${content} $(id) \`id\` 'quoted' $HOME`) })!;
      const script = command.replace('curl', `printf '%s\\0'`);
      const words = execFileSync('/bin/sh', ['-c', script], { env: { EXAMPLE_API_KEY: 'the-key' } })
        .toString('utf8')
        .split('\0');
      expect(words).toContain('authorization: Bearer the-key');
      expect(JSON.parse(words.at(-2)!)).toEqual(request(`${content} $(id) \`id\` 'quoted' $HOME`).body);
    }),
    { numRuns: 30 },
  );
});

test('an answer from the cache was not sent, and has no command', () => {
  expect(renderCurl({ request: null })).toBeNull();
});
