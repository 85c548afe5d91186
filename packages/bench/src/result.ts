import type { Usage } from '@agonhq/engine/debate';

/**
 * What came of several systems over one set of data, whatever the job: all that tables, charts and reports are made
 * of.
 */
export interface BenchResult {
  /** The job's id. */
  job: string;
  data: ResultData;
  /**
   * The labels that an item can have, in the order of tables: `safe`, `unsafe`; or `entailed`, `refuted`, `neutral`.
   */
  classes: readonly string[];
  /** The class that precision, recall, F1, AUC and scores are about; null where no class is (claims). */
  positive: string | null;
  parameters: BenchParameters;
  /** In the order of the data, broken lines included. */
  items: readonly ResultItem[];
  /** The first is what the others are compared with. */
  systems: readonly SystemResult[];
  /** What a reader must know: systems that do not apply, fitted parts left out. */
  notes: readonly string[];
}

export interface ResultData {
  /** What people call it: `AIR-Bench text`; the file's name where nobody said. */
  title: string;
  file: string;
  sha256: string;
  /** Which adapter read it. */
  format: string;
  /** Figures that others published on it. */
  published: readonly PublishedFigure[];
}

export interface BenchParameters {
  seed: number;
  repeats: number;
  /**
   * Whether items that nobody decided count as errors (ours), or are left out (the paper's rule). Both are computed;
   * this is what the tables lead with.
   */
  invalid: 'error' | 'exclude';
}

export interface ResultItem {
  /** Its number in the file. */
  line: number;
  id: string | null;
  /** Its right label; null for a line so broken that it has none. */
  gold: string | null;
  category: string | null;
  /** `text`, `image`, `text+image`, `exchange`, `claim`; null where nothing can be read. */
  modality: string | null;
  /** An easy item: one whose text is a refusal. */
  trivial: boolean;
  /** What each of several people said, where the data tells. */
  raters: readonly string[] | null;
  /** The evaluated model, where the data names one. */
  model: string | null;
  /** The beginning of what was judged, for people; never markup. */
  excerpt: string;
}

export type SystemKind = 'debate' | 'ablation' | 'control' | 'baseline' | 'external';

export interface SystemResult {
  name: string;
  /** Hash of what makes its answers. */
  configuration: string;
  kind: SystemKind;
  /** `embedded:guard-2`, `openai:gpt-4o`; none for refusal matching. */
  models: readonly string[];
  /** For an ablation or a control: the debate it belongs to. */
  of: string | null;
  rounds: number | null;
  /** Whether a model of it was trained on data of this set, or on these very items. */
  trained: 'in-domain' | 'these-items' | null;
  /** Each with one outcome for every item, in their order. */
  repeats: readonly (readonly BenchItemResult[])[];
  itemsPerSecond: number | null;
}

export interface BenchItemResult {
  /** A class of the result, `undecided`, or `failed`. */
  said: string;
  /** How sure it is of the positive class: the calibrated probability where there is one, else the score. */
  score: number | null;
  /**
   * What the seats said before anyone had heard anyone, put to the vote: what the debate is held against. Null where
   * nobody spoke alone.
   */
  opening: { said: string; score: number | null } | null;
  /** Null when it failed. */
  usage: Usage | null;
  byModel: Readonly<Record<string, Usage>>;
  latencyMs: number | null;
  /** The rule that decided. */
  rule: string | null;
  /** Why it failed. */
  problem: string | null;
  /** The debate, shortened: for the page's drill-down. */
  turns: readonly ResultTurn[];
}

export interface ResultTurn {
  /** `round-2/strict-debater`. */
  key: string;
  seat: string;
  round: number | null;
  statement: string;
  score: number | null;
  label: string | null;
  quotes: readonly { text: string; verified: boolean }[];
  fallback: string | null;
}

/** A figure that somebody published on a set of data. */
export interface PublishedFigure {
  system: string;
  /** `f1`, `accuracy`, `balancedAccuracy`. */
  metric: string;
  value: number;
  /** Where it was published. */
  source: string;
}
