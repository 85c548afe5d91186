import type { EncoderReading } from '../runtime/index.ts';

/**
 * What a model scores, in the order of its outputs: harmful content, the same with what hides and without it, what an
 * image shows, a text with it, an unsafe answer, a refusal, and whether a text breaks the clause that stands before it.
 */
export const guardHeads = ['content', 'strict', 'loose', 'image', 'pair', 'reply', 'refusal', 'clause'] as const;
export type GuardHead = (typeof guardHeads)[number];

export interface GuardReading extends EncoderReading<GuardHead> {
  /** Of length one. */
  embedding: Float32Array;
}
