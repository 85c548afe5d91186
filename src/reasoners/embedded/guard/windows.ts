import { biasesOf, byHead, emptyTokens, highestOf, type Pieces, type WindowReading } from '../runtime/index.ts';
import { guardHeads, type GuardReading } from './reading.ts';

/** A stretch of a text's pieces that the model reads at once. */
export interface Window {
  from: number;
  to: number;
}

const marks = 2; // [CLS] and [SEP]
const overlap = 64;

/** Windows of `maxTokens`, each sharing 64 pieces or more with the next; the last one is as long as the others. */
export function windowsOf(pieces: number, maxTokens: number): Window[] {
  const size = maxTokens - marks;
  if (pieces <= size) return [{ from: 0, to: pieces }];
  const count = Math.ceil((pieces - overlap) / (size - overlap));
  return Array.from({ length: count }, (_, index) => {
    const from = Math.min(index * (size - overlap), pieces - size);
    return { from, to: from + size };
  });
}

/** Puts windows together: a piece in two is told by the one in which it stands further from the edge. */
export function mergeWindows(
  pieces: Pieces,
  windows: readonly Window[],
  readings: readonly WindowReading[],
): GuardReading {
  const heads = guardHeads.length;
  const tokens = emptyTokens(pieces.ids.length, heads);
  let piece = 0;
  const sum = new Float64Array(readings[0]!.embedding.length);
  for (const [index, { from, to }] of windows.entries()) {
    const reading = readings[index]!;
    const windowTokens = to - from + marks;
    const until = index + 1 < windows.length ? Math.ceil((windows[index + 1]!.from + to) / 2) : to;
    tokens.windowTokens.fill(windowTokens, piece, until);
    tokens.shares.set(reading.shares.subarray((piece - from + 1) * heads, (until - from + 1) * heads), piece * heads);
    piece = until;
    for (let dimension = 0; dimension < sum.length; dimension += 1) sum[dimension]! += reading.embedding[dimension]!;
  }
  tokens.starts.set(pieces.starts);
  tokens.ends.set(pieces.ends);
  const length = Math.hypot(...sum) || 1;
  const byWindow = readings.map(({ logits }) => byHead(guardHeads, (head) => logits[head]!));
  return {
    heads: guardHeads,
    logits: highestOf(guardHeads, byWindow),
    byWindow,
    embedding: Float32Array.from(sum, (value) => value / length),
    tokens,
    biases: biasesOf(guardHeads, readings[0]!),
  };
}
