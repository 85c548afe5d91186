export type SignalKind =
  | 'name'
  | 'number'
  | 'date'
  | 'far-number'
  | 'negation'
  | 'opposite'
  | 'absolute'
  | 'table'
  | 'derived';

/** One thing that speaks for or against a claim. */
export interface Signal {
  kind: SignalKind;
  /** Added to the logit of support: below zero it speaks against. */
  weight: number;
  /** A sentence for people. */
  why: string;
  /** What stands in the document, letter by letter. */
  quotes: readonly string[];
  /** Words of the claim that the document would have to have, and has not. */
  missing: readonly string[];
}

/** What a dossier says to a claim. */
export interface Weighed {
  /** `unknown`: it does not speak of it, or not enough to tell. */
  side: 'support' | 'contradiction' | 'unknown';
  /** How far the dossier supports the claim, 0 to 1. */
  score: number;
  /** How much of the claim, by the rarity of its words, the nearest lines have: 0 to 1. */
  cover: number;
  signals: readonly Signal[];
  /** The lines nearest to the claim, the nearest first. */
  nearest: readonly string[];
}

/** A signal that weighs what its kind does. */
export function makeSignal(
  kind: Exclude<SignalKind, 'table'>,
  why: string,
  { quotes = [], missing = [] }: Partial<Pick<Signal, 'quotes' | 'missing'>> = {},
): Signal {
  return { kind, weight: documentWeights[kind], why, quotes, missing };
}

/**
 * What each signal adds to the logit of support, fitted once on the development halves of FinDVer and SummEdits
 * together and rounded; the table readings on that of TabFact. One set for every document.
 */
export const documentWeights = {
  bias: 0.6,
  name: -1.4,
  number: -1.5,
  date: -3,
  'far-number': -0.7,
  negation: -1.1,
  opposite: -0.55,
  absolute: -0.33,
  derived: 0,
  table: { holds: 0.8, fails: -0.8 },
  /** A claim of whose words the nearest lines have less is not spoken of. */
  leastCover: 0.3,
  /** From this share of the claim on, a table answers it rather than the text; second: where all is tables. */
  tableShare: [0.5, 0.05],
} as const;
