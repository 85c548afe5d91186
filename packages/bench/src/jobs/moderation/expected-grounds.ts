import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';

/** What a verdict should rest on, as people marked it. What the data does not say is null. */
export interface ExpectedGrounds {
  /** By id; none for an item that breaks no clause. */
  clauses: readonly string[] | null;
  severity: string | null;
  /** Stretches of the text, in UTF-16 code units. */
  spans: readonly { start: number; end: number; quote: string }[] | null;
}

const spanSchema = z.object({
  part: z.string().default('text'),
  start: z.int().min(0),
  end: z.int().min(0),
  quote: z.string().min(1),
});

const hint =
  'An item may have "clauses" (ids), "severity" and "spans" ({"start":0,"end":4,"quote":"word"}) beside its label; ' +
  'a cell of a table holds lists as JSON.';

/**
 * What an item says of clauses, severity and evidence; undefined where it says nothing of them. Data of others may have
 * columns of these names in another shape: those say nothing of ours.
 */
export function readExpectedGrounds(
  field: (name: string) => unknown,
  text: string | undefined,
): ExpectedGrounds | undefined {
  const clauses = z.array(z.string()).safeParse(readList(field('clauses'))).data ?? null;
  const severity = z.string().safeParse(field('severity')).data ?? null;
  const spans = z.array(spanSchema).safeParse(readList(field('spans'))).data ?? null;
  if (clauses === null && severity === null && spans === null) return undefined;
  return {
    clauses,
    severity,
    spans:
      spans &&
      spans
        .filter(({ part }) => part === 'text')
        .map(({ start, end, quote }) => placeSpan({ start, end, quote }, text ?? '')),
  };
}

function readList(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value
      .split(/[|;,]/)
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
}

/** Where a span stands. A table may have moved it: what looks like a formula is led by an apostrophe there. */
function placeSpan(span: { start: number; end: number; quote: string }, text: string) {
  if (text.slice(span.start, span.end) === span.quote) return span;
  const places: number[] = [];
  for (let at = text.indexOf(span.quote); at >= 0; at = text.indexOf(span.quote, at + 1)) places.push(at);
  const [start] = places.toSorted((one, other) => Math.abs(one - span.start) - Math.abs(other - span.start));
  if (start === undefined) throw new AgonError('broken-line', 'A span quotes words that are not in the text.', hint);
  return { ...span, start, end: start + span.quote.length };
}
