import { describe, expect, it } from 'vitest';
import { contentFilter, json, refusal, status } from '@agonhq/test/fake-provider/index.ts';
import { good, inTurn, key, setStage } from '@agonhq/test/fake-provider/stage.ts';
import { createLlmPool } from '../pool.ts';
import { resolveProvider } from './resolve-provider.ts';

describe.each([
  ['openai:gpt-4o', 'openai', '/v1/chat/completions', 'OPENAI_API_KEY'],
  ['azure:gpt-4o', 'openai', '/v1/chat/completions', 'AZURE_API_KEY'],
  ['anthropic:claude-sonnet-4-5', 'anthropic', '/v1/messages', 'ANTHROPIC_API_KEY'],
  [
    'google:gemini-2.5-flash',
    'google',
    '/v1beta/models/gemini-2.5-flash:generateContent',
    'GOOGLE_GENERATIVE_AI_API_KEY',
  ],
  ['groq:llama-3.1-70b', 'openai', '/v1/chat/completions', 'GROQ_API_KEY'],
] as const)('%s', (model, api, path, variable) => {
  it('answers by schema, whole and streamed, and its usage is read', async () => {
    await using stage = await setStage(
      () => json(good, { usage: { inputTokens: 900, outputTokens: 50, cachedTokens: 300 } }),
      {},
      model,
    );
    for (const onDelta of [undefined, () => {}]) {
      const answer = await stage.ask({ onDelta });
      expect(answer).toMatchObject({ outcome: 'answered', value: good });
      expect(answer.usage).toMatchObject({ inputTokens: 900, outputTokens: 50, cachedTokens: 300 });
      expect(answer.notes).toBeUndefined();
    }
    const [whole, streamed] = stage.provider.requests;
    expect(whole).toMatchObject({
      api,
      path,
      stream: false,
      schema: { type: 'object', required: ['statement', 'score'] },
    });
    expect(streamed!.stream).toBe(true);
    expect(JSON.stringify(whole!.headers)).toContain(key);
  });

  it('may refuse', async () => {
    const reply = api === 'google' ? contentFilter() : refusal();
    await using stage = await setStage(() => reply, {}, model);
    expect(await stage.ask()).toMatchObject({
      outcome: 'failed',
      reason: api === 'google' ? 'content-filter' : 'refused',
    });
    expect(stage.provider.requests).toHaveLength(1);
  });

  it('is tried again after an error', async () => {
    await using stage = await setStage(inTurn(status(500), json(good)), {}, model);
    expect(await stage.ask()).toMatchObject({ outcome: 'answered', usage: { calls: 2 } });
  });

  it('names its key when that is wrong', async () => {
    await using stage = await setStage(() => status(401), {}, model);
    await expect(stage.ask()).rejects.toMatchObject({ code: 'wrong-key', hint: expect.stringContaining(variable) });
  });
});

it("Google's word for a wrong key is a 400", async () => {
  await using stage = await setStage(
    () => status(400, { message: 'API key not valid. Please pass a valid API key.' }),
    {},
    'google:gemini-2.5-flash',
  );
  await expect(stage.ask()).rejects.toMatchObject({ code: 'wrong-key' });
});

it('an Azure resource with a dated API version is addressed by deployment', async () => {
  await using stage = await setStage(() => json(good), {}, 'azure:ours');
  const azure = { baseUrl: `${stage.provider.url}/openai`, apiKey: key, apiVersion: '2024-10-21' };
  await using dated = await setStage(undefined, { providers: { azure } }, 'azure:ours');
  expect(await dated.ask()).toMatchObject({ outcome: 'answered' });
  const { path, query, headers } = stage.provider.requests[0]!;
  expect(path).toBe('/openai/deployments/ours/chat/completions');
  expect(query).toBe('?api-version=2024-10-21');
  expect(headers['api-key']).toBe(key);
  expect(headers.authorization).toBeUndefined();
});

