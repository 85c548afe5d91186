import { drivingSpans, sentenceLogits, type Reading } from './runtime/index.ts';

/** Sentences longer than this are quoted by the spans that drive them. */
const longestSentence = 240;

/** What carries the risk: the worst sentence of several, then the spans outside it that push most. */
export function riskyPassages<Head extends string>(
  text: string,
  reading: Reading<Head>,
  head: Head,
): { start: number; end: number }[] {
  const spans = drivingSpans(text, reading, head);
  const sentences = sentenceLogits(text, reading, head);
  const worst = sentences.toSorted((a, b) => b.logit - a.logit)[0];
  if (sentences.length < 2 || !worst || worst.end - worst.start > longestSentence) return spans;
  const whole = trimmed(text, worst);
  return [whole, ...spans.filter(({ start, end }) => end <= whole.start || start >= whole.end)].slice(0, 3);
}

function trimmed(text: string, { start, end }: { start: number; end: number }): { start: number; end: number } {
  const slice = text.slice(start, end);
  return {
    start: start + (slice.length - slice.trimStart().length),
    end: end - (slice.length - slice.trimEnd().length),
  };
}
