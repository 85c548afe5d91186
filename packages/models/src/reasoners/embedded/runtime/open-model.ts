import { join } from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import { createBatches, type ReadWindow, type TokenWindow, type WindowReading } from './batches.ts';
import { openWidening, type WideningSession } from './session.ts';
import { readTokenizer, type Vocabulary } from './tokenizer.ts';
import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';

export interface ModelFiles {
  /** Where the manifest, the model and tokenizer.json lie. */
  folder: string;
  manifest: string;
  model: string;
  heads: readonly string[];
  /** Whether many texts come from the start; see `allowLanes`. */
  forMany?: boolean;
}

/** A model in its thread, with its vocabulary and its marks. */
export interface OpenModel {
  manifest: Manifest;
  vocabulary: Vocabulary;
  marks: { start: number; separator: number };
  /** Reads the windows of one text, a few at a time. */
  readWindows(windows: readonly TokenWindow[], signal: AbortSignal): Promise<WindowReading[]>;
  /** Where many texts come, more of them may be read in a while, and each later. */
  allowLanes(): void;
  close(): Promise<void>;
}

/** A network in its thread, with what its inputs are made of. */
export interface OpenNetwork extends Pick<OpenModel, 'manifest' | 'vocabulary' | 'marks'> {
  session: WideningSession;
}

/** Loads a guard's model from its folder, which the caller closes. */
export async function openModel(files: ModelFiles): Promise<OpenModel> {
  const { session, ...network } = await openEncoder(files);
  const readWindow = createBatches(session, files.heads.length, () => session.lanes());
  return {
    ...network,
    readWindows: (windows, signal) => inGroups(windows, readWindow, signal),
    allowLanes: () => session.allowLanes(),
    close: () => session.close(),
  };
}

/** Loads a network and its vocabulary from a folder. */
export async function openEncoder({
  folder,
  manifest: name,
  model,
  heads,
  forMany = false,
}: ModelFiles): Promise<OpenNetwork> {
  const manifest = await readManifest(folder, name, heads);
  await checkSizes(folder, manifest);
  const opening = openWidening({ modelFile: join(folder, model), forMany });
  // What is read is checked, and the vocabulary made, while the model loads in its thread.
  const checking = checkHashes(folder, manifest, [model, 'tokenizer.json']);
  const [session, vocabulary] = await Promise.all([opening, readVocabulary(folder), checking]).catch(
    async (error: unknown) => {
      await opening.then(
        ({ close }) => close(),
        () => undefined,
      );
      // That a file is another one explains why it does not load.
      await checking;
      throw error;
    },
  );
  return {
    manifest,
    vocabulary,
    marks: { start: vocabulary.ids.get('[CLS]')!, separator: vocabulary.ids.get('[SEP]')! },
    session,
  };
}

/** Opens a model on the first call, once per process; after a failure the next call tries again. */
export function openOnce<Model>(open: () => Promise<Model>): () => Promise<Model> {
  let opened: Promise<Model> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

/** How many windows of one text wait at a time: bounded memory, and short texts do not wait for a long one. */
const windowsAtOnce = 12;

async function inGroups(
  windows: readonly TokenWindow[],
  readWindow: ReadWindow,
  signal: AbortSignal,
): Promise<WindowReading[]> {
  const readings: WindowReading[] = [];
  for (let index = 0; index < windows.length; index += windowsAtOnce) {
    readings.push(
      ...(await Promise.all(windows.slice(index, index + windowsAtOnce).map((window) => readWindow(window, signal)))),
    );
  }
  return readings;
}

const sensitivities = ['low', 'balanced', 'high'] as const;

const manifestSchema = z.object({
  id: z.string(),
  heads: z.array(z.string()),
  maxTokens: z.int().min(128),
  /**
   * The languages that it judges, by ISO 639-1 code, each with the most sensitive level at which it was measured to be
   * good enough.
   */
  languages: z.record(z.string().regex(/^[a-z]{2,3}$/), z.enum(sensitivities)).default({ en: 'balanced' }),
  bytes: z.record(z.string(), z.int()),
  sha256: z.record(z.string(), z.string()),
});

/** guard.json: what the folder of a guard holds. */
type Manifest = z.infer<typeof manifestSchema>;

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
async function readVocabulary(folder: string): Promise<Vocabulary> {
  const file = join(folder, 'tokenizer.json');
  return readTokenizer(await readJson(file), file);
}

/** Every file is there and has its size. Costs nothing, and finds the pulls and downloads that broke off. */
async function checkSizes(folder: string, { bytes }: Manifest): Promise<void> {
  for (const [name, expected] of Object.entries(bytes)) {
    const file = join(folder, name);
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      throw missing(file, error);
    });
    if (found.size !== expected)
      throw new AgonError('broken-guard-model', `${file} has ${found.size} bytes instead of ${expected}.`, hint);
  }
}

/** These files have the hashes that they were shipped with. Other threads compute them: nobody waits for it. */
export async function checkHashes(folder: string, { sha256 }: Manifest, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const file = join(folder, name);
    const digest = await crypto.subtle.digest('SHA-256', await readFile(file));
    if (`sha256:${Buffer.from(digest).toString('hex')}` !== sha256[name])
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
