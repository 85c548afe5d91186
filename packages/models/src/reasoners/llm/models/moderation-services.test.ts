import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { json, startFakeProvider, status, type FakeScript } from '@agonhq/test/fake-provider/index.ts';
import { inTurn, key, setStage } from '@agonhq/test/fake-provider/stage.ts';
import { createLlmPool } from '../pool.ts';
import type { LlmSettings } from '../providers/settings.ts';

const signal = new AbortController().signal;
const picture = { mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) };

const calm = {
  flagged: false,
  categories: { violence: false, hate: false },
  category_scores: { violence: 0.02, hate: 0.01 },
};
const grim = {
  flagged: true,
  categories: { violence: true, hate: false },
  category_scores: { violence: 0.91, hate: 0.2 },
};

describe("OpenAI's moderation endpoint", () => {
  it('is shown a text and an image, and is free', async () => {
    await using stage = await setStage(() => json({ id: 'modr-1', model: 'omni-moderation-latest', results: [grim] }), {
      budget: { runUsd: 1 },
    });
    const endpoint = stage.pool.moderationEndpoint('openai:omni-moderation-latest');
    expect(await endpoint.forItem()({ text: 'A duel.', image: picture }, { signal })).toMatchObject({
      outcome: 'answered',
      found: { flagged: true, scores: { violence: 0.91, hate: 0.2 }, categories: ['violence'] },
      usage: { calls: 1, costUsd: 0 },
    });
    expect(stage.provider.requests[0]).toMatchObject({
      path: '/v1/moderations',
      body: {
        model: 'omni-moderation-latest',
        input: [
          { type: 'text', text: 'A duel.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
        ],
      },
    });
    expect(stage.provider.requests[0]!.headers.authorization).toBe(`Bearer ${key}`);
  });

  it('whose body is none of its own found nothing out, and that body is kept', async () => {
    await using stage = await setStage(() => json({ results: 'later' }));
    expect(
      await stage.pool.moderationEndpoint('openai:omni-moderation-latest').forItem()({ text: 'Hm' }, { signal }),
    ).toMatchObject({ outcome: 'answered', found: null, said: '{"results":"later"}' });
  });

  it('is asked again when it is busy, and answers the same text from the cache', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'agon-moderation-'));
    await using stage = await setStage(inTurn(status(429, { retryAfter: 0 }), json({ results: [calm] })), {
      cache: { directory },
    });
    const endpoint = stage.pool.moderationEndpoint('openai:omni-moderation-latest');
    expect(await endpoint.forItem()({ text: 'Tea?' }, { signal })).toMatchObject({
      found: { flagged: false, categories: [] },
      usage: { calls: 2 },
    });
    expect(await endpoint.forItem()({ text: 'Tea?' }, { signal })).toMatchObject({
      found: { flagged: false },
      usage: { calls: 0 },
    });
    expect(stage.provider.requests).toHaveLength(2);
    await endpoint.forItem()({ image: picture }, { signal });
    expect(stage.provider.requests).toHaveLength(3);
  });

  it('with a wrong key is a mistake of the user', async () => {
    await using stage = await setStage(() => status(401, { message: `Incorrect API key provided: ${key}` }));
    const error = await stage.pool
      .moderationEndpoint('openai:omni-moderation-latest')
      .forItem()({ text: 'Hm' }, { signal })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'wrong-key', hint: expect.stringContaining('OPENAI_API_KEY') });
    expect(String(error)).not.toContain(key);
  });
});

const secret = 'azure-0123456789abcdef';

async function contentSafety(script: FakeScript, settings: LlmSettings = {}) {
  const provider = await startFakeProvider(script);
  const pool = createLlmPool(
    { ...settings, defaults: { retryDelayMs: 1, ...settings.defaults } },
    { AZURE_CONTENT_SAFETY_ENDPOINT: `${provider.url}/`, AZURE_CONTENT_SAFETY_KEY: secret },
  );
  return { provider, pool, service: pool.contentSafety(), [Symbol.asyncDispose]: () => provider.close() };
}

const severe = (Violence: number) =>
  json({
    blocklistsMatch: [],
    categoriesAnalysis: [
      { category: 'Hate', severity: 0 },
      { category: 'Violence', severity: Violence },
    ],
  });

describe('Azure Content Safety', () => {
  it('is asked at its endpoint with its key', async () => {
    await using stage = await contentSafety(() => severe(4));
    expect(await stage.service.forItem()({ text: 'A duel.' }, { signal })).toMatchObject({
      found: { Hate: 0, Violence: 4 },
    });
    const [{ path: asked, query, body, headers } = {} as never] = stage.provider.requests;
    expect({ asked, query, body }).toEqual({
      asked: '/contentsafety/text:analyze',
      query: '?api-version=2024-09-01',
      body: { text: 'A duel.', outputType: 'FourSeverityLevels' },
    });
    expect(headers).toMatchObject({ 'ocp-apim-subscription-key': secret });
    expect(headers).not.toHaveProperty('authorization');
  });

  it('is shown an image by its bytes', async () => {
    await using stage = await contentSafety(() => severe(0));
    await stage.service.forItem()({ image: picture }, { signal });
    expect(stage.provider.requests[0]).toMatchObject({
      path: '/contentsafety/image:analyze',
      images: 1,
      body: { image: { content: 'AQID' }, outputType: 'FourSeverityLevels' },
    });
  });

  it('is paid by records of a thousand characters and by images, which are no tokens', async () => {
    await using stage = await contentSafety(() => severe(0));
    const { usage } = await stage.service.forItem()({ text: 'x'.repeat(1_001) }, { signal });
    expect(usage).toMatchObject({ calls: 1, inputTokens: 0, outputTokens: 0 });
    expect(usage.costUsd).toBeCloseTo((2 * 0.38) / 1000, 9);
    expect((await stage.service.forItem()({ image: picture }, { signal })).usage.costUsd).toBeCloseTo(0.75 / 1000, 6);
    expect(stage.pool.spent()).toMatchObject({ calls: 2, inputTokens: 0 });
  });

  it('stays within a budget of money', async () => {
    await using stage = await contentSafety(() => severe(0), { budget: { runUsd: 0.001 } });
    expect(await stage.service.forItem()({ text: 'x'.repeat(9_000) }, { signal })).toMatchObject({
      outcome: 'failed',
      reason: 'budget',
    });
    expect(stage.provider.requests).toHaveLength(0);
  });

  it('with a wrong key is a mistake of the user, which names the variable and not the key', async () => {
    await using stage = await contentSafety(() =>
      status(401, { message: `Access denied due to invalid subscription key ${secret}` }),
    );
    const error = await stage.service
      .forItem()({ text: 'Hm' }, { signal })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'wrong-key', hint: expect.stringContaining('AZURE_CONTENT_SAFETY_KEY') });
    expect(JSON.stringify([String(error), (error as Error).cause])).not.toContain(secret);
  });

  it('says what is missing before a call', () => {
    expect(() => createLlmPool({}, {}).contentSafety()).toThrow(
      expect.objectContaining({
        code: 'missing-key',
        message: expect.stringContaining('AZURE_CONTENT_SAFETY_ENDPOINT and AZURE_CONTENT_SAFETY_KEY'),
      }),
    );
    expect(() => createLlmPool({}, { AZURE_CONTENT_SAFETY_ENDPOINT: 'https://x.test' }).contentSafety()).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/AZURE_CONTENT_SAFETY_KEY is missing/) }),
    );
  });
});
