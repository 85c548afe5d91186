import type { WindowReading } from './batches.ts';
import type { Pieces } from './tokenizer.ts';

/** The word pieces of a text in columns, since readings are kept by the thousand; places in UTF-16 code units. */
export interface ReadTokens {
  length: number;
  starts: Uint32Array;
  ends: Uint32Array;
  /** Piece after piece, and of each by head, in the order of the reading's heads. */
  shares: Float32Array;
  /** How many tokens a window pools over: share × windowTokens is what it would score, less the bias. */
  windowTokens: Uint16Array;
}

/** Room for so many pieces, in one piece of memory. */
function emptyTokens(length: number, heads: number): ReadTokens {
  const [starts, ends, windows] = [4 * heads * length, 4 * (heads + 1) * length, 4 * (heads + 2) * length];
  const room = new ArrayBuffer(windows + 2 * length);
  return {
    length,
    shares: new Float32Array(room, 0, heads * length),
    starts: new Uint32Array(room, starts, length),
    ends: new Uint32Array(room, ends, length),
    windowTokens: new Uint16Array(room, windows, length),
  };
}

/** What one pass of a model says about a text. */
export interface EncoderReading<Head extends string> {
  heads: readonly Head[];
  /** The highest of its windows, head by head. */
  logits: Record<Head, number>;
  /** Window by window, in the order of the text. */
  byWindow: readonly Record<Head, number>[];
  tokens: ReadTokens;
  /** A window's logit is the sum of its tokens' shares and this. */
  biases: Record<Head, number>;
}

/**
 * The windows of a text as one reading. Of each: up to which piece it tells them, how far their shares stand from
 * there in its own, and over how many tokens the model pools.
 */
export function assembleReading<Head extends string>(
  heads: readonly Head[],
  pieces: Pieces,
  readings: readonly WindowReading[],
  windows: readonly { until: number; offset: number; pooled: number }[],
): EncoderReading<Head> {
  const tokens = emptyTokens(pieces.ids.length, heads.length);
  let piece = 0;
  for (const [index, { until, offset, pooled }] of windows.entries()) {
    const shares = readings[index]!.shares.subarray((piece + offset) * heads.length, (until + offset) * heads.length);
    tokens.windowTokens.fill(pooled, piece, until);
    tokens.shares.set(shares, piece * heads.length);
    piece = until;
  }
  tokens.starts.set(pieces.starts);
  tokens.ends.set(pieces.ends);
  const byHead = (value: (index: number) => number) =>
    Object.fromEntries(heads.map((head, index) => [head, value(index)])) as Record<Head, number>;
  const byWindow = readings.map(({ logits }) => byHead((head) => logits[head]!));
  return {
    heads,
    logits: byHead((index) => Math.max(...byWindow.map((logits) => logits[heads[index]!]))),
    byWindow,
    tokens,
    biases: byHead((head) => {
      const { logits, shares } = readings[0]!;
      let bias = logits[head]!;
      for (let at = head; at < shares.length; at += heads.length) bias -= shares[at]!;
      return bias;
    }),
  };
}
