import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { packageFolder } from '@agonhq/engine/package-folder';

const words = z.string().trim().min(1);
const share = z.number().min(0).max(1);
const estimateSchema = z
  .strictObject({ value: share, interval: z.tuple([share, share]).optional() })
  .transform(({ value, interval }) => ({ value, interval: interval ?? null }));

const systemSchema = z.strictObject({
  /** As the bench names it: `full`, `guard`, `debate`. */
  system: words,
  f1: estimateSchema.optional(),
  accuracy: estimateSchema.optional(),
  /** Of the harmless items, the share that is called unsafe. */
  falseAlarms: estimateSchema.optional(),
});

const setSchema = z.strictObject({
  job: words,
  /** What the set is called in a bench file. */
  set: words,
  items: z.int().min(1),
  /** By folds: each item is judged by a model that saw the other folds; by source: by one that saw nothing of it. */
  heldOut: z.discriminatedUnion('by', [
    z.strictObject({ by: z.literal('folds'), folds: z.int().min(2) }),
    z.strictObject({ by: z.literal('source') }),
  ]),
  systems: z.array(systemSchema).min(1),
});

const crossfitSchema = z.strictObject({
  version: z.literal(1),
  model: words,
  /** Where the figures come from: the command that wrote them, or the document that states them. */
  source: words,
  sets: z.array(setSchema).min(1),
});

/**
 * What training measured on items that its models had not seen: models/ID/crossfit.json. The shipped weights were then
 * trained on everything, so that measuring them on these sets would say nothing.
 */
export type Crossfit = z.infer<typeof crossfitSchema>;
export type CrossfitSet = Crossfit['sets'][number];

/** @param content the text of a crossfit.json */
export function parseCrossfit(content: string, file: string): Crossfit {
  const parsed = crossfitSchema.safeParse(parseJson(content, file));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw broken(`${file}: ${issue!.path.join('.') || 'it'}: ${issue!.message}.`);
}

/** The cross-fitted figures of the models in a folder, by name of the model; by default of those that ship. */
export async function loadCrossfits(folder?: string): Promise<Crossfit[]> {
  const models = folder ?? path.join(packageFolder(import.meta.dirname), 'models');
  const found: Crossfit[] = [];
  for (const model of (await readdir(models)).toSorted()) {
    const file = path.join(models, model, 'crossfit.json');
    const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (content !== null) found.push(parseCrossfit(content, path.join('models', model, 'crossfit.json')));
  }
  return found;
}

function parseJson(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw broken(`${file} is not JSON.`, cause);
  }
}

function broken(message: string, cause?: unknown): AgonError {
  return new AgonError('broken-model', message, 'Install Agon again, or let training write the file again.', { cause });
}
