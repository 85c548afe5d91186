import { normaliseText, type NormalisedText, type Range } from './normalise.ts';

/** A text that evidence may quote, by its id in the case file (`text`, `image-1/ocr`, …). */
export interface Source {
  id: string;
  text: string;
}

const normalisedSources = new WeakMap<Source, NormalisedText>();

/**
 * Finds the first place where a quote occurs in a source: letter by letter if it does, else after normalisation
 * of both. The range is in code units of the original text and never cuts a character in half.
 */
export function createQuoteFinder(quote: string): (source: Source) => Range | null {
  if (quote.trim() === '') return () => null;
  let normalised: string | undefined;
  return (source) =>
    locateExactly(quote, source.text) ??
    locateNormalised((normalised ??= normaliseText(quote).text), normalisedOf(source));
}

function locateExactly(quote: string, text: string): Range | null {
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    const end = at + quote.length;
    if (!splitsSurrogates(text, at) && !splitsSurrogates(text, end)) return { start: at, end };
  }
  return null;
}

function splitsSurrogates(text: string, at: number): boolean {
  return at > 0 && at < text.length && text.codePointAt(at - 1)! > 0xffff;
}

function normalisedOf(source: Source): NormalisedText {
  const known = normalisedSources.get(source);
  if (known) return known;
  const normalised = normaliseText(source.text);
  normalisedSources.set(source, normalised);
  return normalised;
}

function locateNormalised(quote: string, source: NormalisedText): Range | null {
  if (quote === '') return null;
  for (let at = source.text.indexOf(quote); at >= 0; at = source.text.indexOf(quote, at + 1)) {
    const last = at + quote.length - 1;
    const startsWhole = at === 0 || source.starts[at] !== source.starts[at - 1];
    const endsWhole = last === source.text.length - 1 || source.ends[last] !== source.ends[last + 1];
    if (startsWhole && endsWhole) return { start: source.starts[at]!, end: source.ends[last]! };
  }
  return null;
}

/**
 * A checked quotation. When `verified`, `quote` is the source's own text at [start, end);
 * otherwise it is what was stated, found in no source, and decides nothing.
 */
export type Evidence =
  | {
      quote: string;
      source: string;
      start: number;
      end: number;
      verified: true;
      /** Of a quotation from a recording: which, and when it is said or shown, in seconds. */
      moment?: { of: string; from: number; to: number };
    }
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
