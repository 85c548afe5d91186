import { biasesOf, byHead, highestOf, type Pieces, type ReadToken, type WindowReading } from '../runtime/index.ts';
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

/** Puts the windows' readings together. A piece in two windows is told by the one in which it stands further from the edge. */
export function mergeWindows(pieces: Pieces, windows: readonly Window[], readings: readonly WindowReading[]): GuardReading {
  const heads = guardHeads.length;
  const tokens: ReadToken[] = [];
  const sum = new Float64Array(readings[0]!.embedding.length);
  for (const [index, { from, to }] of windows.entries()) {
    const reading = readings[index]!;
    const windowTokens = to - from + marks;
    const until = index + 1 < windows.length ? Math.ceil((windows[index + 1]!.from + to) / 2) : to;
    for (let piece = tokens.length; piece < until; piece += 1) {
      const at = (piece - from + 1) * heads;
      tokens.push({ start: pieces.starts[piece]!, end: pieces.ends[piece]!, shares: reading.shares.subarray(at, at + heads), windowTokens });
    }
    for (let dimension = 0; dimension < sum.length; dimension += 1) sum[dimension]! += reading.embedding[dimension]!;
  }
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
