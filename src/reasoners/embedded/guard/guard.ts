import { join } from 'node:path';
import { packageFolder } from '../../../package-folder.ts';
import { openModel, shareReadings, tokenizeText, type OpenModel, type ReadOptions } from '../runtime/index.ts';
import { guardHeads, type GuardReading } from './reading.ts';
import { mergeWindows, windowsOf } from './windows.ts';

/** The guard model: what it says about a text, without a network and the same each time. */
export interface GuardModel {
  id: string;
  read(text: string, options?: ReadOptions): Promise<GuardReading>;
  embed(text: string, options?: ReadOptions): Promise<Float32Array>;
}

let opened: Promise<GuardModel> | undefined;

/**
 * The guard model that Agon ships, loaded on the first call and once per process.
 *
 * @example const { logits } = await (await openGuard()).read('How do I kill a process?')
 */
export function openGuard(): Promise<GuardModel> {
  opened ??= guardFolder()
    .then(loadGuard)
    .catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
  return opened;
}

/** Where the model lies that Agon ships. */
export async function guardFolder(): Promise<string> {
  return join(await packageFolder(import.meta.dirname), 'models', 'guard-1');
}

/** A guard model from its folder, which the caller closes. */
export async function loadGuard(folder: string): Promise<GuardModel & { close(): Promise<void> }> {
  const model = await openModel({
    folder,
    tokenizerFolder: folder,
    manifest: 'guard.json',
    model: 'guard.onnx',
    heads: guardHeads,
  });
  const shared = shareReadings<GuardReading>();
  const read: GuardModel['read'] = (text, options) => shared(text, (signal) => readText(text, model, signal), options);
  return {
    id: model.manifest.id,
    read,
    embed: async (text, options) => (await read(text, options)).embedding,
    close: model.close,
  };
}

async function readText(
  text: string,
  { vocabulary, manifest, marks, readWindows }: OpenModel,
  signal: AbortSignal,
): Promise<GuardReading> {
  const pieces = await tokenizeText(text, vocabulary, signal);
  const windows = windowsOf(pieces.ids.length, manifest.maxTokens);
  const readings = await readWindows(
    windows.map(({ from, to }) => ({ ids: [marks.start, ...pieces.ids.slice(from, to), marks.separator] })),
    signal,
  );
  return mergeWindows(pieces, windows, readings);
}
