import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentFilter, promptFiltered, refusal, status, text } from '@agonhq/test/fake-provider/index.ts';
import { inTurn, key, setStage } from '@agonhq/test/fake-provider/stage.ts';
import type { LlmSettings } from '../providers/settings.ts';
import type { TargetMessage } from './target.ts';

const hello: TargetMessage[] = [{ role: 'user', content: 'Hello?' }];
const signal = new AbortController().signal;

describe('a target', () => {
  it('is asked in plain text, without a schema and without a system message of ours', async () => {
    await using stage = await setStage(() => text('Hello!', { usage: { inputTokens: 10, outputTokens: 5 } }));
    const target = stage.pool.target('openai:gpt-4o-mini');
    expect(await target.ask(hello, { signal })).toMatchObject({
      outcome: 'answered',
      text: 'Hello!',
      truncated: false,
      usage: { calls: 1, inputTokens: 10, outputTokens: 5 },
    });
    const { body } = stage.provider.requests[0]!;
    expect(body).toMatchObject({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'Hello?' }],
      max_tokens: 1024,
    });
    expect(body.response_format).toBeUndefined();
    expect(body.temperature).toBeUndefined();
    expect(stage.pool.spent().calls).toBe(1);
  });

  it.each(['openai:gpt-4o-mini', 'anthropic:claude-sonnet-4-5', 'google:gemini-2.0-flash', 'ollama:llama3.2'])(
    '%s is told the whole conversation',
    async (model) => {
      await using stage = await setStage(() => text('Yes.'));
      const messages: TargetMessage[] = [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'Two' },
        { role: 'user', content: 'Three' },
      ];
      const reply = await stage.pool.target(model, { maxOutputTokens: 99, temperature: 0.5 }).ask(messages, { signal });
      expect(reply).toMatchObject({ outcome: 'answered', text: 'Yes.' });
      expect(stage.provider.requests[0]!.prompt).toBe('Be kind.\nOne\nTwo\nThree');
      expect(JSON.stringify(stage.provider.requests[0]!.body)).toMatch(/:99\b.*0\.5|0\.5.*:99\b/);
    },
  );

  it('that refuses or is filtered is blocked, with what it said in full', async () => {
    const long = `I will not. ${'No. '.repeat(200)}`;
    await using stage = await setStage(inTurn(refusal(long), contentFilter(), promptFiltered()));
    const target = stage.pool.target('openai:gpt-4o-mini');
    expect(await target.ask(hello, { signal })).toMatchObject({ outcome: 'blocked', by: 'refusal', text: long });
    expect(await target.ask(hello, { signal })).toMatchObject({ outcome: 'blocked', by: 'filter', text: '' });
    expect(await target.ask(hello, { signal })).toMatchObject({
      outcome: 'blocked',
      by: 'filter',
      detail: expect.stringContaining('HTTP 400'),
    });
  });

  it('is asked again when its provider is busy, and fails when it stays so', async () => {
    await using stage = await setStage(inTurn(status(503), text('Late.'), status(503)), { defaults: { retries: 1 } });
    const target = stage.pool.target('openai:gpt-4o-mini');
    expect(await target.ask(hello, { signal })).toMatchObject({
      outcome: 'answered',
      text: 'Late.',
      usage: { calls: 2 },
      notes: [expect.stringContaining('asked again')],
    });
    expect(await target.ask(hello, { signal })).toMatchObject({
      outcome: 'failed',
      reason: 'unavailable',
      unreachable: false,
    });
  });

  it('at an address where nobody listens is unreachable, which one that rejects a request is not', async () => {
    await using stage = await setStage(() => status(400, { message: 'This is too long.' }), {
      providers: { gone: { baseUrl: 'http://127.0.0.1:9/v1' } },
      defaults: { retries: 0 },
    });
    expect(await stage.pool.target('openai:gpt-4o-mini').ask(hello, { signal })).toMatchObject({
      outcome: 'failed',
      reason: 'unavailable',
      unreachable: false,
    });
    expect(await stage.pool.target('gone:model').ask(hello, { signal })).toMatchObject({
      outcome: 'failed',
      reason: 'unavailable',
      unreachable: true,
    });
  });

  it('is never stood in for by a fallback model', async () => {
    const settings: LlmSettings = {
      models: { 'openai:gpt-4o-mini': { fallbacks: ['openai:gpt-4o'] } },
      defaults: { retries: 0 },
    };
    await using stage = await setStage(() => status(500), settings);
    expect(await stage.pool.target('openai:gpt-4o-mini').ask(hello, { signal })).toMatchObject({ outcome: 'failed' });
    expect(stage.provider.requests.map(({ model }) => model)).toEqual(['gpt-4o-mini']);
  });

  it('with a wrong key is a mistake of the user, and the key is not in the error', async () => {
    await using stage = await setStage(() => status(401, { message: `Wrong key ${key}` }));
    const error = await stage.pool
      .target('openai:gpt-4o-mini')
      .ask(hello, { signal })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'wrong-key' });
    expect(String(error)).not.toContain(key);
  });

  it('is paid from the budget of the run, which judges draw on as well', async () => {
    await using stage = await setStage(() => text('Hello!'), { budget: { runTokens: 2_000 } });
    const target = stage.pool.target('openai:gpt-4o-mini');
    expect(await target.ask(hello, { signal })).toMatchObject({ outcome: 'answered' });
    expect(await target.ask([{ role: 'user', content: 'x'.repeat(900) }], { signal })).toMatchObject({
      outcome: 'failed',
      reason: 'budget',
    });
  });

  it('answers from the cache when it was asked the same before; an answer that was cut is asked for again', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'agon-target-'));
    await using stage = await setStage(
      inTurn({ kind: 'answer', text: 'Once upon', finish: 'length' }, text('Hello!')),
      { cache: { directory } },
    );
    const target = stage.pool.target('openai:gpt-4o-mini');
    expect(await target.ask(hello, { signal })).toMatchObject({ text: 'Once upon', truncated: true });
    expect(await target.ask(hello, { signal })).toMatchObject({ text: 'Hello!', truncated: false });
    expect(await target.ask(hello, { signal })).toMatchObject({ text: 'Hello!', usage: { calls: 0 } });
    expect(stage.provider.requests).toHaveLength(2);
    await stage.pool.target('openai:gpt-4o-mini', { temperature: 1 }).ask(hello, { signal });
    expect(stage.provider.requests).toHaveLength(3);
  });

  it('stops when it is told to', async () => {
    await using stage = await setStage(() => ({ kind: 'hang' }));
    const stop = new AbortController();
    const asked = stage.pool.target('openai:gpt-4o-mini').ask(hello, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(asked).rejects.toThrow('enough');
  });
});
