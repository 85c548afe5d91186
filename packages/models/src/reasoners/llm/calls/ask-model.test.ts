import { describe, expect, it, vi } from 'vitest';
import { until } from '@agonhq/test/support/until.ts';
import { hang, json, status, text } from '@agonhq/test/fake-provider/index.ts';
import { debater, good, inTurn, question, setStage } from '@agonhq/test/fake-provider/stage.ts';

describe('a passing failure', () => {
  it.each([429, 500, 503, 408])('with status %i is tried again', async (code) => {
    await using stage = await setStage(inTurn(status(code), status(code), json(good)));
    const answer = await stage.ask();
    expect(answer).toMatchObject({ outcome: 'answered', value: good, usage: { calls: 3 } });
    expect(answer.notes).toHaveLength(2);
    expect(answer.notes![0]).toContain(`HTTP ${code}`);
  });

  it('ends as unavailable when the retries are used up', async () => {
    await using stage = await setStage(() => status(503), { defaults: { retries: 2 } });
    const answer = await stage.ask();
    expect(answer).toMatchObject({
      outcome: 'failed',
      reason: 'unavailable',
      usage: { calls: 3, inputTokens: 0, costUsd: 0 },
    });
    expect(stage.provider.requests).toHaveLength(3);
  });

  it('goes to the fallback models in order when the retries are used up', async () => {
    await using stage = await setStage(({ model }) => (model === 'llama3.2' ? json(good) : status(500)), {
      defaults: { retries: 1 },
      models: { 'openai:gpt-4o-mini': { fallbacks: ['openai:gpt-4o', 'ollama:llama3.2'] } },
    });
    const answer = await stage.ask();
    expect(answer).toMatchObject({ outcome: 'answered', model: 'ollama:llama3.2' });
    expect(stage.provider.requests.map(({ model }) => model)).toEqual([
      'gpt-4o-mini',
      'gpt-4o-mini',
      'gpt-4o',
      'gpt-4o',
      'llama3.2',
    ]);
  });

  it('is tried again when nobody listens at the address, which the outcome names', async () => {
    await using stage = await setStage(undefined, { defaults: { retries: 1 } }, 'ollama:llama3.2');
    await stage.provider.close();
    const answer = await stage.ask();
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'unavailable', usage: { calls: 2, outputTokens: 0 } });
    expect(answer.outcome === 'failed' && answer.detail).toContain(`cannot be reached at ${stage.provider.url}/v1`);
  });

  it('is a response that is no JSON at all, say of a proxy', async () => {
    await using stage = await setStage(inTurn(status(200, { body: '<html>busy</html>' }), json(good)));
    expect(await stage.ask()).toMatchObject({ outcome: 'answered', usage: { calls: 2 } });
  });
});

describe('retry-after', () => {
  it.each([
    ['seconds', () => ({ retryAfter: 0.15 })],
    ['milliseconds', () => ({ headers: { 'retry-after-ms': '150' } })],
  ])('in %s is waited for', async (_unit, options) => {
    await using stage = await setStage(inTurn(status(429, options()), json(good)));
    const answer = await stage.ask();
    expect(answer.outcome).toBe('answered');
    expect(answer.latencyMs).toBeGreaterThan(145);
  });

  it('pauses everybody who calls the same model, and nobody else', async () => {
    await using stage = await setStage(({ index }) => (index === 0 ? status(429, { retryAfter: 0.5 }) : json(good)));
    const limited = stage.ask();
    await until(() => stage.provider.requests[0]?.endedAt != null);
    const other = stage.pool
      .forItem()('openai:gpt-4o')
      .answer(...call());
    expect(await Promise.race([limited.then(() => 'the same model'), other.then(() => 'another model')])).toBe(
      'another model',
    );
    const second = await stage.ask();
    expect(second.latencyMs).toBeGreaterThan(100);
    expect((await limited).outcome).toBe('answered');
  });

  it('of more than the longest pause gives the model up at once', async () => {
    await using stage = await setStage(() => status(429, { retryAfter: 3600 }));
    expect(await stage.ask()).toMatchObject({ outcome: 'failed', reason: 'unavailable', usage: { calls: 1 } });
  });
});

