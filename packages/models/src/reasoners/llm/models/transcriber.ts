import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { canonicalJson, hashOf, sha256 } from '@agonhq/engine/hash';
import type { CallResources } from '../calls/ask-model.ts';
import { askQuestion, callWith } from '../calls/ask-once.ts';
import type { Model } from '../providers/model.ts';
import { postJson } from '../providers/post-json.ts';
import { makeHeaders } from './classifier.ts';

/** A provider's model that writes down what is said. */
export interface Transcriber {
  id: string;
  fingerprint: string;
  /** Of samples of one channel, 16,000 a second. */
  transcribe(samples: Float32Array, options: { signal: AbortSignal }): Promise<ProvidersTranscript>;
}

export interface ProvidersTranscript {
  language: string | null;
  segments: { start: number; end: number; text: string }[];
}

const bodySchema = z.object({
  text: z.string(),
  language: z.string().optional(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).optional(),
});

const sampleRate = 16_000;

/** Seconds that are sent at once: few where the model tells no times, so that they are known all the same. */
const atOnce = { timed: 600, untimed: 30 };

/** Transcription as OpenAI and servers like it offer it: /audio/transcriptions. */
export function createTranscriber(
  model: Model,
  fetch: typeof globalThis.fetch,
  resources: () => CallResources,
): Transcriber {
  const { provider } = model;
  if (provider.kind !== 'openai' && provider.kind !== 'openai-compatible')
    throw new AgonError(
      'no-transcription',
      `${provider.name} has no transcription of the kind that Agon calls.`,
      'Name a model of OpenAI or of an OpenAI-compatible server, or add a part: agon add whisper.',
    );
  if (provider.trust.recordings === 'withhold')
    throw new AgonError(
      'recordings-withheld',
      `Recordings are kept from ${provider.name}, and ${model.name} is to write them down.`,
      `Set providers.${provider.name}.recordings to send, or use a part: agon add whisper.`,
    );
  // Only Whisper's answers have times.
  const isTimed = /whisper/i.test(model.model);
  return {
    id: model.name,
    fingerprint: canonicalJson(model.identity),
    async transcribe(samples, { signal }) {
      const own = resources();
      const found: ProvidersTranscript = { language: null, segments: [] };
      const step = (isTimed ? atOnce.timed : atOnce.untimed) * sampleRate;
      for (let from = 0; from < samples.length; from += step) {
        const stretch = samples.subarray(from, from + step);
        const { text, language, segments } = await ask(writeWav(stretch), signal, own);
        const start = from / sampleRate;
        const spoken = segments ?? [{ start: 0, end: stretch.length / sampleRate, text }];
        found.language ??= language ?? null;
        for (const one of spoken)
          if (one.text.trim() !== '')
            found.segments.push({ start: start + one.start, end: start + one.end, text: one.text.trim() });
      }
      return found;
    },
  };

  async function ask(wav: Uint8Array<ArrayBuffer>, signal: AbortSignal, own: CallResources) {
    const url = `${provider.baseUrl}/audio/transcriptions`;
    const reply = await askQuestion<z.infer<typeof bodySchema>>(
      {
        model: callWith(model, async ({ signal: within }) => {
          const body = new FormData();
          body.set('model', model.model);
          body.set('response_format', isTimed ? 'verbose_json' : 'json');
          body.set('file', new Blob([wav], { type: 'audio/wav' }), 'recording.wav');
          const text = JSON.stringify(
            await postJson(fetch, url, { headers: makeHeaders(provider), body, signal: within }),
          );
          return { text, finish: 'stop', tokens: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 } };
        }),
        request: {
          conversation: () => ({
            instructions: '',
            messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }],
          }),
          maxOutputTokens: 0,
          temperature: undefined,
          roleId: 'transcription',
          why: 'transcription',
          recordings: 1,
        },
        cacheKey: hashOf({ ...model.identity, path: '/audio/transcriptions', sound: sha256(wav) }),
        read: (answer) => bodySchema.parse(JSON.parse(answer)),
        recall: (kept) => bodySchema.safeParse(kept).data,
        signal,
      },
      own,
    );
    if (reply.outcome === 'answered') return reply.answer;
    throw new AgonError(
      'transcription-failed',
      `${model.name} did not transcribe the recording: ${reply.detail}`,
      'Try again later, or use a part: agon add whisper, --transcription whisper.',
    );
  }
}

/** Samples as a WAV file with 16 bits. */
function writeWav(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + samples.length * 2);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string) => new TextEncoder().encodeInto(text, bytes.subarray(at));
  write(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  for (const [index, sample] of samples.entries())
    view.setInt16(44 + index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
  return bytes;
}
