import { afterEach, expect, test } from 'vitest';
import { startFakeProvider } from '@agonhq/test/fake-provider/index.ts';
import { createLlmPool } from '../pool.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function embedderOf(settings: Parameters<typeof createLlmPool>[0] = {}) {
  const provider = await startFakeProvider();
  closers.push(() => provider.close());
  const pool = createLlmPool(
    { providers: { fake: { baseUrl: `${provider.url}/v1` } }, defaults: { retries: 0 }, ...settings },
    {},
  );
  return { provider, pool, embedder: pool.embedder('fake:words') };
}

test('texts become vectors of one length, the same text the same vector, many in one call', async () => {
  const { provider, pool, embedder } = await embedderOf();
  expect(embedder.dimensions).toBeNull();
  const [one, other, again] = await embedder.embedMany(['a text', 'another', 'a text']);
  expect(one).toBeInstanceOf(Float32Array);
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
  expect(embedder.dimensions).toBe(one!.length);
  expect(await embedder.embed('a text')).toEqual(one);
  expect(provider.requests.map(({ path }) => path)).toEqual(['/v1/embeddings', '/v1/embeddings']);
  expect(pool.spent().calls).toBe(2);
});

test('a provider that has no embeddings says so, and so does a stop', async () => {
  const { embedder } = await embedderOf({});
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await expect(embedder.embed('a text', { signal: stop.signal })).rejects.toThrow('stopped');
  const pool = createLlmPool({}, { ANTHROPIC_API_KEY: 'key' });
  await expect(pool.embedder('anthropic:any').embed('a text')).rejects.toMatchObject({ code: 'no-embeddings' });
});

test('a server that is down is a passing failure, not a mistake of the user', async () => {
  const { provider, embedder } = await embedderOf();
  await provider.close();
  closers.length = 0;
  const failed = await embedder.embed('a text').catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(Error);
  expect(failed).not.toHaveProperty('hint');
});
