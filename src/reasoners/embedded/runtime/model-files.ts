import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AgonError } from '../../../errors.ts';
import { sha256 } from '../../../hash.ts';
import { createVocabulary, type Vocabulary } from './tokenizer.ts';

const manifestSchema = z.object({
  id: z.string(),
  heads: z.array(z.string()),
  maxTokens: z.int().min(128),
  bytes: z.record(z.string(), z.int()),
  sha256: z.record(z.string(), z.string()),
});

/** guard.json, reply.json: what the folder of a model holds. */
export type Manifest = z.infer<typeof manifestSchema>;

const hint = 'Install agon again: a part of the package is missing or was changed.';

/** The manifest of a model with just these heads, in this order. */
export async function readManifest(folder: string, name: string, heads: readonly string[]): Promise<Manifest> {
  const file = join(folder, name);
  const parsed = manifestSchema.safeParse(await readJson(file));
  if (!parsed.success || parsed.data.heads.join() !== heads.join())
    throw new AgonError('broken-guard-model', `${file} does not describe a guard model this version can read.`, hint);
  return parsed.data;
}

/** Word pieces and their ids, from the folder's tokenizer.json. */
export async function readVocabulary(folder: string): Promise<Vocabulary> {
  const { model } = (await readJson(join(folder, 'tokenizer.json'))) as { model: { vocab: Record<string, number> } };
  return createVocabulary(model.vocab);
}

/** Every file is there and has its size. Costs nothing, and finds the pulls and downloads that broke off. */
export async function checkSizes(folder: string, { bytes }: Manifest): Promise<void> {
  for (const [name, expected] of Object.entries(bytes)) {
    const file = join(folder, name);
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      throw missing(file, error);
    });
    if (found.size !== expected)
      throw new AgonError('broken-guard-model', `${file} has ${found.size} bytes instead of ${expected}.`, hint);
  }
}

/** Every file has the hash it was sealed with. Reads all of the model: for when loading failed, and for tests. */
export async function checkHashes(folder: string, manifest: Manifest): Promise<void> {
  for (const [name, expected] of Object.entries(manifest.sha256)) {
    const file = join(folder, name);
    if (sha256(await readFile(file)) !== expected)
      throw new AgonError('broken-guard-model', `${file} is not the file that was shipped: its hash differs.`, hint);
  }
}

async function readJson(file: string): Promise<unknown> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw missing(file, error);
  });
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw new AgonError('broken-guard-model', `${file} is not JSON.`, hint, { cause });
  }
}

function missing(file: string, cause: NodeJS.ErrnoException): AgonError {
  const message =
    cause.code === 'ENOENT'
      ? `The guard model is incomplete: ${file} is missing.`
      : `The guard model cannot be read: ${cause.message}`;
  return new AgonError('missing-guard-model', message, hint, { cause });
}
