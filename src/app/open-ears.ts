import { hashOf } from '../hash.ts';
import type { KitTools } from '../jobs/index.ts';
import { chooseEars, earParts, hear } from '../senses/index.ts';
import type { ModelPool } from './parts.ts';

/** Who writes down what is said in recordings: a part of this machine, or a model of a provider. */
export function createEarsTool(environment: Record<string, string | undefined>, pool: ModelPool): KitTools['openEars'] {
  return async (transcription) => {
    const part = earParts.find((id) => id === transcription) ?? null;
    if (transcription !== null && part === null) {
      const { id, fingerprint, transcribe } = pool.transcriber(transcription);
      return { id, digest: hashOf(fingerprint), hear: transcribe };
    }
    const { id, digest } = await chooseEars(part, environment);
    return { id, digest, hear: (samples, { signal }) => hear(samples, id, { environment, signal }) };
  };
}
