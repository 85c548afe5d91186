import { assembleReading, type Pieces, type WindowReading } from '../runtime/index.ts';
import { guardHeads, type GuardReading } from './heads.ts';
import { meanDirection } from './text-windows.ts';

/** As the models were trained: of a long prompt they see the beginning and the end. */
const longestPrompt = 100;
const promptBeginning = 60;
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
): GuardReading {
  // The model pools over the response and the mark that ends it.
  const told = windows.map(({ from, to, responseFrom }) => ({
    until: to,
    offset: responseFrom - from,
    pooled: to - from + 1,
  }));
  return { ...assembleReading(guardHeads, pieces, readings, told), embedding: meanDirection(readings) };
}
