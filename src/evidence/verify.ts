import { createQuoteFinder } from './locate.ts';
import type { Source } from './source.ts';

/**
 * A checked quotation. When `verified`, `quote` is the source's own text at [start, end);
 * otherwise it is what was stated, found in no source, and decides nothing.
 */
export type Evidence =
  | { quote: string; source: string; start: number; end: number; verified: true }
  | { quote: string; source: null; verified: false };

/** Finds each quote in the first source that has it. Who quotes need not say where: code knows better. */
export function verifyQuotes(quotes: readonly string[], sources: readonly Source[]): Evidence[] {
  return quotes.map((quote) => verifyQuote(quote, sources));
}

function verifyQuote(quote: string, sources: readonly Source[]): Evidence {
  const find = createQuoteFinder(quote);
  for (const source of sources) {
    const range = find(source);
    if (range) return { quote: source.text.slice(range.start, range.end), source: source.id, ...range, verified: true };
  }
  return { quote, source: null, verified: false };
}

/** Whether a piece of evidence says what its source says at that place: the offline recheck. */
export function isEvidenceFaithful(evidence: Evidence, sources: readonly Source[]): boolean {
  const source = sources.find((candidate) => candidate.id === evidence.source);
  if (!evidence.verified) return !sources.some(createQuoteFinder(evidence.quote));
  return (
    source !== undefined && evidence.quote !== '' && source.text.slice(evidence.start, evidence.end) === evidence.quote
  );
}
