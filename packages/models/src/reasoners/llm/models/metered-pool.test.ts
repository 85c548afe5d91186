import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { json, startFakeProvider, type FakeProvider } from '@agonhq/test/fake-provider/index.ts';
import { createFence, noUsage, type Question, type Reasoner, type Role } from '@agonhq/engine/debate';
import { createLlmPool } from '../pool.ts';
import { createMeteredPool, type MeteredCall } from './metered-pool.ts';

const role: Role<{ statement: string }> = {
  id: 'witness',
  schema: z.object({ statement: z.string() }),
  schemaName: 'witness',
  maxOutputTokens: 300,
  prompt: ({ transcript }) => ({
    instructions: 'Rules — first.',
    caseFile: 'What was seen: ünïcödé 漢字',
    transcript: 'So far '.repeat(transcript.length + 40),
    task: 'Say what you saw.',
  }),
  read: ({ statement }) => ({ statement, score: null, quotes: [] }),
  fallback: () => ({ statement: '' }),
};
const question: Question = {
  caseFile: { sources: [] },
  transcript: [],
  round: null,
  seat: 'witness#1',
  fence: createFence({ sources: [] }, ''),
};
const options = { signal: new AbortController().signal };
const standIn: Reasoner = {
  id: 'stand-in',
  fingerprint: 'stand-in',
  vision: false,
  answer: async (asked) => ({
    outcome: 'answered',
    value: asked.schema.parse({ statement: 'A cat.' }),
    usage: noUsage,
    latencyMs: 1,
    model: 'stand-in',
    raw: '',
  }),
};

let provider: FakeProvider;
beforeEach(async () => {
  provider = await startFakeProvider(() => json({ statement: 'A cat.' }));
});
afterEach(() => provider.close());

function measured(structuredOutputs: boolean) {
  const settings = {
    providers: { fake: { baseUrl: `${provider.url}/v1` } },
    models: {
      'fake:m': { structuredOutputs, thinkingTokens: 50, tokensPerMinute: 90, price: { input: 1, output: 2 } },
    },
    defaults: { retries: 0 },
  };
  const calls: MeteredCall[] = [];
  return {
    settings,
    calls,
    pool: createMeteredPool({ settings, environment: {}, standIn, onCall: (call) => void calls.push(call) }),
  };
}

test.each([true, false])(
  'a metered model measures the very words that the real one is sent, and sends nothing (schema apart: %s)',
  async (structured) => {
    const { settings, calls, pool } = measured(structured);
    const answer = await pool.forItem()('fake:m').answer(role, question, options);
    expect(answer).toMatchObject({ outcome: 'answered', model: 'fake:m', value: { statement: 'A cat.' } });
    expect(provider.requests).toHaveLength(0);

    await createLlmPool(settings, {}).forItem()('fake:m').answer(role, question, options);
    const { body } = provider.requests[0]!;
    const schema = structured ? JSON.stringify(body.response_format.json_schema.schema) : '';
    const bytes = [schema, ...body.messages.map((message: { content: string }) => message.content)].reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      0,
    );
    expect(calls).toMatchObject([
      {
        model: 'fake:m',
        seat: 'witness#1',
        role: 'witness',
        heard: 0,
        inputTokens: Math.ceil(bytes / 4),
        maxOutputTokens: 300,
        thinkingTokens: 50,
      },
    ]);
    expect(calls[0]!.worst.outputTokens).toBe(350);
    expect(calls[0]!.worst.inputTokens).toBeGreaterThan(bytes);
  },
);

test('it tells the terms of a model: its price and its limits', () => {
  const { pool } = measured(true);
  expect(pool.terms('fake:m')).toEqual({
    price: { input: 1, cachedInput: 1, output: 2 },
    limits: { concurrency: 8, tokensPerMinute: 90 },
  });
});

test('a model of a provider that nobody knows is refused', () => {
  expect(() => measured(true).pool.check(['nobody:m'])).toThrow(expect.objectContaining({ code: 'unknown-provider' }));
});
