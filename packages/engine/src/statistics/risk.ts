/** Scores of exactly 0 and 1 have no finite logit. */
const edge = 1e-3;

/** The log-odds of a score, which is kept off 0 and 1. */
export function logit(score: number): number {
  const inside = Math.min(1 - edge, Math.max(edge, score));
  return Math.log(inside / (1 - inside));
}

/** A curve from scores to probabilities: logistic in the score's logit. */
export interface LogisticCurve {
  /** The slope over the score's logit. */
  a: number;
  b: number;
}

/** The probability that a score stands for. */
export function applyCalibration({ a, b }: LogisticCurve, score: number): number {
  return 1 / (1 + Math.exp(-(a * logit(score) + b)));
}

/** Where a score has its bar: from one half on it counts as unsafe. */
const scoreBar = 0.5;

/**
 * How risky a score says something is, and the bar it is held against, on one scale. A calibration moves both; without
 * one the score stands for itself.
 */
export function measureRisk(score: number | null, curve: LogisticCurve | null): { risk: number | null; bar: number } {
  const place = (value: number) => (curve === null ? value : round(applyCalibration(curve, value)));
  return { risk: score === null ? null : place(score), bar: place(scoreBar) };
}

/** Six digits: a fitted bar comes out as it was fitted, and nothing reaches it by rounding. */
function round(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}

/** A risk and its bar in as many digits as it takes to tell them apart: `0.95` and `0.36`. */
export function formatRisk(risk: number, bar: number): { risk: string; bar: string } {
  const digits = [2, 3].find((count) => risk === bar || risk.toFixed(count) !== bar.toFixed(count)) ?? 4;
  return { risk: risk.toFixed(digits), bar: bar.toFixed(digits) };
}

/**
 * The score that a risk was made of: what a calibration is fitted on, and what can be compared where bars differ, since
 * its bar is one half. Without the curve itself, one that has its bar there stands for it.
 */
export function readScore(risk: number, from: LogisticCurve | { bar: number } | null): number {
  if (from === null || ('bar' in from && from.bar === scoreBar)) return risk;
  const { a, b } = 'bar' in from ? { a: 1, b: logOdds(from.bar) } : from;
  return a === 0 ? scoreBar : 1 / (1 + Math.exp(-(logOdds(risk) - b) / a));
}

/** Of a risk as it is stated, in six digits. */
function logOdds(risk: number): number {
  const inside = Math.min(1 - 1e-6, Math.max(1e-6, risk));
  return Math.log(inside / (1 - inside));
}
