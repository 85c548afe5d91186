import type { EncoderReading } from './reading.ts';
import { isIdeograph } from './tokenizer.ts';
import { splitMessageSentences, type TextRange, wordSet } from '@agonhq/engine/text';

export interface DrivingSpan extends TextRange {
  /** What the span adds to the logit beyond what as many average tokens add; negative when it pulls down. */
  weight: number;
}

export interface DrivingSpansOptions {
  /** At most so many spans. Three unless told. */
  most?: number;
  /** At most so many words in a span. Twelve unless told. */
  words?: number;
  /** The spans that push the logit up, or those that pull it down. */
  direction?: 'up' | 'down';
}

interface Word extends TextRange {
  /** How much more than as many average tokens it does, in the direction asked for. */
  drive: number;
}

/** The few spans of whole words that move a logit most, the strongest first, apart and each within its sentence. */
export function drivingSpans<Head extends string>(
  text: string,
  reading: EncoderReading<Head>,
  head: Head,
  options: DrivingSpansOptions = {},
): DrivingSpan[] {
  const { most = 3, words = 12, direction = 'up' } = options;
  const sign = direction === 'up' ? 1 : -1;
  const phrases = phrasesOf(text, reading, head, sign);
  const spans: DrivingSpan[] = [];
  let strongest = 0;
  while (spans.length < most) {
    let best: { phrase: Word[]; from: number; to: number; drive: number } | undefined;
    for (const phrase of phrases) {
      const found = strongestRun(phrase, words);
      if (found && found.drive > (best?.drive ?? 0)) best = { phrase, ...found };
    }
    if (!best || best.drive < strongest * worthNaming) break;
    strongest ||= best.drive;
    const { phrase } = best;
    const { from, to } = completed(text, phrase, best, words);
    spans.push({ ...trimmed(text, phrase.slice(from, to)), weight: sign * best.drive });
    phrases.splice(phrases.indexOf(phrase), 1, phrase.slice(0, from), phrase.slice(to));
  }
  return spans.filter(({ start, end }) => end > start);
}

/** A span that does less than this part of what the strongest does is noise beside it. */
const worthNaming = 0.3;

/** The words of each sentence, with what they do to the logit. */
function phrasesOf<Head extends string>(
  text: string,
  { tokens, heads }: EncoderReading<Head>,
  head: Head,
  sign: number,
): Word[][] {
  const { length, starts, ends, shares, windowTokens } = tokens;
  const index = heads.indexOf(head);
  const local = (token: number) => sign * shares[token * heads.length + index]! * windowTokens[token]!;
  let whole = 0;
  for (let token = 0; token < length; token += 1) whole += local(token);
  const average = whole / Math.max(1, length);
  let at = 0;
  return splitMessageSentences(text).map(({ start, end }) => {
    const words: Word[] = [];
    for (; at < length && starts[at]! < end; at += 1) {
      const token = { start: starts[at]!, end: ends[at]! };
      if (token.start < start) continue;
      const drive = (local(at) - average) / windowTokens[at]!;
      const last = words.at(-1);
      if (last && belongTogether(text, last, token)) {
        last.end = Math.max(last.end, token.end);
        last.drive += drive;
      } else words.push({ start: token.start, end: token.end, drive });
    }
    return words;
  });
}

const longestWord = 120;

/** Pieces with nothing between them are one word, except in scripts that put nothing between words. */
function belongTogether(text: string, word: TextRange, token: TextRange): boolean {
  if (/\s/u.test(text.slice(word.end, token.start)) || token.end - word.start > longestWord)
    return token.start < word.end;
  const next = String.fromCodePoint(text.codePointAt(token.start)!);
  // A vowel or tone that is written above or below the letter before it.
  if (/^\p{M}$/u.test(next)) return true;
  return !isUnspaced(next) && !isUnspaced(String.fromCodePoint(text.codePointAt(word.start)!));
}

function isUnspaced(character: string): boolean {
  return isIdeograph(character.codePointAt(0)!) || unspacedScripts.test(character);
}

const unspacedScripts =
  /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]$/u;

/** The run of at most `most` words with the greatest sum. */
function strongestRun(words: readonly Word[], most: number): { from: number; to: number; drive: number } | undefined {
  let best: { from: number; to: number; drive: number } | undefined;
  for (let from = 0; from < words.length; from += 1) {
    let drive = 0;
    for (let to = from + 1; to <= Math.min(words.length, from + most); to += 1) {
      drive += words[to - 1]!.drive;
      if (drive > (best?.drive ?? 0)) best = { from, to, drive };
    }
  }
  return best;
}

/** Words that end no phrase. */
const open = wordSet(`
  a an the my your his her its our their this that these those and or but to of in on at by for from with as than if
  when is are be will would can could should`);

/**
 * The run as a phrase one can quote: grown to the next pause, within the number of words, and not broken off at a
 * preposition. Function words carry the verdict of the whole, so that the strongest run often stops right before the
 * word that matters.
 */
function completed(
  text: string,
  phrase: readonly Word[],
  run: { from: number; to: number },
  most: number,
): { from: number; to: number } {
  const pauses = ({ end }: Word) => /[\p{P}]/u.test(text.slice(end - 1, end));
  let { from, to } = run;
  while (to < phrase.length && to - from < most && !pauses(phrase[to - 1]!)) to += 1;
  while (from > 0 && to - from < most && !pauses(phrase[from - 1]!)) from -= 1;
  while (
    to - 1 > from &&
    to < phrase.length &&
    open.has(text.slice(phrase[to - 1]!.start, phrase[to - 1]!.end).toLowerCase())
  )
    to -= 1;
  return { from, to };
}

/** Without the punctuation at its edges. */
function trimmed(text: string, words: readonly Word[]): TextRange {
  const [from, to] = [words[0]!.start, words.at(-1)!.end];
  const span = text.slice(from, to);
  const before = /^[\p{P}\s]*/u.exec(span)![0].length;
  const after = before === span.length ? 0 : (/(?<![\p{P}\s])[\p{P}\s]+$/u.exec(span)?.[0].length ?? 0);
  return { start: from + before, end: to - after };
}

/** What each sentence with tokens would score if the whole text were like it: comparable with the text's logit. */
export function sentenceLogits<Head extends string>(
  text: string,
  reading: EncoderReading<Head>,
  head: Head,
): (TextRange & { logit: number })[] {
  return rangeLogits(splitMessageSentences(text), reading, head);
}

/** The same for any ranges of a text, in their order; those without a token are left out. */
export function rangeLogits<Head extends string>(
  ranges: readonly TextRange[],
  reading: EncoderReading<Head>,
  head: Head,
): (TextRange & { logit: number })[] {
  const index = reading.heads.indexOf(head);
  const { length, starts, shares, windowTokens } = reading.tokens;
  let first = 0;
  return ranges.flatMap(({ start, end }) => {
    while (first < length && starts[first]! < start) first += 1;
    let sum = 0;
    let at = first;
    for (; at < length && starts[at]! < end; at += 1)
      sum += shares[at * reading.heads.length + index]! * windowTokens[at]!;
    return at === first ? [] : [{ start, end, logit: sum / (at - first) + reading.biases[head] }];
  });
}
