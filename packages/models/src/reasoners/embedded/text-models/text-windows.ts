import type { Pieces } from '../runtime/index.ts';
import { assembleReading, type WindowReading } from '../runtime/index.ts';
import { guardHeads, type GuardReading } from './heads.ts';

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
  return { ...assembleReading(guardHeads, pieces, readings, told), embedding: meanDirection(readings) };
}

/** What several windows are about together: of length one. */
export function meanDirection(readings: readonly WindowReading[]): Float32Array {
  const sum = new Float64Array(readings[0]!.embedding.length);
  for (const { embedding } of readings) embedding.forEach((value, dimension) => (sum[dimension]! += value));
  const length = Math.hypot(...sum) || 1;
  return Float32Array.from(sum, (value) => value / length);
}
