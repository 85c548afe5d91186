import { spawn } from 'node:child_process';
import { AgonError } from '@agonhq/engine/agon-error';

/** How ffmpeg is called, and what it may use up. */
export interface FfmpegOptions {
  /** Its name on the PATH, or where it lies. */
  command: string;
  /** After so many seconds it is ended. */
  seconds: number;
  /** So many bytes of output are kept; what comes after them ends it. */
  mostBytes: number;
  signal?: AbortSignal;
}

export interface FfmpegEnd {
  /** Null where it was ended: for too much output. */
  code: number | null;
  output: Buffer;
  said: string;
}

/** Address space of the process, in kilobytes: enough for a film in 4K. */
const mostMemory = 3_000_000;

/** Formats that are opened; playlists, which name other files, are none of them. Nothing is read but files. */
export const carefully = [
  '-nostdin',
  '-hide_banner',
  '-threads',
  '2',
  '-max_pixels',
  '40000000',
  '-protocol_whitelist',
  'file,pipe',
  '-format_whitelist',
  'wav,mp3,mov,mp4,m4a,3gp,ogg,flac,matroska,webm,aac',
] as const;

/** Variables that a program needs to start; keys and secrets are not for it. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP'];

/** Runs ffmpeg in a process of its own, with limits on its time and memory, without network, keys or input. */
export async function runFfmpeg(args: readonly string[], options: FfmpegOptions): Promise<FfmpegEnd> {
  const { command, seconds, mostBytes, signal } = options;
  signal?.throwIfAborted();
  const environment = Object.fromEntries(
    passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  // Node cannot limit a child's memory; the shell can, and then becomes the child.
  const [program, given] =
    process.platform === 'win32'
      ? [command, [...args]]
      : ['/bin/sh', ['-c', `ulimit -v ${mostMemory} 2>/dev/null; exec "$0" "$@"`, command, ...args]];
  const child = spawn(program, given, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  const chunks: Buffer[] = [];
  let [bytes, said, isLate] = [0, '', false];
  const stop = () => child.kill('SIGKILL');
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, seconds * 1000);
  signal?.addEventListener('abort', stop, { once: true });
  child.stdout.on('data', (chunk: Buffer) => {
    if (bytes < mostBytes) chunks.push(chunk.subarray(0, mostBytes - bytes));
    bytes += chunk.length;
    if (bytes > mostBytes) stop();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, 60_000)));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    signal?.throwIfAborted();
    if (isLate) throw tooSlow(seconds);
    if (code === 127 || code === 126) throw missing(command);
    return { code, output: Buffer.concat(chunks), said };
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'ENOENT' ? missing(command, cause) : cause;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** `ffmpeg 5.1.6`, as it calls itself; an error where there is none. */
export async function readFfmpegVersion(command: string): Promise<string> {
  const { output } = await runFfmpeg(['-version'], { command, seconds: 10, mostBytes: 10_000 });
  return /^(ffmpeg) version (\S+)/.exec(output.toString('utf8'))?.slice(1).join(' ') ?? command;
}

function missing(command: string, cause?: unknown): AgonError {
  const isNamed = /[/\\]/.test(command);
  const get = 'Install it (Debian: apt-get install ffmpeg, macOS: brew install ffmpeg, Windows: winget install ffmpeg)';
  // Who asks over HTTP is not told where the server looks.
  const place = isNamed ? `It is not at ${command}. ` : '';
  return new AgonError(
    'no-ffmpeg',
    `Recordings are decoded by ffmpeg, which is not ${isNamed ? 'where moderation.ffmpeg says' : 'on the PATH'}.`,
    {
      library: `${place}${get}, or name it in moderation.ffmpeg.`,
      cli: `${place}${get}, or name it: --ffmpeg /path/to/ffmpeg, or moderation.ffmpeg in agon.config.yaml.`,
      api: 'Whoever runs the server installs ffmpeg, or names it in moderation.ffmpeg.',
    },
    { cause },
  );
}

function tooSlow(seconds: number): AgonError {
  return new AgonError(
    'media-too-slow',
    `The recording took more than ${Math.round(seconds)} s to decode.`,
    'Convert it to a smaller one, or judge a part of it.',
  );
}
