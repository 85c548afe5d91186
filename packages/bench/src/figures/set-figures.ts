import type { Usage } from '@agonhq/engine/debate';
import type { CurvePoint, Estimate, ReliabilityBin } from '@agonhq/engine/statistics';

/** Every figure of one score result, in the order of its systems. What cannot be measured is null. */
export interface SetFigures {
  systems: readonly SystemFigureSet[];
  /** Every pair of systems that was compared: all with the first, corrected together. */
  comparisons: readonly Comparison[];
  receipts: readonly DebateGains[];
  /** How people agreed among themselves, where the data has several raters. */
  raters: RaterAgreement | null;
}

export interface Scores {
  items: number;
  accuracy: Estimate;
  balancedAccuracy: Estimate;
  macroF1: Estimate;
  /** Of the positive class. */
  precision: Estimate;
  recall: Estimate;
  f1: Estimate;
  auc: Estimate;
  averagePrecision: Estimate;
  recallAt1PercentFpr: Estimate;
  ece: Estimate;
  brier: Estimate;
}

export interface ClassScores {
  label: string;
  items: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
}

export interface GroupScores {
  group: string;
  items: number;
  positives: number;
  accuracy: Estimate;
  f1: Estimate;
  undecided: number;
  failed: number;
}

export interface SystemFigureSet {
  name: string;
  /** By the sheet's rule for items that nobody decided. */
  scores: Scores;
  /** The same by the other rule. `leftOut` counts what the paper's rule leaves out. */
  otherRule: { rule: 'error' | 'exclude'; leftOut: number; scores: Scores };
  /** Without trivial items; null where none is marked. */
  withoutTrivial: Scores | null;
  byClass: readonly ClassScores[];
  /** By right label, then by what was said (`undecided` and `failed` among it): how many, the mean over repeats. */
  confusion: Readonly<Record<string, Readonly<Record<string, number>>>>;
  byCategory: readonly GroupScores[];
  byModality: readonly GroupScores[];
  /** Agreement with the right label beyond chance. */
  kappa: Estimate;
  reliability: readonly ReliabilityBin[] | null;
  roc: readonly CurvePoint[] | null;
  precisionRecall: readonly CurvePoint[] | null;
  /** Null with one repeat. */
  consistency: {
    repeats: number;
    sameLabel: number;
    passK: readonly (number | null)[];
    alpha: number | null;
    spread: { accuracy: number | null; f1: number | null };
  } | null;
  /**
   * Accuracy where the raters agreed and where they were split; and against the share of raters (soft label). Null
   * without raters.
   */
  humanSplit: {
    unanimous: GroupScores;
    split: GroupScores;
    agreementWithRaters: number | null;
    softBrier: number | null;
  } | null;
  cost: CostFigures;
  unsettled: { undecided: readonly FigurePlace[]; failed: readonly (FigurePlace & { problem: string | null })[] };
}

export interface FigurePlace {
  line: number;
  id: string | null;
}

export interface Comparison {
  first: string;
  second: string;
  metric: 'accuracy' | 'f1' | 'balancedAccuracy';
  /** First minus second, on the same resamples. */
  difference: Estimate;
  /** Items that only the first, only the second judged rightly. */
  onlyFirst: number;
  onlySecond: number;
  /** McNemar's exact test. */
  mcnemar: number | null;
  /** Two-sided, of the paired bootstrap. */
  bootstrap: number | null;
  /** McNemar's after Holm's correction over all comparisons of the result. */
  corrected: number | null;
}

/** What a debate added over its own opening vote and over the same tokens spent on independent votes. */
export interface DebateGains {
  debate: string;
  overOpening: Gain | null;
  overControl: (Gain & { control: string }) | null;
  /** Why there is no control, in words. */
  withoutControl: string | null;
}

export interface Gain {
  /** Items that were compared. */
  items: number;
  /** Items that were not: without an opening vote, or left out by the sheet's rule in the first repeat. */
  leftOut: number;
  /** Whether `extraTokens` and `extraUsd` are estimated from the share of the turns. */
  estimated: boolean;
  metric: 'accuracy' | 'f1' | 'balancedAccuracy';
  /** In points of one (0.02 are two points of a hundred). */
  gain: Estimate;
  accuracy: Estimate;
  /**
   * By item, what the debate spent more than what it is held against; null where it is not known (dollars without a
   * price).
   */
  extraTokens: number | null;
  extraUsd: number | null;
  /** Items whose answer the debate changed: from wrong to right, from right to wrong, from wrong to another wrong. */
  better: readonly FigureChange[];
  worse: readonly FigureChange[];
  otherwise: readonly FigureChange[];
}

export interface FigureChange extends FigurePlace {
  gold: string;
  from: string;
  to: string;
}

export interface CostFigures {
  judged: number;
  calls: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  costUsd: number | null;
  perItem: { calls: number | null; tokens: number | null; costUsd: number | null };
  latencyMs: { mean: number | null; p50: number | null; p95: number | null; p99: number | null };
  /** The paper's section 4.2.5: which model took which share of the calls and of the tokens. */
  byModel: readonly {
    model: string;
    calls: number;
    callShare: number;
    tokens: number;
    tokenShare: number | null;
    costUsd: number | null;
    usage: Usage;
  }[];
  itemsPerSecond: number | null;
}

/** How several people agreed. */
export interface RaterAgreement {
  items: number;
  raters: number;
  percent: number | null;
  /** With two raters. */
  cohen: number | null;
  krippendorff: number | null;
}
