import { mkdtemp, rm, writeFile, mkdir, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import type { MediaLimits, OpenedMedia } from '@agonhq/judges/job/job-kit';
import { decodeSound, allowTime, type MediaSource } from './decode-sound.ts';
import {
  assertMediaSize,
  detectMediaType,
  probeMedia,
  corrupt,
  type MediaKind,
  type MediaProbe,
} from './inspect-media.ts';
import { carefully, runFfmpeg } from './run-ffmpeg.ts';

/** A header may err by a little. */
const tolerance = 1.02;

/**
 * Checks and decodes a recording: its sound as samples, frames of its picture. Whatever cannot be judged (no recording,
 * corrupt, too long, too large) is an AgonError that names the file.
 *
 * @example const { sound } = await openMedia(bytes, 'voice.mp3', 'audio', limits)
 */
export async function openMedia(
  bytes: Uint8Array,
  name: string,
  kind: MediaKind,
  limits: MediaLimits,
  options: { signal?: AbortSignal } = {},
): Promise<OpenedMedia> {
  assertMediaSize(bytes.length, name, limits.bytes);
  const mediaType = await detectMediaType(bytes, name, kind);
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-media-'));
  try {
    const file = path.join(folder, 'recording');
    await writeFile(file, bytes, { mode: 0o600 });
    const means = { command: limits.ffmpeg, ...(options.signal ? { signal: options.signal } : {}) };
    const probe = await probeMedia(file, name, means);
    assertStreams(probe, name, kind);
    const isLong = (probe.seconds ?? 0) > limits.seconds * tolerance;
    if (isLong && limits.whenLonger === 'refuse') throw tooLong(name, probe.seconds!, limits);
    const source = { file, name, kind, folder, means, isSampled: isLong, length: probe.seconds };
    const sound = probe.hasSound ? await decodeSound(source, limits) : { stretches: [], seconds: 0, gaps: [] };
    const film = kind === 'video' ? await pickFrames(source, limits) : { frames: [], gaps: [] };
    const seconds = probe.seconds ?? Math.max(sound.seconds, film.frames.at(-1)?.second ?? 0);
    // A file that does not say how long it is was decoded up to the limit, and a little further.
    if (!isLong && seconds > limits.seconds * tolerance) throw tooLong(name, seconds, limits);
    return {
      hash: sha256(bytes),
      mediaType,
      seconds: Math.round(seconds * 100) / 100,
      sound: sound.stretches,
      frames: film.frames,
      gaps: [...sound.gaps, ...film.gaps],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function assertStreams({ hasSound, hasPicture }: MediaProbe, name: string, kind: MediaKind): void {
  if (kind === 'video' && !hasPicture)
    throw new AgonError('unsupported-media', `${name} has no picture.`, {
      library: 'Pass it as audio.',
      cli: 'Pass it with --audio.',
    });
  if (kind === 'audio' && !hasSound)
    throw new AgonError('unsupported-media', `${name} has no sound.`, {
      library: 'Pass it as video.',
      cli: 'Pass it with --video.',
    });
}

function tooLong(name: string, seconds: number, limits: MediaLimits): AgonError {
  return new AgonError(
    'media-too-long',
    `${name} lasts ${formatLength(seconds)}; at most ${formatLength(limits.seconds)} are judged whole.`,
    {
      library: 'Cut it, raise moderation.mediaSeconds, or set moderation.longMedia to sample.',
      cli: 'Cut it, raise moderation.mediaSeconds, or have it sampled: --long-media sample.',
      api: 'Cut it, or ask whoever runs the server to raise moderation.mediaSeconds.',
    },
  );
}

function formatLength(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(1)} min`;
}

/** A picture of a film, as JPEG, and when it is shown. */
interface Frame {
  second: number;
  image: Uint8Array;
}

/** How much a picture must differ from the one before to begin a scene, as ffmpeg counts it. */
const newScene = 0.3;

/** So many candidates for each frame that is kept: a film that flickers fills no disk. */
const candidates = 8;

const longestSide = 1280;
const fit = `scale=w='min(${longestSide},iw)':h='min(${longestSide},ih)':force_original_aspect_ratio=decrease`;
const asJpeg = ['-pix_fmt', 'yuvj420p', '-strict', 'unofficial', '-q:v', '3', '-f', 'image2'];

/** The frames of a film that are looked at: where a scene begins, and at intervals where none does. */
async function pickFrames(source: MediaSource, limits: MediaLimits): Promise<{ frames: Frame[]; gaps: string[] }> {
  return source.isSampled ? sampleFrames(source, limits) : pickScenes(source, limits);
}

async function pickScenes(source: MediaSource, limits: MediaLimits): Promise<{ frames: Frame[]; gaps: string[] }> {
  const { file, name, means } = source;
  const length = Math.min(source.length ?? limits.seconds, limits.seconds);
  const interval = Math.max(limits.interval, length / limits.frames);
  const shortest = Math.min(interval, Math.max(0.1, length / (limits.frames * candidates)));
  const folder = path.join(source.folder, 'frames');
  await mkdir(folder);
  const passed = 't-prev_selected_t';
  const select = `select='isnan(prev_selected_t)+gte(${passed},${interval})+gt(scene,${newScene})*gte(${passed},${shortest})'`;
  const taken = ['-i', `file:${file}`, '-map', '0:v:0', '-t', String(length + 1)];
  const made = ['-vf', `${select},metadata=print:file=-,${fit}`, '-fps_mode', 'vfr', ...asJpeg];
  const args = [...carefully, '-loglevel', 'error', ...taken, ...made, path.join(folder, '%06d.jpg')];
  const { code, output, said } = await runFfmpeg(args, { ...means, seconds: allowTime(length), mostBytes: 4_000_000 });
  const files = (await readdir(folder)).toSorted();
  const shown = [...output.toString('utf8').matchAll(/pts_time:(\S+)\s+lavfi\.scene_score=(\S+)/g)];
  const found = files.flatMap((one, index) => {
    const [, second, score] = shown[index] ?? [];
    return second === undefined ? [] : [{ file: one, second: Math.max(0, Number(second)), score: Number(score) }];
  });
  if (found.length === 0) throw corrupt(name, said);
  const kept = keepMost(found, limits.frames, length);
  const frames = await Promise.all(
    kept.map(async ({ file: one, second }) => ({
      second: Math.round(second * 100) / 100,
      image: await readFile(path.join(folder, one)),
    })),
  );
  await rm(folder, { recursive: true, force: true });
  const isDamaged = code !== 0 || said.trim() !== '';
  return {
    frames,
    gaps: [
      ...(isDamaged ? ['its picture is damaged or cut short'] : []),
      ...(kept.length < found.length ? [`of ${found.length} scenes ${kept.length} were looked at`] : []),
    ],
  };
}

/** Of too many the strongest change of each stretch, so that no part of a film crowds out another. */
export function keepMost<Found extends { second: number; score: number }>(
  found: readonly Found[],
  most: number,
  length: number,
): Found[] {
  if (found.length <= most) return [...found];
  const stretches = Map.groupBy(found, ({ second }) => Math.min(most - 1, Math.floor((second / length) * most)));
  return [...stretches.values()].map((stretch) => stretch.reduce((best, one) => (one.score > best.score ? one : best)));
}

async function sampleFrames(source: MediaSource, limits: MediaLimits): Promise<{ frames: Frame[]; gaps: string[] }> {
  const { file, folder, means } = source;
  const length = source.length!;
  const frames: Frame[] = [];
  for (let index = 0; index < limits.frames; index += 1) {
    const second = (length * (index + 0.5)) / limits.frames;
    const image = path.join(folder, `sample-${index}.jpg`);
    const taken = ['-ss', String(second), '-i', `file:${file}`, '-map', '0:v:0', '-frames:v', '1'];
    const args = [...carefully, '-loglevel', 'error', ...taken, '-vf', fit, ...asJpeg, '-update', '1', image];
    await runFfmpeg(args, { ...means, seconds: allowTime(0), mostBytes: 0 });
    const bytes = await readFile(image).catch(() => null);
    if (bytes) frames.push({ second: Math.round(second * 100) / 100, image: bytes });
  }
  if (frames.length === 0) throw corrupt(source.name, '');
  return { frames, gaps: [`of its picture ${frames.length} frames in ${Math.round(length)} s were looked at`] };
}
