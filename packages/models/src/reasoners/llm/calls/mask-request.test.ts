import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, status } from '@agonhq/test/fake-provider/index.ts';
import { debater, good, inTurn, question, setStage } from '@agonhq/test/fake-provider/stage.ts';
import { collectCalls } from '@agonhq/engine/debate';

type Settings = NonNullable<Parameters<typeof setStage>[1]>;

/** A stage whose OpenAI is not trusted with personal data. */
function setCautiousStage(script: Parameters<typeof setStage>[0], settings: Settings = {}, images?: 'withhold') {
  return setStage(script, { ...settings, providers: { openai: { personalData: 'mask', images } } });
}

const about = (text: string) => {
  const caseFile = { sources: [{ id: 'text', text }] };
  return {
    question: question({ caseFile }),
    role: debater({ words: { caseFile: text } }),
  };
};

test('streams what was meant, never half of a placeholder', async () => {
  const reply = { statement: 'It gives away [mail-1], [mail-1] and no more.', score: 0.4 };
  await using stage = await setCautiousStage(() => json(reply));
  let streamed = '';
  const answer = await stage.ask({ ...about('Mail a@x.org'), onDelta: (piece) => (streamed += piece) });
  expect(streamed).toBe('It gives away a@x.org, a@x.org and no more.');
  expect(answer).toMatchObject({ outcome: 'answered', value: { statement: streamed } });
  expect(stage.provider.requests[0]!.prompt).toContain('Mail [mail-1]');
  expect(stage.provider.requests[0]!.prompt).toContain('replaced by placeholders');
});

test('says nothing of placeholders where there are none', async () => {
  await using stage = await setCautiousStage(() => json(good));
  await stage.ask(about('Nothing personal.'));
  expect(stage.provider.requests[0]!.prompt).not.toContain('placeholders');
});

test('one cached answer serves two people, each with their own words', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'agon-cache-'));
  try {
    await using stage = await setCautiousStage(() => json({ statement: 'It names [mail-1].', score: 0 }), {
      cache: { directory },
    });
    const first = await stage.ask(about('Mail a@x.org'));
    const second = await stage.ask(about('Mail b@y.org'));
    expect([first, second]).toMatchObject([
      { value: { statement: 'It names a@x.org.' } },
      { value: { statement: 'It names b@y.org.' }, usage: { calls: 0 } },
    ]);
    expect(second.calls![0]!.disclosure).toBeNull();
    expect(stage.provider.requests).toHaveLength(1);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test('each stand-in gets what its own provider is trusted with', async () => {
  await using stage = await setCautiousStage(({ model }) => (model === 'llama3.2' ? json(good) : status(503)), {
    defaults: { retries: 0 },
    models: { 'openai:gpt-4o-mini': { fallbacks: ['ollama:llama3.2'] } },
  });
  const answer = await stage.ask(about('Mail a@x.org'));
  expect(answer.calls).toMatchObject([
    { disclosure: { masked: { mail: 1 }, unmasked: {} } },
    { model: 'ollama:llama3.2', disclosure: { masked: {}, unmasked: { mail: 1 }, here: true } },
  ]);
});

test('a repair is asked for in placeholders as well', async () => {
  await using stage = await setCautiousStage(inTurn(json({ statement: '[mail-1]', score: 7 }), json(good)));
  await stage.ask(about('Mail a@x.org'));
  for (const { body } of stage.provider.requests) expect(JSON.stringify(body)).not.toContain('a@x.org');
  expect(stage.provider.requests).toHaveLength(2);
});

test('images are withheld where the settings say so, and the turn notes it', async () => {
  const image = { id: 'image-1', mediaType: 'image/png', hash: 'sha256:1', data: new Uint8Array([137, 80, 78, 71]) };
  await using stage = await setCautiousStage(() => json(good), {}, 'withhold');
  expect(stage.reasoner).toMatchObject({ vision: false, withholdsImages: true });
  const answer = await stage.ask({ role: debater({ words: { attachments: [image] } }) });
  expect(answer.notes![0]).toContain('images are withheld from openai:gpt-4o-mini');
  expect(answer.calls![0]!.disclosure).toMatchObject({ images: 0, withheldImages: 1 });
});

test('a text is masked before it is embedded, and told to whoever listens', async () => {
  await using stage = await setCautiousStage(undefined);
  const embedder = stage.pool.embedder('openai:text-embedding-3-small');
  const { calls } = await collectCalls(() => embedder.embed('Mail a@x.org'));
  expect(JSON.stringify(stage.provider.requests.at(-1)!.body)).toContain('Mail [mail-1]');
  expect(calls).toMatchObject([{ why: 'embedding', disclosure: { masked: { mail: 1 } } }]);
});

test('so is a question to a guard, and a text for a moderation service', async () => {
  await using stage = await setCautiousStage(undefined);
  const signal = AbortSignal.timeout(5_000);
  await stage.pool
    .classifier('openai:guard')
    .ask({ messages: [{ role: 'user', content: 'Mail a@x.org' }] }, { maxOutputTokens: 5, signal });
  await stage.pool.moderationEndpoint('openai:omni-moderation-latest').forItem()({ text: 'Mail a@x.org' }, { signal });
  expect(stage.provider.requests.length).toBeGreaterThan(1);
  for (const { body } of stage.provider.requests) expect(JSON.stringify(body)).toContain('Mail [mail-1]');
});

test('masking does not make another model of it: work that was begun without it goes on', async () => {
  await using stage = await setCautiousStage(() => json(good));
  await using trusting = await setStage(() => json(good));
  const ofAnyPort = (fingerprint: string) => fingerprint.replaceAll(/https?:[^"]+/g, 'there');
  expect(ofAnyPort(stage.reasoner.fingerprint)).toBe(ofAnyPort(trusting.reasoner.fingerprint));
});
