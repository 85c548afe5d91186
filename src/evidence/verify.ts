import { locate } from './locate.ts';
import type { Source } from './source.ts';

/** A quotation as a reasoner states it, before anybody checked it. */
export interface Quote {
  source: string;
  quote: string;
}

/**
 * A checked quotation. When `verified`, `quote` is the source's own text at [start, end);
 * otherwise it is what was stated, found nowhere, and decides nothing.
 */
export type Evidence =
  | { quote: string; source: string; start: number; end: number; verified: true }
  | { quote: string; source: string; verified: false };

/** Checks each quote against the source it names, then against the others. */
export function verifyQuotes(quotes: readonly Quote[], sources: readonly Source[]): Evidence[] {
  return quotes.map((stated) => verifyQuote(stated, sources));
}

function verifyQuote(stated: Quote, sources: readonly Source[]): Evidence {
  const named = sources.filter((source) => source.id === stated.source);
  const others = sources.filter((source) => source.id !== stated.source);
  for (const source of [...named, ...others]) {
    const range = locate(stated.quote, source);
    if (range) return { quote: source.text.slice(range.start, range.end), source: source.id, ...range, verified: true };
  }
  return { quote: stated.quote, source: stated.source, verified: false };
}

/** Whether a piece of evidence says what its source says at that place: the offline recheck. */
export function holds(evidence: Evidence, sources: readonly Source[]): boolean {
  const source = sources.find((candidate) => candidate.id === evidence.source);
  if (!evidence.verified) return !sources.some((candidate) => locate(evidence.quote, candidate));
  return source !== undefined && evidence.quote !== '' && source.text.slice(evidence.start, evidence.end) === evidence.quote;
}
