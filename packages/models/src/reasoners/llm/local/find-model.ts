import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { agonHome } from '@agonhq/engine/agon-home';
import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';

type Environment = Record<string, string | undefined>;

/** A language model in a file of this machine. */
export interface LocalModelFile {
  path: string;
  /** `sha256:…` of the whole file. */
  digest: string;
  bytes: number;
}

/** Where `agon models add hf:…` puts language models. */
export function localModelsFolder(environment: Environment): string {
  return environment['AGON_LOCAL_MODELS'] || path.join(agonHome(environment), 'language-models');
}

/** Names of the language models that were added. */
export function listLocalModels(environment: Environment): string[] {
  try {
    const files = readdirSync(localModelsFolder(environment));
    return files.flatMap((file) => (file.endsWith('.gguf') ? [file.slice(0, -'.gguf'.length)] : [])).toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The file of `local:path/to/model.gguf`, or of the added model `local:name`. Read whole once, for its hash. */
export function findModelFile(name: string, environment: Environment): LocalModelFile {
  const isPath = name.endsWith('.gguf') || /[/\\]/.test(name);
  const allowed = environment['AGON_LOCAL_FILES'];
  if (isPath && allowed !== undefined && !allowed.split(path.delimiter).includes(name))
    throw new AgonError(
      'unknown-model',
      'Only language models that were added, or that the settings of the server name, can be asked for.',
      'Add it on the server (agon models add), or name its file in the settings there.',
    );
  const file = isPath ? path.resolve(name) : path.join(localModelsFolder(environment), `${name}.gguf`);
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw makeAbsentError(name, file, isPath, environment);
  assertGguf(file);
  return { path: file, bytes: found.size, digest: digestOf(file, found, environment) };
}

function makeAbsentError(name: string, file: string, isPath: boolean, environment: Environment): AgonError {
  const added = listLocalModels(environment);
  const known = added.length > 0 ? ` Added: ${added.join(', ')}.` : '';
  return new AgonError(
    'unknown-model',
    isPath ? `There is no model file ${file}.` : `No language model "${name}" was added.`,
    `Name a GGUF file (local:path/to/model.gguf), or add one: agon models add hf:owner/repository/file.gguf.${known}`,
  );
}

function assertGguf(file: string): void {
  const start = Buffer.alloc(4);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, start, 0, 4, 0);
  } finally {
    closeSync(handle);
  }
  if (start.toString('latin1') === 'GGUF') return;
  throw new AgonError(
    'broken-model',
    `${file} is not a GGUF file.`,
    'Name a language model in the format of llama.cpp; others can be converted, or served by ollama.',
  );
}

const keptSchema = z.object({ path: z.string(), bytes: z.number(), modifiedMs: z.number(), digest: z.string() });

/** Hashing gigabytes takes seconds: it is kept for as long as the file's size and time stay. */
function digestOf(file: string, { size, mtimeMs }: { size: number; mtimeMs: number }, environment: Environment) {
  const folder = path.join(agonHome(environment), 'digests');
  const entry = path.join(folder, `${sha256(Buffer.from(file)).slice('sha256:'.length, 'sha256:'.length + 32)}.json`);
  const kept = readKept(entry);
  if (kept?.path === file && kept.bytes === size && kept.modifiedMs === mtimeMs) return kept.digest;
  const digest = hashFile(file);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(entry, JSON.stringify({ path: file, bytes: size, modifiedMs: mtimeMs, digest }));
  } catch {
    // A home that cannot be written to costs the time of hashing again, and nothing else.
  }
  return digest;
}

function readKept(entry: string): z.infer<typeof keptSchema> | null {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(entry, 'utf8')));
  } catch {
    return null; // None, or half of one: the file is hashed again.
  }
}

function hashFile(file: string): string {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(8 * 1024 * 1024);
  const handle = openSync(file, 'r');
  try {
    for (let read = readSync(handle, buffer); read > 0; read = readSync(handle, buffer))
      hash.update(buffer.subarray(0, read));
  } finally {
    closeSync(handle);
  }
  return `sha256:${hash.digest('hex')}`;
}
