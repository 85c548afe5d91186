import fitted from '../../../models/guard-1/weights.json' with { type: 'json' };
import type { ExonerationKind } from './exoneration.ts';
import type { GuardHead } from './guard.ts';

/** What the debate makes of the guard's scores, fitted by training/fit.py into models/guard-1/weights.json. */
export interface Weights {
  /** By modality: how a head's logit becomes a calibrated one. */
  scale: Record<'text' | 'image' | 'text+image', { slope: number; intercept: number }>;
  /** What each benign context takes off the logit; it never adds. */
  exoneration: Partial<Record<ExonerationKind, number>>;
  /**
   * What precedents add or take off: by modality a weight on what they say, at what similarity one counts as much as
   * no evidence at all, and how much nearer one must be to count e times as much.
   */
  precedents: { weight: Record<'text' | 'image' | 'text+image', number>; remote: number; spread: number };
  /** The calibrated probability from which content is unsafe. */
  threshold: number;
  /** Probabilities between which the verdict is wrong too often to stand without a person. */
  band: readonly [number, number];
}

/** The weights that ship with the model. */
export const shippedWeights = fitted as unknown as Weights;

/** A head's logit as the calibrated logit of its modality. */
export function calibratedLogit({ scale }: Weights, head: GuardHead, logit: number): number {
  const { slope, intercept } = scale[head === 'pair' ? 'text+image' : head === 'image' ? 'image' : 'text'];
  return slope * logit + intercept;
}
