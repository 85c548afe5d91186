import type { Reading } from './reading.ts';

export interface Range {
  start: number;
  end: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const abbreviation =
  /(?:^|[^\p{L}])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Gen|Col|Lt|Sgt|vs|e\.g|i\.e|No|Fig|U\.S|U\.K)\.\s*$/u;
/** What stands between a text and its image description, and between a prompt and its reply. */
const divider = ' || ';

/** The sentences of a text, without the white space around them. None reaches across a divider. */
export function sentencesOf(text: string): Range[] {
  const sentences: Range[] = [];
  let offset = 0;
  for (const part of text.split(divider)) {
    let start = 0;
    let end = 0;
    for (const { segment, index } of segmenter.segment(part)) {
      end = index + segment.length;
      if (end < part.length && abbreviation.test(segment.slice(-12))) continue;
      add(sentences, part, start, end, offset);
      start = end;
    }
    offset += part.length + divider.length;
  }
  return sentences;
}

function add(sentences: Range[], part: string, start: number, end: number, offset: number): void {
  const sentence = part.slice(start, end);
  const trimmed = sentence.trimStart();
  if (trimmed === '') return;
  const from = offset + start + sentence.length - trimmed.length;
  sentences.push({ start: from, end: from + trimmed.trimEnd().length });
}

/**
 * What each sentence would score if the whole text were like it, in its context: comparable with the reading's logit.
 * A sentence without tokens is left out.
 */
export function sentenceLogits<Head extends string>(
  text: string,
  reading: Reading<Head>,
  head: Head,
): (Range & { logit: number })[] {
  const index = reading.heads.indexOf(head);
  const { length, starts, shares, windowTokens } = reading.tokens;
  let at = 0;
  return sentencesOf(text).flatMap(({ start, end }) => {
    let sum = 0;
    let count = 0;
    for (; at < length && starts[at]! < end; at += 1) {
      if (starts[at]! < start) continue; // Part of a divider.
      sum += shares[at * reading.heads.length + index]! * windowTokens[at]!;
      count += 1;
    }
    return count === 0 ? [] : [{ start, end, logit: sum / count + reading.biases[head] }];
  });
}
