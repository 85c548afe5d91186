import { open } from 'node:fs/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import { carefully, runFfmpeg } from './run-ffmpeg.ts';

export type MediaKind = 'audio' | 'video';

const megabyte = 1_000_000;

/** Formats by what they are called in the file itself; films hold sound, too. */
const containers = ['video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska', 'video/x-m4v'];
const readable: Record<MediaKind, ReadonlySet<string>> = {
  video: new Set(containers),
  audio: new Set([
    ...containers,
    'audio/wav',
    'audio/mpeg',
    'audio/mp4',
    'audio/x-m4a',
    'audio/ogg',
    'audio/opus',
    'audio/flac',
    'audio/aac',
    'video/ogg',
    'application/ogg',
    'audio/webm',
    'audio/matroska',
  ]),
};
const listed = { audio: 'WAV, MP3, M4A, Ogg or FLAC', video: 'MP4, MOV or WebM' };

/** Reads a recording whole, after checking that it is a file of a size that is read at all. */
export async function loadMedia(file: string, mostBytes: number): Promise<Uint8Array> {
  const handle = await open(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' || cause.code === 'ENOTDIR'
      ? new AgonError('media-not-found', `There is no file ${file}.`, 'Check the path of the recording.', { cause })
      : new AgonError('unreadable-media', `${file} cannot be read: ${cause.code}.`, 'Check its permissions.', {
          cause,
        });
  });
  try {
    const status = await handle.stat();
    if (!status.isFile())
      throw new AgonError('unreadable-media', `${file} is not a regular file.`, 'Name a file of sound or film.');
    assertMediaSize(status.size, file, mostBytes);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

export function assertMediaSize(bytes: number, name: string, mostBytes: number): void {
  if (bytes === 0) throw new AgonError('empty-media', `${name} is empty.`, `Export or download ${name} again.`);
  if (bytes <= mostBytes) return;
  throw new AgonError(
    'media-too-large',
    `${name} has ${(bytes / megabyte).toFixed(1)} MB; the limit is ${mostBytes / megabyte} MB.`,
    {
      library: 'Compress it, or raise moderation.mediaMegabytes.',
      api: 'Compress it, or ask whoever runs the server to raise moderation.mediaMegabytes.',
    },
  );
}

/** What kind of file it is, by its content and never by its name. */
export async function detectMediaType(bytes: Uint8Array, name: string, kind: MediaKind): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = (await fileTypeFromBuffer(bytes))?.mime.split(';')[0]?.trim();
  if (detected !== undefined && readable[kind].has(detected)) return detected;
  const isSound = kind === 'video' && detected !== undefined && readable.audio.has(detected);
  throw new AgonError(
    'unsupported-media',
    detected === undefined
      ? `${name} is no recording that can be read.`
      : `${name} is ${detected}, which is not read as ${kind}.`,
    isSound ? { library: 'Pass it as audio.', cli: 'Pass it with --audio.' } : `Convert ${name} to ${listed[kind]}.`,
  );
}

/** What ffmpeg finds in a file. */
export interface MediaProbe {
  /** Null where the file does not say how long it is. */
  seconds: number | null;
  hasSound: boolean;
  hasPicture: boolean;
}

/** How long a recording is, and whether it has sound and picture. */
export async function probeMedia(
  file: string,
  name: string,
  { command, signal }: { command: string; signal?: AbortSignal },
): Promise<MediaProbe> {
  const { said } = await runFfmpeg([...carefully, '-i', `file:${file}`], {
    command,
    seconds: 30,
    mostBytes: 0,
    ...(signal ? { signal } : {}),
  });
  const streams = [...said.matchAll(/^[ \t]*Stream #.*?: (Audio|Video): (.*)$/gm)];
  if (streams.length === 0) throw corrupt(name, said);
  const time = /Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)/.exec(said);
  const [hours, minutes, seconds] = (time ?? []).slice(1).map(Number);
  return {
    seconds: hours === undefined ? null : hours * 3600 + minutes! * 60 + seconds!,
    hasSound: streams.some(([, kind]) => kind === 'Audio'),
    // The cover of an album is no film.
    hasPicture: streams.some(([, kind, rest]) => kind === 'Video' && !rest!.includes('attached pic')),
  };
}

export function corrupt(name: string, said: string): AgonError {
  const reason = said.trim().split('\n').at(-1);
  return new AgonError('corrupt-media', `${name} is corrupt or cut short.`, `Export or download ${name} again.`, {
    cause: new Error(reason),
  });
}
