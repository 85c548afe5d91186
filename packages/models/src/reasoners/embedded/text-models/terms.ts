import fitted from '../../../../../../models/guard-2/weights.json' with { type: 'json' };
import languages from '../../../../../../models/languages-2/weights.json' with { type: 'json' };
import type { GuardHead } from './heads.ts';

/** What the models are asked about. */
export type TermQuestion = 'text' | 'image' | 'text+image' | 'exchange';

type Heads = Readonly<Partial<Record<GuardHead, number>>>;
type Logits = Readonly<Record<GuardHead, number>>;

/** A sum over what one model's heads say: a calibrated logit. */
interface Sum {
  heads: Heads;
  intercept: number;
}

/** What is made of the models' scores, fitted by packages/lab/training/fit.py on items that no model had seen. */
export interface QuestionTerms {
  /** The model that is asked first, alone. */
  alone: Sum;
  /** Where it is in doubt: between these logits the other model is asked too. */
  contested: readonly [number, number];
  /** The other model, alone. */
  other?: Sum;
  /** Both, with what alike cases say. */
  both?: { own: Heads; other: Heads; precedents: number; intercept: number };
}

export type Terms = Readonly<Record<TermQuestion, QuestionTerms>>;

/** Those of the guard that Agon ships. */
export const shippedTerms = fitted.terms as unknown as Terms;

/** All that is fitted for the other languages, for a fingerprint. */
export const shippedLanguages: unknown = languages;

/** Those of the guard for other languages: a language's shift puts its measured rate of false alarms at the bar. */
export function languageTerms(judged: readonly string[]): Terms {
  const { terms, languages: known } = languages as unknown as LanguageWeights;
  const shift = Math.min(...judged.flatMap((language) => known[language]?.shift ?? []));
  if (!Number.isFinite(shift)) return terms;
  const { text } = terms;
  return { ...terms, text: { ...text, alone: { ...text.alone, intercept: text.alone.intercept + shift } } };
}

interface LanguageWeights {
  terms: Terms;
  languages: Readonly<Record<string, { shift: number }>>;
}

/** The calibrated logit of the model that was asked first. */
export function judgeAlone({ alone }: QuestionTerms, logits: Logits): number {
  return addHeads(alone.heads, logits) + alone.intercept;
}

/** The calibrated logit of the other model. */
export function judgeOtherwise({ alone, other = alone }: QuestionTerms, logits: Logits): number {
  return addHeads(other.heads, logits) + other.intercept;
}

/** Whether the first model is in doubt, so that the other is asked. */
export function isContested({ contested: [low, high], both }: QuestionTerms, alone: number): boolean {
  return both !== undefined && alone >= low && alone < high;
}

/** How far below the contested cases the other model may bring one. */
const furthestBelow = 1;

/** The calibrated logit of both models and of alike cases together. */
export function judgeTogether(
  { both, contested: [low] }: QuestionTerms,
  own: Logits,
  other: Logits,
  leaning: number,
): number {
  if (!both) throw new Error('There is no other model for this question.');
  const sum = addHeads(both.own, own) + addHeads(both.other, other) + both.precedents * leaning + both.intercept;
  return Math.max(sum, low - furthestBelow);
}

function addHeads(weights: Heads, logits: Logits): number {
  return Object.entries(weights).reduce((sum, [head, weight]) => sum + weight * logits[head as GuardHead], 0);
}
