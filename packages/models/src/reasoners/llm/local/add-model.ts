import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { localModelsFolder } from './find-model.ts';

type Environment = Record<string, string | undefined>;

/** `hf:owner/repository/folder/file.gguf@revision`, taken apart. */
export interface ModelSource {
  repository: string;
  file: string;
  revision: string;
  /** What it is called after: `local:name`. */
  name: string;
}

const sourcePattern = /^hf:(?<repository>[\w.-]+\/[\w.-]+)\/(?<file>[\w./+-]+\.gguf)(?:@(?<revision>[\w./-]+))?$/;

export function parseModelSource(text: string): ModelSource {
  const { repository, file, revision = 'main' } = sourcePattern.exec(text)?.groups ?? {};
  if (repository === undefined || file === undefined || `${repository}/${file}/${revision}`.includes('..'))
    throw new AgonError(
      'bad-model-name',
      `"${text}" is not the place of a language model.`,
      'Name it as hf:owner/repository/file.gguf, with @revision behind it for one that stays.',
    );
  return { repository, file, revision, name: path.posix.basename(file, '.gguf') };
}

const noteSchema = z.object({ source: z.string(), commit: z.string().nullable(), sha256: z.string(), bytes: z.int() });

/** Where an added model came from, and what it was then. */
export type ModelNote = z.infer<typeof noteSchema>;

