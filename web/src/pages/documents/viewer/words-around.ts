import type { Grounding } from '../trace/types.ts';
import type { SoughtWords } from './exact-boxes.ts';

/** A citation with the rest of the sentences that it touches. */
export function readContext({ document, block, start, end, quote }: Grounding): SoughtWords {
  const touched = block.sentences.filter((sentence) => sentence.start < end && sentence.end > start);
  const from = Math.min(start, ...touched.map((sentence) => sentence.start));
  const to = Math.max(end, ...touched.map((sentence) => sentence.end));
  return { before: document.text.slice(from, start), quote, after: document.text.slice(end, to) };
}
