import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collectCalls } from '@agonhq/engine/debate';
import { createLlmPool } from '../pool.ts';

let server: Server;
let received: { path: string; form: FormData }[] = [];
const { signal } = new AbortController();

beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const type = request.headers['content-type'] ?? '';
      const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData();
      received.push({ path: request.url!, form });
      const isTimed = form.get('response_format') === 'verbose_json';
      const segments = [{ start: 1.5, end: 3, text: ' Good morning.' }];
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ text: 'Good morning.', ...(isTimed ? { language: 'english', segments } : {}) }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

function open(model: string) {
  received = [];
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return createLlmPool({ providers: { openai: { baseUrl, apiKey: 'sk-test' } } }, {}).transcriber(model);
}

test('a provider writes down what is said, from a WAV file, with times', async () => {
  const heard = await open('openai:whisper-1').transcribe(new Float32Array(16_000 * 4), { signal });
  expect(heard).toEqual({ language: 'english', segments: [{ start: 1.5, end: 3, text: 'Good morning.' }] });
  const [{ path, form }] = received as [(typeof received)[number]];
  expect([path, form.get('model')]).toEqual(['/v1/audio/transcriptions', 'whisper-1']);
  const wav = Buffer.from(await (form.get('file') as File).arrayBuffer());
  expect([wav.toString('latin1', 0, 4), wav.length]).toEqual(['RIFF', 44 + 16_000 * 4 * 2]);
});

test('a model that tells no times is sent half minutes, so that they are known all the same', async () => {
  const heard = await open('openai:gpt-4o-transcribe').transcribe(new Float32Array(16_000 * 45), { signal });
  expect(heard.segments.map(({ start, end }) => [start, end])).toEqual([
    [0, 30],
    [30, 45],
  ]);
  expect(received).toHaveLength(2);
});

test('a provider without transcription says so', () => {
  const pool = createLlmPool({ providers: { anthropic: { apiKey: 'sk-test' } } }, {});
  expect(() => pool.transcriber('anthropic:claude-sonnet-4-5')).toThrow('has no transcription');
});

test('a recording that was sent is on record, and one that is withheld is refused', async () => {
  const { calls } = await collectCalls(() => open('openai:whisper-1').transcribe(new Float32Array(16_000), { signal }));
  expect(calls).toMatchObject([{ why: 'transcription', disclosure: { recordings: 1, here: true } }]);
  expect(calls[0]!.disclosure!.bytes).toBeGreaterThan(32_000);
  const pool = createLlmPool({ providers: { openai: { apiKey: 'sk-test', recordings: 'withhold' } } }, {});
  expect(() => pool.transcriber('openai:whisper-1')).toThrow('Recordings are kept from openai');
});