/** What was written down when a model was added; null for a file that somebody put there. */
export async function readModelNote(name: string, environment: Environment): Promise<ModelNote | null> {
  try {
    const text = await readFile(path.join(localModelsFolder(environment), `${name}.json`), 'utf8');
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export interface AddOptions {
  environment: Environment;
  /** The hash that the file must have, whatever the hub says. */
  sha256?: string;
  signal?: AbortSignal;
  onProgress?(bytes: number, total: number): void;
}

/**
 * Downloads a model from the hub, checks it and puts it into its place, whole or not at all. What has arrived of a
 * download that broke off stays for the next attempt.
 */
export async function addModel(source: ModelSource, options: AddOptions): Promise<{ path: string; isNew: boolean }> {
  const { environment, signal } = options;
  const folder = localModelsFolder(environment);
  const target = path.join(folder, `${source.name}.gguf`);
  const offered = await askHub(source, options);
  const there = await readModelNote(source.name, environment);
  if (there && (await stat(target).catch(() => null))?.size === there.bytes) {
    if (there.sha256 === offered.sha256) return { path: target, isNew: false };
    throw new AgonError(
      'model-exists',
      `Another model ${source.name} is there already, of ${there.source}.`,
      `Take it away first: agon models remove local:${source.name}`,
    );
  }
  try {
    await mkdir(folder, { recursive: true });
    const partial = path.join(folder, `.${source.name}-${offered.sha256.slice(0, 16)}.part`);
    await download(source, offered, partial, options);
    const found = await hashFile(partial, signal);
    if (found !== offered.sha256) {
      await rm(partial, { force: true });
      throw new AgonError(
        'wrong-checksum',
        `${source.file} has another SHA-256 than it should: ${found} instead of ${offered.sha256}.`,
        'Nothing was added. Try again; if it stays so, what is served is not the file.',
      );
    }
    const note: ModelNote = {
      source: `hf:${source.repository}/${source.file}@${source.revision}`,
      commit: offered.commit,
      sha256: offered.sha256,
      bytes: offered.bytes,
    };
    await writeFile(path.join(folder, `${source.name}.json`), JSON.stringify(note));
    await rename(partial, target);
    return { path: target, isNew: true };
  } catch (cause) {
    throw explain(cause, source, options);
  }
}

/** Takes a model away. Returns false where there was none. */
export async function removeModel(name: string, environment: Environment): Promise<boolean> {
  const folder = localModelsFolder(environment);
  const file = path.join(folder, `${path.basename(name)}.gguf`);
  const wasThere = (await stat(file).catch(() => null)) !== null;
  await rm(file, { force: true });
  await rm(path.join(folder, `${path.basename(name)}.json`), { force: true });
  return wasThere;
}

interface Offered {
  url: string;
  sha256: string;
  bytes: number;
  commit: string | null;
}

/** The hub names a large file's hash and size before it sends elsewhere for the file itself. */
async function askHub(source: ModelSource, options: AddOptions): Promise<Offered> {
  const { environment, signal } = options;
  const endpoint = (environment['HF_ENDPOINT'] || 'https://huggingface.co').replace(/(?<!\/)\/+$/, '');
  const place = `${source.repository}/resolve/${encodeURIComponent(source.revision)}/${source.file}`;
  const url = `${endpoint}/${place}`;
  const token = environment['HF_TOKEN'];
  const headers = token ? { authorization: `Bearer ${token}` } : undefined;
  const response = await fetch(url, { method: 'HEAD', redirect: 'manual', headers, signal }).catch((cause: unknown) => {
    throw explain(cause, source, options);
  });
  if (response.status >= 400) throw refuse(response.status, source, url);
  const linked = response.headers.get('x-linked-etag')?.replaceAll('"', '');
  const told = linked !== undefined && /^[0-9a-f]{64}$/.test(linked) ? linked : undefined;
  const pinned = options.sha256?.replace(/^sha256:/, '').toLowerCase();
  const sha256 = pinned ?? told;
  const bytes = Number(response.headers.get('x-linked-size') ?? response.headers.get('content-length') ?? Number.NaN);
  if (sha256 === undefined || !(bytes > 0))
    throw new AgonError(
      'wrong-checksum',
      `The hub names no ${sha256 === undefined ? 'SHA-256' : 'size'} of ${source.file}.`,
      'Say what it must be: agon models add --sha256 HASH',
    );
  // Where the file lies is another's server: the token is not for it.
  const location = response.headers.get('location');
  return {
    url: location === null ? url : new URL(location, url).href,
    sha256,
    bytes,
    commit: response.headers.get('x-repo-commit'),
  };
}

async function download(source: ModelSource, { url, bytes }: Offered, partial: string, options: AddOptions) {
  const { signal, onProgress, environment } = options;
  const { bavail, bsize } = await statfs(path.dirname(partial));
  let have = (await stat(partial).catch(() => null))?.size ?? 0;
  if (bavail * bsize < bytes - have)
    throw new AgonError(
      'disk-full',
      `${source.file} takes ${Math.ceil(bytes / 1e6)} MB, and ${Math.floor((bavail * bsize) / 1e6)} MB are free.`,
      'Free some space, or name another folder with AGON_LOCAL_MODELS.',
    );
  if (have >= bytes) return;
  // By its origin: an address that only begins like the hub's may be another's.
  const isHub = new URL(url).origin === new URL(environment['HF_ENDPOINT'] || 'https://huggingface.co').origin;
  const token = isHub ? environment['HF_TOKEN'] : undefined;
  const headers = {
    ...(have > 0 ? { range: `bytes=${have}-` } : {}),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const response = await fetch(url, { headers, signal });
  if (response.status >= 400 || response.body === null) throw refuse(response.status, source, url);
  // A server that does not know ranges begins at the beginning.
  const goesOn = response.status === 206;
  if (!goesOn) have = 0;
  const body = Readable.fromWeb(response.body);
  body.on('data', (chunk: Buffer) => {
    have += chunk.length;
    onProgress?.(have, bytes);
  });
  await pipeline(body, createWriteStream(partial, { flags: goesOn ? 'a' : 'w' }), { signal });
  if (have !== bytes) throw new Error(`${have} of ${bytes} bytes came`);
}

async function hashFile(file: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  return hash.digest('hex');
}

function refuse(status: number, { repository, file, revision }: ModelSource, url: string): AgonError {
  if (status === 401 || status === 403)
    return new AgonError(
      'unfetched-model',
      `${repository} does not exist, or is only for those who were let in (HTTP ${status}).`,
      'Check its name; for a gated model accept its terms at the hub and set HF_TOKEN.',
    );
  if (status === 404)
    return new AgonError(
      'unfetched-model',
      `There is no ${file} at revision ${revision} of ${repository}.`,
      'Check the names of the file and of the revision at the hub.',
    );
  const { host } = new URL(url);
  return new AgonError('unfetched-model', `${host} answered with HTTP ${status}.`, 'Try again later.');
}

function explain(cause: unknown, { name, file }: ModelSource, { signal }: AddOptions): unknown {
  if (AgonError.is(cause)) return cause;
  const again = 'Run the command again: it goes on where it stopped.';
  if (signal?.aborted) return new AgonError('cancelled', `${name} was not added.`, again);
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOSPC')
    return new AgonError('disk-full', `The disk is full, and ${file} is not whole.`, `Free some space. ${again}`);
  const { cause: inner } = cause as Error;
  const said = inner instanceof Error && inner.message !== '' ? inner.message : message;
  return new AgonError('unfetched-model', `${file} could not be fetched: ${said}.`, again, { cause });
}
