import type { MediaLimits } from '@agonhq/judges/job/job-kit';
import { sampleRate } from '../speech/log-mel.ts';
import { corrupt, type MediaKind } from './inspect-media.ts';
import { carefully, runFfmpeg } from './run-ffmpeg.ts';

/** A stretch of sound: one channel, 16,000 samples a second. */
export interface SoundStretch {
  /** Where in the recording it begins, in seconds. */
  start: number;
  samples: Float32Array;
}

/** A recording on disk, and what is known of it. */
export interface MediaSource {
  file: string;
  name: string;
  kind: MediaKind;
  /** Where files may be put. */
  folder: string;
  means: { command: string; signal?: AbortSignal };
  /** Whether it is too long to be taken whole. */
  isSampled: boolean;
  /** In seconds; null where the file does not say. */
  length: number | null;
}

/** Of a recording that is only sampled, stretches of half a minute are heard. */
const sampledStretch = 30;

/** Decoding is many times faster than playing; a slow machine gets this long. */
export function allowTime(seconds: number): number {
  return 30 + seconds;
}

/** The sound of a recording, whole or in stretches that lie evenly over it. */
export async function decodeSound(
  source: MediaSource,
  limits: MediaLimits,
): Promise<{ stretches: SoundStretch[]; seconds: number; gaps: string[] }> {
  if (source.isSampled) return sampleSound(source, limits);
  // A second more than is allowed shows that there is more.
  const { samples, isDamaged } = await decodeStretch(source, 0, limits.seconds * 1.05 + 1);
  if (samples.length === 0 && isDamaged && source.kind === 'audio') throw corrupt(source.name, '');
  const seconds = samples.length / sampleRate;
  // A film may go on without sound.
  const isCut = source.kind === 'audio' && source.length !== null && seconds < source.length * 0.9 - 1;
  return {
    stretches: samples.length > 0 ? [{ start: 0, samples }] : [],
    seconds,
    gaps: isDamaged || isCut ? [`its sound is damaged or cut short after ${seconds.toFixed(1)} s`] : [],
  };
}

async function sampleSound(
  source: MediaSource,
  { seconds: most }: MediaLimits,
): Promise<{ stretches: SoundStretch[]; seconds: number; gaps: string[] }> {
  const length = source.length!;
  const count = Math.max(1, Math.floor(most / sampledStretch));
  const stretches: SoundStretch[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = (Math.max(0, length - sampledStretch) * index) / Math.max(1, count - 1);
    const { samples } = await decodeStretch(source, start, sampledStretch);
    if (samples.length > 0) stretches.push({ start, samples });
  }
  const heard = stretches.reduce((sum, { samples }) => sum + samples.length, 0) / sampleRate;
  const gaps = [`of its sound ${Math.round(heard)} s of ${Math.round(length)} s were heard`];
  return { stretches, seconds: length, gaps };
}

async function decodeStretch(
  { file, means }: MediaSource,
  start: number,
  seconds: number,
): Promise<{ samples: Float32Array; isDamaged: boolean }> {
  const taken = ['-ss', String(start), '-i', `file:${file}`, '-map', '0:a:0', '-t', String(seconds)];
  const made = ['-ac', '1', '-ar', String(sampleRate), '-f', 'f32le', 'pipe:1'];
  const args = [...carefully, '-loglevel', 'error', ...taken, ...made];
  const mostBytes = Math.ceil(seconds * sampleRate) * 4 + 4;
  const { code, output, said } = await runFfmpeg(args, { ...means, seconds: allowTime(seconds), mostBytes });
  const samples = new Float32Array(Math.floor(output.length / 4));
  new Uint8Array(samples.buffer).set(output.subarray(0, samples.length * 4));
  return { samples, isDamaged: code !== 0 || said.trim() !== '' };
}
