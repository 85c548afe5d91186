import type { Answer, Turn } from '../debate/index.ts';
import type { Evidence, Source } from '../evidence/index.ts';
import { shortenCharacters } from '../text/shorten.ts';

/**
 * What a passage is quoted for, which colours its mark: a risk in plain sight, one that only context shows, no risk,
 * or nothing in particular.
 */
export type Side = 'risk' | 'implicit' | 'exoneration' | 'neutral';

/** What passages are quoted for, as a job's readers know it. */
export interface PassageWords {
  names: Partial<Record<Side, string>>;
}

/** Somebody who quotes a passage, and where on the page they do. */
export interface Quoter {
  anchor: string;
  speaker: string;
  side: Side;
}

export interface Quotation {
  evidence: Evidence;
  quoter: Quoter;
}

/** A passage of a source that is quoted at least once. */
export interface CitedPassage {
  number: number;
  source: string;
  start: number;
  end: number;
  quote: string;
  quoters: readonly Quoter[];
}

/** Every quoted passage, numbered in the order in which a reader meets them. */
export interface Citations {
  passages: readonly CitedPassage[];
  numberOf(evidence: Evidence): number | undefined;
}

/** Where a turn is on the page. Ids are made of positions: nothing untrusted gets into an address. */
export function anchorTurn(answer: Pick<Answer, 'transcript'>, turn: Turn): string {
  return `turn-${answer.transcript.filter(({ kind }) => kind === 'turn').indexOf(turn) + 1}`;
}

export function collectCitations(sources: readonly Source[], quotations: Iterable<Quotation>): Citations {
  const texts = new Map(sources.map((source, index) => [source.id, { index, text: source.text }]));
  const passages = new Map<string, Omit<CitedPassage, 'number' | 'quoters'> & { order: number; quoters: Quoter[] }>();
  for (const { evidence, quoter } of quotations) {
    const source = evidence.verified && texts.get(evidence.source);
    if (!source || !pointsInto(evidence, source.text)) continue;
    const { start, end } = evidence;
    const passage = passages.get(placeOf(evidence)) ?? {
      source: evidence.source,
      start,
      end,
      quote: source.text.slice(start, end),
      order: source.index,
      quoters: [],
    };
    if (!passage.quoters.some((other) => other.anchor === quoter.anchor)) passage.quoters.push(quoter);
    passages.set(placeOf(evidence), passage);
  }
  const inReadingOrder = [...passages].sort(([, a], [, b]) => a.order - b.order || a.start - b.start || a.end - b.end);
  const numbers = new Map(inReadingOrder.map(([place], index) => [place, index + 1]));
  return {
    passages: inReadingOrder.map(([, { order: _order, ...passage }], index) => ({ number: index + 1, ...passage })),
    numberOf: (evidence) => numbers.get(placeOf(evidence)),
  };
}

function pointsInto({ start, end }: { start: number; end: number }, text: string): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length;
}

function placeOf(evidence: Evidence): string {
  return JSON.stringify(evidence.verified ? [evidence.source, evidence.start, evidence.end] : null);
}

export function findPassages(citations: Citations, source: Source): CitedPassage[] {
  return citations.passages.filter((passage) => passage.source === source.id);
}

const longQuote = 400;

/** The beginning of a quotation: the whole of it is marked in its source. */
export function shortenQuote(quote: string): string {
  return shortenCharacters(quote, longQuote);
}

/** The id of the place on a page where a moment of a recording stands. */
export function nameMoment({ of, from }: { of: string; from: number }): string {
  return `moment-${of}-${Math.round(from * 100)}`;
}
