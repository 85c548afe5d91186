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
  /** It carries the claim by itself: a plain reading of whole cells, or arithmetic. */
  sure?: true;
}

/** What a dossier says to a claim. */
export interface Weighed {
  /** `unknown`: it does not speak of it, or not enough to tell. */
  side: 'support' | 'contradiction' | 'unknown';
  /** How far the dossier supports the claim, 0 to 1. */
  score: number;
  /** How much of the claim, by the rarity of its words, the nearest lines have: 0 to 1. */
  cover: number;
  /** The same of the one line that has most. */
  lineCover: number;
  signals: readonly Signal[];
  /** The lines nearest to the claim, the nearest first. */
  nearest: readonly string[];
}
