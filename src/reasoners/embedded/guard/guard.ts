import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AgonError } from '../../../errors.ts';
import { packageFolder } from '../../../package-folder.ts';
import { createBatches, type ReadWindow } from './batches.ts';
import { checkHashes, checkSizes, readManifest, readPieces } from './model-files.ts';
import type { GuardReading } from './reading.ts';
import { createRecentReadings } from './recent-readings.ts';
import { openSession } from './session.ts';
import { createVocabulary, tokenize, type Pieces, type Vocabulary } from './tokenizer.ts';
import { mergeWindows, windowsOf, type WindowReading } from './windows.ts';

export interface ReadOptions {
  signal?: AbortSignal;
}

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
  opened ??= guardFolder().then(loadGuard).catch((error: unknown) => {
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
  const manifest = await readManifest(folder);
  await checkSizes(folder, manifest);
  const opening = openSession({ modelFile: join(folder, 'guard.onnx'), threads: Math.min(2, availableParallelism()) });
  // The vocabulary is read while the model loads in its thread.
  const [session, vocabulary] = await Promise.all([opening, readPieces(folder).then(createVocabulary)]).catch(async (error: unknown) => {
    await opening.then(({ close }) => close(), () => undefined);
    if (AgonError.is(error) && error.code === 'broken-guard-model') await checkHashes(folder, manifest);
    throw error;
  });
  const readWindow = createBatches(session);
  const read = shareReadings((text, signal) => readText(text, vocabulary, manifest.maxTokens, readWindow, signal));
  return {
    id: manifest.id,
    read,
    embed: async (text, options) => (await read(text, options)).embedding,
    close: () => session.close(),
  };
}

const mostCachedTokens = 100_000;

/** Who asks for the same text gets the same reading, finished or under way; the work stops when nobody waits for it any more. */
function shareReadings(readNow: (text: string, signal: AbortSignal) => Promise<GuardReading>): GuardModel['read'] {
  const recent = createRecentReadings(mostCachedTokens);
  const underWay = new Map<string, { reading: Promise<GuardReading>; waiters: number; stop: AbortController }>();

  return async (text, { signal } = {}) => {
    signal?.throwIfAborted();
    const cached = recent.get(text);
    if (cached) return cached;
    let work = underWay.get(text);
    if (!work) {
      const stop = new AbortController();
      work = { reading: readNow(text, stop.signal), waiters: 0, stop };
      underWay.set(text, work);
      const forget = () => {
        if (underWay.get(text)?.stop === stop) underWay.delete(text);
      };
      void work.reading.then((reading) => recent.set(text, reading), () => undefined).then(forget);
    }
    const { reading, stop } = work;
    work.waiters += 1;
    try {
      return await (signal ? Promise.race([reading, rejection(signal)]) : reading);
    } finally {
      work.waiters -= 1;
      if (work.waiters === 0 && signal?.aborted) {
        stop.abort(signal.reason);
        if (underWay.get(text) === work) underWay.delete(text);
      }
    }
  };
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

/** How many windows of one text wait at a time: memory stays bounded, and short texts need not wait for a long one to end. */
const windowsAtOnce = 12;

async function readText(text: string, vocabulary: Vocabulary, maxTokens: number, readWindow: ReadWindow, signal: AbortSignal): Promise<GuardReading> {
  const pieces = await piecesOf(text, vocabulary, signal);
  const windows = windowsOf(pieces.ids.length, maxTokens);
  const [start, end] = [vocabulary.ids.get('[CLS]')!, vocabulary.ids.get('[SEP]')!];
  const readings: WindowReading[] = [];
  for (let index = 0; index < windows.length; index += windowsAtOnce) {
    const group = windows.slice(index, index + windowsAtOnce);
    readings.push(...(await Promise.all(group.map(({ from, to }) => readWindow([start, ...pieces.ids.slice(from, to), end], signal)))));
  }
  return mergeWindows(pieces, windows, readings);
}

const stretch = 32_768;

/** Tokenizes stretch by stretch, from gap to gap, so that a megabyte does not hold the event loop up. */
async function piecesOf(text: string, vocabulary: Vocabulary, signal: AbortSignal): Promise<Pieces> {
  const all: Pieces = { ids: [], starts: [], ends: [] };
  for (let from = 0, to; from < text.length; from = to) {
    if (from > 0) await nextTurn(undefined, { signal });
    const gap = /[ \t\n\r]/g;
    gap.lastIndex = from + stretch;
    to = gap.exec(text)?.index ?? text.length;
    const pieces = tokenize(text, vocabulary, from, to);
    for (const name of ['ids', 'starts', 'ends'] as const) {
      for (const value of pieces[name]) all[name].push(value);
    }
  }
  return all;
}
