import { biasesOf, byHead, emptyTokens, highestOf, type Pieces, type WindowReading } from '../runtime/index.ts';
import { replyHeads, type ReplyReading } from './reading.ts';

/** As the model was trained: of a long prompt it sees the beginning and the end. */
const longestPrompt = 160;
const promptBeginning = 100;
const marks = 3; // [CLS] prompt [SEP] response [SEP]
const overlap = 32;

/** A stretch of the response with the prompt before it. */
export interface ExchangeWindow {
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
  const heads = replyHeads.length;
  const tokens = emptyTokens(pieces.ids.length, heads);
  let piece = 0;
  for (const [index, { from, to, responseFrom }] of windows.entries()) {
    const { shares } = readings[index]!;
    // The model pools over the response and the mark that ends it.
    const windowTokens = to - from + 1;
    tokens.windowTokens.fill(windowTokens, piece, to);
    tokens.shares.set(
      shares.subarray((responseFrom + piece - from) * heads, (responseFrom + to - from) * heads),
      piece * heads,
    );
    piece = to;
  }
  tokens.starts.set(pieces.starts);
  tokens.ends.set(pieces.ends);
  const byWindow = readings.map(({ logits }) => byHead(replyHeads, (head) => logits[head]!));
  return {
    heads: replyHeads,
    logits: highestOf(replyHeads, byWindow),
    byWindow,
    tokens,
    biases: biasesOf(replyHeads, readings[0]!),
  };
}
