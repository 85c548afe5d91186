import { expect, test } from 'vitest';
import { describeModel } from './describe-model.ts';

test('a model is described by where it is asked, its key, limits and price, and nothing secret', () => {
  const described = describeModel('openai:gpt-4o-mini', {}, { OPENAI_API_KEY: 'sk-secret' });
  expect(described).toMatchObject({
    provider: 'openai',
    host: 'api.openai.com',
    local: false,
    key: { from: 'environment', variable: 'OPENAI_API_KEY' },
    limits: { requestsPerMinute: null, tokensPerMinute: null },
    price: { input: expect.any(Number), output: expect.any(Number) },
    fallbacks: [],
    problem: null,
  });
  expect(Object.keys(described.price!)).toEqual(['input', 'output']);
  expect(JSON.stringify(described)).not.toContain('sk-secret');
});

test('what is said of the very model counts for more than of all', () => {
  const settings = {
    providers: { openai: { apiKey: 'sk-own' } },
    defaults: { concurrency: 3, requestsPerMinute: 10, tokensPerMinute: 1_000, timeoutMs: 5_000 },
    models: {
      'openai:a': {
        concurrency: 1,
        requestsPerMinute: 5,
        timeoutMs: 9_000,
        price: { input: 1, output: 2 },
        fallbacks: ['openai:b'],
      },
    },
  };
  expect(describeModel('openai:a', settings, {})).toMatchObject({
    key: { from: 'settings', variable: null },
    limits: { concurrency: 1, requestsPerMinute: 5, tokensPerMinute: 1_000, timeoutMs: 9_000 },
    price: { input: 1, output: 2 },
    fallbacks: ['openai:b'],
  });
  expect(describeModel('openai:b', settings, {})).toMatchObject({
    limits: { concurrency: 3, requestsPerMinute: 10, tokensPerMinute: 1_000, timeoutMs: 5_000 },
    price: null,
  });
});

test('one on the user’s own machines costs nothing, and one in this process takes its time', () => {
  expect(describeModel('ollama:llama3', {}, {})).toMatchObject({
    host: '127.0.0.1:11434',
    local: true,
    key: null,
    price: { input: 0, output: 0 },
  });
  expect(describeModel('local:tiny', { local: { sequences: 2 } }, {})).toMatchObject({
    local: true,
    limits: { concurrency: 2, timeoutMs: 3_600_000 },
  });
});

test('one that cannot be asked says why', () => {
  expect(describeModel('openai:a', {}, {})).toMatchObject({
    host: null,
    local: false,
    key: null,
    price: null,
    problem: { code: 'missing-key' },
  });
  expect(describeModel('nobody:a', {}, {}).problem).toMatchObject({ code: 'unknown-provider' });
});
