import { formatRisk, measureRisk, type LogisticCurve } from '../statistics/index.ts';

/** How risky something is said to be, beside the bar it is held against: on one scale, in the same digits. */
export interface RiskView {
  value: number;
  bar: number;
  /** `0.95`, and its bar as `0.36`. */
  text: string;
  barText: string;
  /** Whether it reaches the bar: what is drawn in the colour of a risk. */
  isAbove: boolean;
}

/** A risk and its bar for a reader. */
export function viewRisk(value: number, bar: number): RiskView {
  const { risk: text, bar: barText } = formatRisk(value, bar);
  return { value, bar, text, barText, isAbove: value >= bar };
}

/** What a seat's score says on the scale of the verdict: the calibration of the answer places it. */
export function viewScore(score: number | null, curve: LogisticCurve | null): RiskView | null {
  const { risk, bar } = measureRisk(score, curve);
  return typeof risk === 'number' ? viewRisk(risk, bar) : null;
}

/** The risk of a verdict; null when nobody was heard. */
export function viewVerdictRisk({ risk, bar }: { risk: number | null; bar: number | null }): RiskView | null {
  return risk === null || bar === null ? null : viewRisk(risk, bar);
}

/** `0.95, bar 0.36`. */
export function describeRisk(risk: RiskView | null): string {
  return risk === null ? 'none' : `${risk.text}, bar ${risk.barText}`;
}