describe('what the user has to put right', () => {
  it.each([
    [401, 'wrong-key', /OPENAI_API_KEY.*providers\.openai\.apiKey/],
    [403, 'wrong-key', /OPENAI_API_KEY/],
    [404, 'unknown-model', /providers\.openai\.baseUrl or OPENAI_BASE_URL/],
  ])('is thrown: status %i is %s', async (code, expected, hint) => {
    await using stage = await setStage(() => status(code));
    await expect(stage.ask()).rejects.toMatchObject({
      name: 'AgonError',
      code: expected,
      hint: expect.stringMatching(hint),
    });
    expect(stage.provider.requests).toHaveLength(1);
  });

  it('an exhausted quota is not waited for', async () => {
    await using stage = await setStage(() => status(429, { code: 'insufficient_quota' }));
    expect(await stage.ask()).toMatchObject({ outcome: 'failed', reason: 'unavailable', usage: { calls: 1 } });
  });

  it('a request that the provider rejects is not repeated', async () => {
    await using stage = await setStage(() => status(400, { message: 'context length exceeded' }));
    const answer = await stage.ask();
    expect(answer).toMatchObject({
      outcome: 'failed',
      reason: 'unavailable',
      detail: 'HTTP 400: context length exceeded',
    });
    expect(stage.provider.requests).toHaveLength(1);
  });
});

describe('a call that hangs', () => {
  const settings = { defaults: { timeoutMs: 200, retries: 1 } };

  it.each([
    ['whole', undefined],
    ['streamed', () => {}],
  ])('(%s) times out, is retried, and is counted at its worst case', async (_how, onDelta) => {
    await using stage = await setStage(() => hang(), settings);
    const answer = await stage.ask({ onDelta });
    expect(answer).toMatchObject({ outcome: 'failed', reason: 'timeout', usage: { calls: 2, outputTokens: 400 } });
    await until(() => stage.provider.inFlight === 0);
    expect(stage.provider.requests.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('may answer the second time', async () => {
    await using stage = await setStage(inTurn(hang(), json(good)), settings);
    expect(await stage.ask()).toMatchObject({
      outcome: 'answered',
      notes: [expect.stringMatching(/No answer within 200 ms/)],
    });
  });
});

describe('an abort', () => {
  const reason = new Error('the user left');

  it.each([
    ['a whole call', undefined],
    ['a stream', () => {}],
  ])('during %s rejects with its reason and leaves nothing running', async (_what, onDelta) => {
    await using stage = await setStage(() => hang());
    const controller = new AbortController();
    const asked = stage.ask({ signal: controller.signal, onDelta });
    const rejected = expect(asked).rejects.toBe(reason);
    await until(() => stage.provider.inFlight === 1);
    controller.abort(reason);
    await rejected;
    await until(() => stage.provider.inFlight === 0);
    expect(stage.provider.requests).toMatchObject([{ aborted: true }]);
    expect(stage.pool.spent()).toMatchObject({ calls: 1, outputTokens: 200 });
  });

  it('while waiting in line rejects at once and makes no call', async () => {
    await using stage = await setStage(() => hang(), { defaults: { concurrency: 1 } });
    const first = new AbortController();
    const second = new AbortController();
    const running = stage.ask({ signal: first.signal });
    const waiting = stage.ask({ signal: second.signal });
    const rejected = expect(waiting).rejects.toBe(reason);
    await until(() => stage.provider.inFlight === 1);
    second.abort(reason);
    await rejected;
    expect(stage.provider.requests).toHaveLength(1);
    first.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  it('during a pause before a retry rejects at once', async () => {
    await using stage = await setStage(() => status(429, { retryAfter: 30 }));
    const controller = new AbortController();
    const asked = stage.ask({ signal: controller.signal });
    const rejected = expect(asked).rejects.toBe(reason);
    await vi.waitFor(() => expect(stage.provider.requests).toHaveLength(1), 5_000);
    controller.abort(reason);
    await rejected;
    expect(stage.provider.requests).toHaveLength(1);
  });

  it('before the question asks nothing', async () => {
    await using stage = await setStage(() => json(good));
    await expect(stage.ask({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(stage.provider.requests).toEqual([]);
  });
});

describe('the concurrency of a model', () => {
  it('is never exceeded, and everybody is served', async () => {
    await using stage = await setStage(() => json(good, { latencyMs: 5 }), {
      models: { 'openai:gpt-4o-mini': { concurrency: 3 } },
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => stage.ask()));
    expect(answers.every(({ outcome }) => outcome === 'answered')).toBe(true);
    expect(stage.provider.maxInFlight).toBe(3);
  });

  it('has room again after failures of every kind', async () => {
    const replies = [hang(), status(500), status(400), text('nonsense'), text('nonsense'), json(good)];
    await using stage = await setStage(inTurn(...replies), { defaults: { concurrency: 1, timeoutMs: 50, retries: 0 } });
    const outcomes = [];
    for (let i = 0; i < 5; i += 1) outcomes.push((await stage.ask()).outcome);
    expect(outcomes).toEqual(['failed', 'failed', 'failed', 'failed', 'answered']);
  });
});

function call(): Parameters<Awaited<ReturnType<typeof setStage>>['reasoner']['answer']> {
  return [debater(), question(), { signal: new AbortController().signal }];
}
