import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AgonError } from '../../../errors.ts';
import { createBatches, type ReadWindow, type TokenWindow, type WindowReading } from './batches.ts';
import { checkHashes, checkSizes, readManifest, readVocabulary, type Manifest } from './model-files.ts';
import { openSession } from './session.ts';
import type { Vocabulary } from './tokenizer.ts';

export interface ModelFiles {
  folder: string;
  /** Where tokenizer.json lies. */
  tokenizerFolder: string;
  manifest: string;
  model: string;
  heads: readonly string[];
}

/** A model in its thread, with its vocabulary and its marks. */
export interface OpenModel {
  manifest: Manifest;
  vocabulary: Vocabulary;
  marks: { start: number; separator: number };
  /** Reads the windows of one text, a few at a time. */
  readWindows(windows: readonly TokenWindow[], signal: AbortSignal): Promise<WindowReading[]>;
  close(): Promise<void>;
}

/** Loads a model from its folder, which the caller closes. */
export async function openModel({
  folder,
  tokenizerFolder,
  manifest: name,
  model,
  heads,
}: ModelFiles): Promise<OpenModel> {
  const manifest = await readManifest(folder, name, heads);
  await checkSizes(folder, manifest);
  const opening = openSession({ modelFile: join(folder, model), threads: Math.min(2, availableParallelism()) });
  // The vocabulary is read while the model loads in its thread.
  const [session, vocabulary] = await Promise.all([opening, readVocabulary(tokenizerFolder)]).catch(
    async (error: unknown) => {
      await opening.then(
        ({ close }) => close(),
        () => undefined,
      );
      if (AgonError.is(error) && error.code === 'broken-guard-model') await checkHashes(folder, manifest);
      throw error;
    },
  );
  const readWindow = createBatches(session, heads.length);
  return {
    manifest,
    vocabulary,
    marks: { start: vocabulary.ids.get('[CLS]')!, separator: vocabulary.ids.get('[SEP]')! },
    readWindows: (windows, signal) => inGroups(windows, readWindow, signal),
    close: () => session.close(),
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
