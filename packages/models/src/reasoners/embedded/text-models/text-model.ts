import { openModel, shareReadings, tokenizeText, type OpenModel, type SharedReadOptions } from '../runtime/index.ts';
import { exchangeWindows, mergeExchangeWindows } from './exchange-windows.ts';
import { guardHeads, type GuardReading } from './heads.ts';
import { mergeWindows, splitWindows } from './text-windows.ts';

/** A trained model as one who reads: the same each time, without a network. */
export interface TextModel {
  read(text: string, options?: SharedReadOptions): Promise<GuardReading>;
  /** A response in the light of its prompt, or a text in that of a clause: only the second is quoted and scored. */
  readExchange(prompt: string, response: string, options?: SharedReadOptions): Promise<GuardReading>;
}

/** A model that was loaded from its file, which the caller closes. */
export interface OpenTextModel extends TextModel {
  id: string;
  /** Many texts may come, and none is waited for by itself. */
  allowLanes(): void;
  close(): Promise<void>;
}

/** Of an exchange more is read at once than of a text: as much as was trained. */
const exchangeTokens = 448;

/** Loads one of the models of a folder. */
export async function loadTextModel(folder: string, file: string): Promise<OpenTextModel> {
  const model = await openModel({ folder, manifest: 'guard.json', model: file, heads: guardHeads });
  const shared = shareReadings<GuardReading>();
  return {
    id: model.manifest.id,
    read: (text, options) => shared(text, (signal) => readText(text, model, signal), options),
    readExchange: (prompt, response, options) =>
      shared(
        `exchange ${JSON.stringify([prompt, response])}`,
        (signal) => readExchange(prompt, response, model, signal),
        options,
      ),
    allowLanes: model.allowLanes,
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

async function readExchange(
  prompt: string,
  response: string,
  { vocabulary, marks, readWindows }: OpenModel,
  signal: AbortSignal,
): Promise<GuardReading> {
  const [asked, said] = await Promise.all([
    tokenizeText(prompt, vocabulary, signal),
    tokenizeText(response, vocabulary, signal),
  ]);
  const windows = exchangeWindows(asked.ids, said.ids, exchangeTokens, marks);
  return mergeExchangeWindows(said, windows, await readWindows(windows, signal));
}
