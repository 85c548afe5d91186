import { hashOf } from '@agonhq/engine/hash';
import type { KitTools } from '@agonhq/judges/job';
import type { ModelPool } from './parts.ts';

type Senses = typeof import('@agonhq/models/senses');

let loaded: Promise<Senses> | null = null;

/** Models of images and speech are loaded with the first image or recording: whoever guards texts needs none. */
function loadSenses(): Promise<Senses> {
  return (loaded ??= import('@agonhq/models/senses'));
}

type SenseTools = Pick<
  KitTools,
  'inspectImage' | 'loadImage' | 'lookAtImage' | 'loadMedia' | 'openMedia' | 'digestImageModels' | 'openSpeechModel'
>;

export function openSenses(environment: Record<string, string | undefined>, pool: ModelPool): SenseTools {
  return {
    inspectImage: async (...given) => (await loadSenses()).inspectImage(...given),
    loadImage: async (...given) => (await loadSenses()).loadImage(...given),
    lookAtImage: async (...given) => (await loadSenses()).lookAtImage(...given),
    loadMedia: async (...given) => (await loadSenses()).loadMedia(...given),
    openMedia: async (...given) => (await loadSenses()).openMedia(...given),
    digestImageModels: async () => (await loadSenses()).digestImageModels(),
    /** Who writes down what is said in recordings: a part of this machine, or a model of a provider. */
    async openSpeechModel(transcription) {
      const { chooseSpeechModel, speechParts, hear } = await loadSenses();
      const part = speechParts.find((id) => id === transcription) ?? null;
      if (transcription !== null && part === null) {
        const { id, fingerprint, transcribe } = pool.transcriber(transcription);
        return { id, digest: hashOf(fingerprint), hear: transcribe };
      }
      const { id, digest } = await chooseSpeechModel(part, environment);
      return { id, digest, hear: (samples, { signal }) => hear(samples, id, { environment, signal }) };
    },
  };
}

export async function closeSenses(): Promise<void> {
  const senses = await loaded;
  await Promise.all([senses?.closeImageModels(), senses?.closeSpeechModel()]);
}
