export * from './agreement.ts';
export * from './binomial.ts';
export {
  bootstrapInterval,
  bootstrapStatistics,
  drawResamples,
  estimateFrom,
  pairedDifference,
  type Bootstrapped,
  type Resamples,
  type ResampleWeights,
} from './bootstrap.ts';
export * from './calibration-error.ts';
export * from './confusion-matrix.ts';
export type { Estimate, Interval } from './binomial.ts';
export { commonStretches, rectangleOverlap, stretchF1 } from './overlap.ts';
export { randomNumbers, shuffle, shuffleByLot } from './random.ts';
export * from './ranking.ts';
export * from './summaries.ts';
export { applyCalibration, formatRisk, logit, measureRisk, readScore, type LogisticCurve } from './risk.ts';
