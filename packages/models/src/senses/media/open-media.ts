import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import { decodeSound, type SoundStretch } from './decode-sound.ts';
import { assertMediaSize, detectMediaType, probeMedia, type MediaKind, type MediaProbe } from './inspect-media.ts';
import { pickFrames, type Frame } from './pick-frames.ts';

/** What may be taken from a recording. */
export interface MediaReadLimits {
  /** ffmpeg, by its name or its place. */
  ffmpeg: string;
  bytes: number;
  /** The longest that is judged whole. */
  seconds: number;
  /** What becomes of a longer one. */
  whenLonger: 'refuse' | 'sample';
  /** Frames of a film, at most; and how far apart they are where nothing changes. */
  frames: number;
  interval: number;
}

/** A recording that was checked by its content and decoded. */
export interface DecodedMedia {
  /** `sha256:…` of the original bytes. */
  hash: string;
  mediaType: string;
  seconds: number;
  /** One stretch; several of a recording that is only sampled; none without a sound track. */
  sound: readonly SoundStretch[];
  /** None of a recording without picture, or where only its sound is asked for. */
  frames: readonly Frame[];
  /** What was left out, in a sentence each: a verdict of safe does not cover it. */
  gaps: readonly string[];
}

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
  limits: MediaReadLimits,
  options: { signal?: AbortSignal } = {},
): Promise<DecodedMedia> {
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

function tooLong(name: string, seconds: number, limits: MediaReadLimits): AgonError {
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
