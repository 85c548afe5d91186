export {
  agreementBetween,
  agreementWithRaters,
  cohenKappa,
  krippendorffAlpha,
  majorityOf,
  passK,
  percentAgreement,
  shareOf,
  softBrier,
  unanimous,
  type AgreementBetween,
  type Ratings,
} from './agreement.ts';
export {
  binomialCdf,
  clopperPearson,
  exactUpperBound,
  holmCorrection,
  mcnemarExact,
  wilsonInterval,
} from './binomial.ts';
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
export {
  brierScore,
  calibrationFigures,
  expectedCalibrationError,
  reliabilityBins,
  sortForecasts,
  type Forecast,
  type Forecasts,
  type ReliabilityBin,
} from './calibration-error.ts';
export {
  accuracy,
  balancedAccuracy,
  classFigures,
  countMatrix,
  f1,
  macroF1,
  matrixAccuracy,
  matrixItems,
  matrixKappa,
  noConfusion,
  oneAgainstAll,
  placeInMatrix,
  precision,
  rarestClass,
  recall,
  type Confusion,
  type ConfusionMatrix,
  type MatrixPlaces,
} from './confusion-matrix.ts';
export type { Estimate, Interval } from './interval.ts';
export { commonStretches, rectangleOverlap, stretchF1 } from './overlap.ts';
export { randomNumbers, shuffle, shuffleByLot } from './random.ts';
export {
  areaUnderCurve,
  precisionRecallCurve,
  rankingFigures,
  rankItems,
  recallAtFalsePositiveRate,
  rocCurve,
  type CurvePoint,
  type Ranking,
} from './ranking.ts';
export {
  meanOf,
  quantile,
  quantiles,
  quantilesOfCounts,
  ratio,
  standardDeviation,
  tenthOf,
  upperMedian,
} from './summaries.ts';
export { applyCalibration, formatRisk, logit, measureRisk, readScore, type LogisticCurve } from './risk.ts';
