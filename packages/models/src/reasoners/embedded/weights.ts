import fitted from '../../../../../models/guard-2/weights.json' with { type: 'json' };
import type { Calibration } from '@agonhq/engine/debate';
import type { Sensitivity } from '@agonhq/engine/policy/sensitivity';
import { formatRisk, measureRisk } from '@agonhq/engine/statistics';
import type { PassageWeights } from './passages.ts';

/** What else the debate goes by, fitted with the guard into models/guard-2/weights.json. */
export interface Weights extends FittedBar {
  precedents: {
    /** At what similarity a precedent counts as much as no evidence at all … */
    remote: number;
    /** … and how much nearer one must be to count e times as much. */
    spread: number;
    /** Below this a case is about something else and is not brought. */
    least: number;
    /** From this on a case that people decided otherwise is reason enough to ask the other model. */
    contests: number;
  };
  passages: PassageWeights;
  clauses: ClauseWeights;
}

/** Where fitted weights put the bar. */
export interface FittedBar {
  /** The calibrated probability from which something is unsafe. */
  threshold: number;
  /** The same by sensitivity; at `balanced` it is the threshold. */
  sensitivity?: Readonly<Record<Sensitivity, number>>;
  /** Probabilities between which the verdict is wrong too often to stand without a person. */
  band: readonly [number, number];
}

/** How clauses are told by embeddings; fitted with packages/lab/bench/policy.ts. */
export interface ClauseWeights {
  /** Below this a case resembles a clause no more than any text resembles any other. */
  leastResemblance: number;
  /** A clause in force counts as the nearest one when it is so little further away … */
  margin: number;
  /** … and e times less for each step of this beyond. */
  spread: number;
  /** How much the exonerations of a clause of the user's own count against its violations. */
  exoneration: number;
  /** How far above everyday texts the bar of such a clause stands, in their standard deviations. */
  bar: number;
  /** By how much the logit rises for each of them. */
  steepness: number;
  /** What the head that reads clause and text together adds for each step of its logit above `neutral` … */
  head: number;
  neutral: number;
  /** … where a text stands at most so far below the bar, in the same standard deviations. */
  reach: number;
  /** With fewer violations, or a smaller share of them recognised unseen, such a clause cannot be relied on. */
  fewest: number;
  leastRecognised: number;
}

/** When a first pass over a short text is enough: the calibrated logits below which it is sure. */
export interface FirstPassWeights {
  below: Readonly<Record<Sensitivity, number>>;
  /** How much higher a passage may stand that is looked at alone. */
  passages: number;
}

export const firstPassWeights: FirstPassWeights = fitted.glance;

/** Those of moderation, and of evaluation. */
export const shippedWeights = {
  ...fitted.moderation,
  precedents: fitted.precedents,
  passages: fitted.passages,
  clauses: fitted.clauses,
} as unknown as Weights;
export const exchangeWeights = fitted.evaluation as unknown as FittedBar;

/** The weights with the bar of one sensitivity. The band of doubt stays as far from the bar as it was fitted. */
export function moveBar<Fitted extends FittedBar>(
  fitted: Fitted,
  sensitivity: Sensitivity,
): Omit<Fitted, 'sensitivity'> {
  const { sensitivity: bars, ...weights } = fitted;
  const threshold = bars?.[sensitivity] ?? fitted.threshold;
  if (threshold === fitted.threshold) return weights;
  const moved = computeLogit(threshold) - computeLogit(fitted.threshold);
  const [low, high] = fitted.band;
  return { ...weights, threshold, band: [moveChance(low, moved), moveChance(high, moved)] };
}

/** How a score that has its bar at one half becomes a risk again, with the band of doubt. */
export function calibrationAt({ threshold, band }: FittedBar): Calibration {
  return { a: 1, b: computeLogit(threshold), band: [band[0], band[1]] };
}

/** A score as the verdict will state it: the risk and its bar, in as many digits as tell them apart. */
export function writeRisk(score: number, fitted: FittedBar): { risk: string; bar: string } {
  const { risk, bar } = measureRisk(score, calibrationAt(fitted));
  return formatRisk(risk ?? 0, bar);
}

function moveChance(chance: number, by: number): number {
  return Math.round(1e4 / (1 + Math.exp(-computeLogit(chance) - by))) / 1e4;
}

export function computeLogit(chance: number): number {
  return Math.log(chance / (1 - chance));
}
