import { join } from 'node:path';
import { packageFolder } from '../../../package-folder.ts';
import { guardFolder } from '../guard/index.ts';
import { openModel, shareReadings, tokenizeText, type OpenModel, type ReadOptions } from '../runtime/index.ts';
import { exchangeWindows, mergeExchangeWindows } from './exchange-windows.ts';
import { replyHeads, type ReplyReading } from './reading.ts';

/** The reply model: what it says about a response in the light of its prompt. */
export interface ReplyModel {
  id: string;
  read(prompt: string, response: string, options?: ReadOptions): Promise<ReplyReading>;
}

let opened: Promise<ReplyModel> | undefined;

/**
 * The reply model that Agon ships, loaded on the first call and once per process.
 *
 * @example const { logits } = await (await openReplyModel()).read('How do I pick a lock?', 'I cannot help with that.')
 */
export function openReplyModel(): Promise<ReplyModel> {
  opened ??= replyFolder()
    .then(loadReplyModel)
    .catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
  return opened;
}

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
