import type { ExonerationKind } from './exoneration.ts';
import { joinWithAnd, shortenCharacters, toOneLine } from '../../text/index.ts';

/** How a benign context is named in an argument. */
export const contextNames: Record<ExonerationKind, string> = {
  refusal: 'a refusal to help with harm',
  condemnation: 'a condemnation of harm',
  prevention: 'prevention or protection',
  'self-defence': 'self-defence',
  quotation: 'the words of somebody else',
  negation: 'a rejection of the harm it names',
  fiction: 'a work of fiction',
  news: 'a report of events',
  education: 'an educational setting',
  figurative: 'a figure of speech',
};

/** A quotation inside a sentence, kept short. */
export function quoted(passage: string): string {
  return `“${shortenCharacters(toOneLine(passage).replace(/[.…]+$/, ''), 90)}”`;
}

/** What speaks most for a risk, quoted. */
export function describeDrivers(passages: readonly string[]): string {
  return passages.length > 0
    ? `what speaks most for a risk is ${joinWithAnd(passages.slice(0, 2).map(quoted))}`
    : 'no passage speaks for a risk';
}

/** How far a logit stands from the bar, in a word: `just above`, `far below`. */
export function distance(fromBar: number): string {
  const size = Math.abs(fromBar);
  const word = size < 0.6 ? 'just' : size < 1.7 ? 'somewhat' : size < 3 ? 'clearly' : 'far';
  return `${word} ${fromBar >= 0 ? 'above' : 'below'}`;
}

/** The ids of the first few precedents. */
export function cited(precedents: readonly { id: string }[]): string {
  const most = 3;
  const rest = precedents.length - most;
  return `${precedents
    .slice(0, most)
    .map(({ id }) => id)
    .join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
