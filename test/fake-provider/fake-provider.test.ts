import { describe, expect, it } from 'vitest';
import { json, startFakeProvider, status } from './index.ts';

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

describe('the fake provider', () => {
  it('answers without a script by filling in the schema', async () => {
    const provider = await startFakeProvider();
    const schema = { type: 'object', properties: { statement: { type: 'string' }, score: { type: 'number' } } };
    const response = await post(`${provider.url}/v1/chat/completions`, {
      model: 'm',
      messages: [{ role: 'user', content: 'Hello' }],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    });
    const { choices, usage } = (await response.json()) as any;
    expect(JSON.parse(choices[0].message.content)).toEqual({ statement: 'fake', score: 0.5 });
    expect(usage).toMatchObject({ prompt_tokens: 2, prompt_tokens_details: { cached_tokens: 0 } });
    await provider.close();
  });

  it('embeds: equal texts get equal unit vectors', async () => {
    const provider = await startFakeProvider();
    const response = await post(`${provider.url}/v1/embeddings`, {
      model: 'm',
      input: ['a text', 'another', 'a text'],
    });
    const { data } = (await response.json()) as any;
    expect(data[0].embedding).toEqual(data[2].embedding);
    expect(data[0].embedding).not.toEqual(data[1].embedding);
    expect(Math.hypot(...data[0].embedding)).toBeCloseTo(1);
    await provider.close();
  });

  it('records requests, when they began and ended, and how many were in flight', async () => {
    const provider = await startFakeProvider(({ index }) => (index === 0 ? status(500) : json({})), { latencyMs: 30 });
    const ask = () =>
      post(`${provider.url}/v1/chat/completions`, { model: 'm', messages: [] }).then((response) => response.text());
    await Promise.all([ask(), ask(), ask()]);
    expect(provider.maxInFlight).toBe(3);
    expect(provider.requests.map(({ aborted }) => aborted)).toEqual([false, false, false]);
    for (const { startedAt, endedAt } of provider.requests) expect(endedAt! - startedAt).toBeGreaterThan(28);
    await provider.close();
  });

  it('knows no other endpoint', async () => {
    const provider = await startFakeProvider();
    expect((await post(`${provider.url}/v1/nonsense`, {})).status).toBe(404);
    await provider.close();
  });
});
