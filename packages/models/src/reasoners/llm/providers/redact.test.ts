import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { json, status, text } from '@agonhq/test/fake-provider/index.ts';
import { debater, good, key, question, setStage } from '@agonhq/test/fake-provider/stage.ts';
import { createLlmPool } from '../pool.ts';
import { createRedact } from './redact.ts';

/** Everything that could be printed of a value, whoever prints it. */
function everything(value: unknown): string {
  const chain: string[] = [];
  for (let current = value; current !== undefined; current = current instanceof Error ? current.cause : undefined) {
    chain.push(inspect(current, { depth: 20, showHidden: true }), JSON.stringify(current));
    if (current instanceof Error)
      chain.push(current.message, current.stack ?? '', JSON.stringify(Object.entries(current)));
  }
  return chain.join('\n');
}

describe('a key that the provider echoes', () => {
  const echo = `Incorrect API key provided: ${key}. You sent Authorization: Bearer ${key}`;

  it.each([401, 403, 404])('is in no part of the error for status %i', async (code) => {
    await using stage = await setStage(() => status(code, { message: echo }));
    const error = await stage.ask().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AgonError', message: expect.stringContaining('[redacted]') });
    expect(everything(error)).not.toContain(key);
  });

  it.each([
    ['an error', () => status(500, { message: echo })],
    ['a rejection', () => status(400, { message: echo })],
    ['an answer', () => text(echo)],
    [
      'an error in a stream',
      () =>
        status(200, {
          body: `data: {"error":{"message":"${echo}"}}\n\n`,
          headers: { 'content-type': 'text/event-stream' },
        }),
    ],
  ])('in %s is in no part of the outcome', async (_where, reply) => {
    await using stage = await setStage(reply, { defaults: { retries: 1 } });
    for (const onDelta of [undefined, () => {}]) {
      const outcome = await stage.ask({ onDelta });
      expect(outcome.outcome).toBe('failed');
      expect(everything(outcome)).not.toContain(key);
    }
  });

  it('may come from a header', async () => {
    const secret = 'header-secret-123456';
    await using stage = await setStage(() => status(500, { message: `got ${secret}` }), {
      providers: { groq: { baseUrl: 'http://127.0.0.1:1', headers: { 'x-auth-token': `Token ${secret}` } } },
      defaults: { retries: 0 },
    });
    const outcome = await stage.ask();
    expect(outcome).toMatchObject({ outcome: 'failed', detail: 'HTTP 500: got [redacted]' });
  });

  it('may come from the environment', async () => {
    await using stage = await setStage(() => status(401, { message: echo }));
    const pool = createLlmPool(
      { providers: { openai: { baseUrl: `${stage.provider.url}/v1` } } },
      { OPENAI_API_KEY: ` ${key}\n` },
    );
    const reasoner = pool.forItem()('openai:gpt-4o');
    const error = await reasoner
      .answer(debater(), question(), { signal: new AbortController().signal })
      .catch((thrown: unknown) => thrown);
    expect(stage.provider.requests[0]!.headers.authorization).toBe(`Bearer ${key}`);
    expect(error).toMatchObject({ code: 'wrong-key' });
    expect(everything(error)).not.toContain(key);
  });

  it('leaves an answer that does not hold it alone', async () => {
    await using stage = await setStage(() => json(good));
    expect(await stage.ask()).toMatchObject({ value: good });
  });
});

describe('redact', () => {
  it('takes a longer key out before one that it contains, in every spelling', () => {
    const redact = createRedact(['secret+key/1', 'secret+key/1-long', '']);
    expect(redact('a secret+key/1-long b secret%2Bkey%2F1 c')).toBe('a [redacted] b [redacted] c');
  });

  it('does not take words out for keys that are hardly keys', () => {
    expect(createRedact(['the'])('the text')).toBe('the text');
  });
});