describe('a provider', () => {
  it('takes its key and address from the settings before the environment', () => {
    const environment = { OPENAI_API_KEY: 'from-environment', OPENAI_BASE_URL: 'https://environment.test/v1/' };
    expect(resolveProvider('openai', undefined, environment)).toMatchObject({
      apiKey: 'from-environment',
      baseUrl: 'https://environment.test/v1',
    });
    const settings = { apiKey: 'from-settings', baseUrl: 'https://settings.test/v1' };
    expect(resolveProvider('openai', settings, environment)).toMatchObject(settings);
    expect(resolveProvider('openai', undefined, { OPENAI_API_KEY: 'x' }).baseUrl).toBe('https://api.openai.com/v1');
  });

  it.each([
    ['ollama', 'http://127.0.0.1:11434/v1'],
    ['vllm', 'http://127.0.0.1:8000/v1'],
    ['lmstudio', 'http://127.0.0.1:1234/v1'],
  ])('%s needs no setting at all', (name, baseUrl) => {
    expect(resolveProvider(name, undefined, {})).toMatchObject({ kind: 'openai-compatible', baseUrl, local: true });
    expect(resolveProvider(name, undefined, { [`${name.toUpperCase()}_BASE_URL`]: 'http://box:1/v1' }).baseUrl).toBe(
      'http://box:1/v1',
    );
  });

  it('azure is found by its resource', () => {
    const environment = { AZURE_API_KEY: 'x', AZURE_RESOURCE_NAME: 'ours' };
    expect(resolveProvider('azure', undefined, environment).baseUrl).toBe('https://ours.openai.azure.com/openai/v1');
  });

  it('of any other name is OpenAI-compatible and needs an address', () => {
    expect(
      resolveProvider('my-box', undefined, { MY_BOX_BASE_URL: 'http://box/v1', MY_BOX_API_KEY: 'x' }),
    ).toMatchObject({
      kind: 'openai-compatible',
      apiKey: 'x',
      local: false,
    });
  });
});

describe('check', () => {
  const failing =
    (models: string[], settings = {}, environment = {}) =>
    () =>
      createLlmPool(settings, environment).check(models);

  it('passes models that can be called', () => {
    expect(failing(['openai:gpt-4o-mini', 'ollama:llama3.2:3b'], {}, { OPENAI_API_KEY: 'x' })).not.toThrow();
  });

  it.each([
    ['bad-model-name', 'gpt-4o', {}, /provider:model/],
    ['bad-model-name', 'openai:', {}, /provider:model/],
    ['unknown-provider', 'gorq:llama', {}, /openai, anthropic.*providers\.gorq\.baseUrl.*GORQ_BASE_URL/s],
    ['missing-key', 'openai:gpt-4o', {}, /OPENAI_API_KEY.*providers\.openai\.apiKey/],
    ['missing-key', 'google:gemini-2.5-pro', {}, /GOOGLE_GENERATIVE_AI_API_KEY/],
    ['missing-base-url', 'azure:ours', {}, /AZURE_RESOURCE_NAME/],
    [
      'price-unknown',
      'vast:model',
      { providers: { vast: { baseUrl: 'http://x/v1' } }, budget: { runUsd: 1 } },
      /models\["vast:model"\]\.price/,
    ],
    ['missing-key', 'ollama:a', { models: { 'ollama:a': { fallbacks: ['openai:gpt-4o'] } } }, /OPENAI_API_KEY/],
    ['bad-settings', 'ollama:a', { defaults: { concurrency: 0 } }, /configuration/],
  ])('throws %s for %s', (code, model, settings, hint) => {
    expect(failing([model], settings)).toThrow(
      expect.objectContaining({ name: 'AgonError', code, hint: expect.stringMatching(hint) }),
    );
  });

  it('refuses an address with credentials in it, without repeating them', () => {
    const settings = () => createLlmPool({}, { OLLAMA_BASE_URL: 'http://me:hunter22@box/v1' }).check(['ollama:a']);
    expect(settings).toThrow(
      expect.objectContaining({ code: 'bad-base-url', message: expect.not.stringContaining('hunter22') }),
    );
  });

  it('lets a local model pass under a budget in dollars: it costs nothing', () => {
    expect(failing(['ollama:llama3.2'], { budget: { runUsd: 1 } })).not.toThrow();
  });
});

it.each([
  ['xai', 'https://api.x.ai/v1', 'XAI_API_KEY'],
  ['deepseek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'],
  ['openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'],
])('%s is known by name and asks for its key, which a proxy in its place need not have', (name, baseUrl, variable) => {
  expect(resolveProvider(name, undefined, { [variable]: key })).toMatchObject({
    kind: 'openai-compatible',
    baseUrl,
    apiKey: key,
  });
  expect(() => resolveProvider(name, undefined, {})).toThrow(
    expect.objectContaining({ code: 'missing-key', hint: expect.stringContaining(variable) }),
  );
  expect(resolveProvider(name, { baseUrl: 'http://127.0.0.1:9000/v1' }, {})).toMatchObject({
    baseUrl: 'http://127.0.0.1:9000/v1',
  });
});
