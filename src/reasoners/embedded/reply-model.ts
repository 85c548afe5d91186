import { join } from 'node:path';
import { packageFolder } from '../../package-folder.ts';
import { guardFolder } from './guard.ts';
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

/** What the reply model scores, in the order of its outputs: an unsafe response in its context, and a refusal. */
export const replyHeads = ['reply', 'refusal'] as const;
type ReplyHead = (typeof replyHeads)[number];

/** What one pass says about a response: its tokens are those of the response alone. */
export type ReplyReading = Reading<ReplyHead>;

/** The reply model: what it says about a response in the light of its prompt. */
export interface ReplyModel {
  id: string;
  read(prompt: string, response: string, options?: ReadOptions): Promise<ReplyReading>;
}

/**
 * The reply model that Agon ships, loaded on the first call and once per process.
 *
 * @example const { logits } = await (await openReplyModel()).read('How do I pick a lock?', 'I cannot help with that.')
 */
export const openReplyModel = openOnce(async (): Promise<ReplyModel> => loadReplyModel(await replyFolder()));

async function replyFolder(): Promise<string> {
  return join(await packageFolder(import.meta.dirname), 'models', 'reply-1');
}

/** A reply model from its folder, which the caller closes. It shares the guard's vocabulary. */
export async function loadReplyModel(folder: string): Promise<ReplyModel & { close(): Promise<void> }> {
  const model = await openModel({
    folder,
    tokenizerFolder: await guardFolder(),
    manifest: 'reply.json',
    model: 'reply.onnx',
    heads: replyHeads,
  });
  const shared = shareReadings<ReplyReading>();
  return {
    id: model.manifest.id,
    read: (prompt, response, options) =>
      shared(JSON.stringify([prompt, response]), (signal) => readReply(prompt, response, model, signal), options),
    close: model.close,
  };
}

async function readReply(
  prompt: string,
  response: string,
  { vocabulary, manifest, marks, readWindows }: OpenModel,
  signal: AbortSignal,
): Promise<ReplyReading> {
  const [asked, said] = await Promise.all([
    tokenizeText(prompt, vocabulary, signal),
    tokenizeText(response, vocabulary, signal),
  ]);
  const windows = exchangeWindows(asked.ids, said.ids, manifest.maxTokens, marks);
  return mergeExchangeWindows(said, windows, await readWindows(windows, signal));
}

/** As the model was trained: of a long prompt it sees the beginning and the end. */
const longestPrompt = 160;
const promptBeginning = 100;
const marks = 3; // [CLS] prompt [SEP] response [SEP]
const overlap = 32;

/** A stretch of the response with the prompt before it. */
interface ExchangeWindow {
  ids: number[];
  responseFrom: number;
  /** Which pieces of the response it holds. */
  from: number;
  to: number;
}

/** Windows of at most `maxTokens`, each with the prompt and a part of the response; the parts overlap a little. */
export function exchangeWindows(
  prompt: readonly number[],
  response: readonly number[],
  maxTokens: number,
  { start, separator }: { start: number; separator: number },
): ExchangeWindow[] {
  const seen =
    prompt.length > longestPrompt
      ? [...prompt.slice(0, promptBeginning), ...prompt.slice(promptBeginning - longestPrompt)]
      : prompt;
  const before = [start, ...seen, separator];
  const room = maxTokens - marks - seen.length;
  const windows: ExchangeWindow[] = [];
  for (let from = 0; from === 0 || from + overlap < response.length; from += room - overlap) {
    const to = Math.min(from + room, response.length);
    windows.push({ ids: [...before, ...response.slice(from, to), separator], responseFrom: before.length, from, to });
  }
  return windows;
}

/** Puts the windows' readings together; a piece in two windows is told by the first. */
export function mergeExchangeWindows(
  pieces: Pieces,
  windows: readonly ExchangeWindow[],
  readings: readonly WindowReading[],
): ReplyReading {
  // The model pools over the response and the mark that ends it.
  const told = windows.map(({ from, to, responseFrom }) => ({
    until: to,
    offset: responseFrom - from,
    pooled: to - from + 1,
  }));
  return assembleReading(replyHeads, pieces, readings, told);
}
