import guardManifest from '../../../models/guard-1/guard.json' with { type: 'json' };
import { join } from 'node:path';
import { packageFolder } from '../../package-folder.ts';
import {
  assembleReading,
  openModel,
  openOnce,
  shareReadings,
  tokenizeText,
  type OpenModel,
  type Pieces,
  type Reading,
  type ReadOptions,
  type WindowReading,
} from './runtime/index.ts';

/** What the guard scores, in the order of its outputs. */
export const guardHeads = ['content', 'request', 'post', 'reply', 'image', 'pair'] as const;
export type GuardHead = (typeof guardHeads)[number];

export interface GuardReading extends Reading<GuardHead> {
  /** Of length one. */
  embedding: Float32Array;
}

/** The guard model: what it says about a text, without a network and the same each time. */
export interface GuardModel {
  id: string;
  read(text: string, options?: ReadOptions): Promise<GuardReading>;
  embed(text: string, options?: ReadOptions): Promise<Float32Array>;
}

/**
 * The guard model that Agon ships, loaded on the first call and once per process.
 *
 * @example const { logits } = await (await openGuard()).read('How do I kill a process?')
 */
export const openGuard = openOnce(async (): Promise<GuardModel> => loadGuard(await guardFolder()));

/** A guard model and the languages it judges: one for each group of languages. */
export interface RegisteredGuard {
  id: string;
  /** By ISO 639-1 code, as its manifest has them. */
  languages: Readonly<Record<string, unknown>>;
  open(): Promise<GuardModel>;
}

/** The guards that Agon ships, the one for English first. */
export const registeredGuards: readonly RegisteredGuard[] = [
  { id: guardManifest.id, languages: guardManifest.languages, open: () => openGuard() },
];

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
  const windows = splitWindows(pieces.ids.length, manifest.maxTokens);
  const readings = await readWindows(
    windows.map(({ from, to }) => ({ ids: [marks.start, ...pieces.ids.slice(from, to), marks.separator] })),
    signal,
  );
  return mergeWindows(pieces, windows, readings);
}

/** A stretch of a text's pieces that the model reads at once. */
interface Window {
  from: number;
  to: number;
}

const marks = 2; // [CLS] and [SEP]
const overlap = 32;

/** Windows of at most `maxTokens`, all of one length, each sharing 32 pieces or a few more with the next. */
export function splitWindows(pieces: number, maxTokens: number): Window[] {
  const size = maxTokens - marks;
  if (pieces <= size) return [{ from: 0, to: pieces }];
  const count = Math.ceil((pieces - overlap) / (size - overlap));
  const length = Math.ceil((pieces + (count - 1) * overlap) / count);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * (pieces - length)) / (count - 1));
    return { from, to: from + length };
  });
}

/** Puts windows together: a piece in two is told by the one in which it stands further from the edge. */
export function mergeWindows(
  pieces: Pieces,
  windows: readonly Window[],
  readings: readonly WindowReading[],
): GuardReading {
  const told = windows.map(({ from, to }, index) => ({
    until: index + 1 < windows.length ? Math.ceil((windows[index + 1]!.from + to) / 2) : to,
    offset: 1 - from,
    pooled: to - from + marks,
  }));
  const sum = new Float64Array(readings[0]!.embedding.length);
  for (const { embedding } of readings) embedding.forEach((value, dimension) => (sum[dimension]! += value));
  const length = Math.hypot(...sum) || 1;
  return {
    ...assembleReading(guardHeads, pieces, readings, told),
    embedding: Float32Array.from(sum, (value) => value / length),
  };
}
