import type { Reading } from '../runtime/index.ts';

/** What the guard scores, in the order of its outputs. */
export const guardHeads = ['content', 'request', 'post', 'reply', 'image', 'pair'] as const;
export type GuardHead = (typeof guardHeads)[number];

export interface GuardReading extends Reading<GuardHead> {
  /** Of length one. */
  embedding: Float32Array;
}
