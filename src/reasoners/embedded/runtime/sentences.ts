import type { Reading } from './reading.ts';
import { splitMessageSentences, type Range } from '../../../text/index.ts';

/** What each sentence with tokens would score if the whole text were like it: comparable with the text's logit. */
export function sentenceLogits<Head extends string>(
  text: string,
  reading: Reading<Head>,
  head: Head,
): (Range & { logit: number })[] {
  const index = reading.heads.indexOf(head);
  const { length, starts, shares, windowTokens } = reading.tokens;
  let at = 0;
  return splitMessageSentences(text).flatMap(({ start, end }) => {
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
