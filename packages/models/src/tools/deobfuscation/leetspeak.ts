import type { Range } from '@agonhq/engine/evidence';
import { isEnglish, isRiskWord, isWord } from '@agonhq/engine/language';
import { applied, type Finding, type Replacement, rewrite } from './finding.ts';
import { findMatches, listWords } from '@agonhq/engine/text';

// Each sign with the letters that it stands for.
const readings: Record<string, string> = Object.fromEntries(
  listWords('0o 1il 3e 4a 5s 6g 7t 8b 9g @a $s !il |li +t €e').map(([sign, ...letters]) => [sign, letters.join('')]),
);
/** A substitute between letters; at the end of a word only signs that are no plural, version or price. */
const anchors = /[a-z][013456789@$!|+€]{1,3}[a-z]|(?<![\w$])[@$][a-z]{2}|[a-z]\$\$(?!\w)/gi;
const tokenCharacter = /[\w@$!|+€]/;
const joint = /[-_/\\.,;:=&%#?~^*`<>{}[\]()"']/;
const maxLength = 24;
const maxReadings = 32;
const maxWords = 100;
const maxTokens = 5000;
const maxManner = 40_000;
const sampleLength = 4000;

interface LeetWord extends Replacement {
  /** A substitute stands between letters. */
  isInner: boolean;
  /** One of the frequent words, by which a disguise is told. */
  isFrequent: boolean;
}

/**
 * English words with digits or signs for letters (`k1ll`, `b0mb`, `pa$$w0rd`). Ordinary text is full of such tokens
 * (`h2so4`, `utf8`, `4th`), so it takes a loaded word, a long one, or two; a text that is full of them is read so
 * throughout.
 */
export function leetspeak(text: string): Finding[] {
  const found = findWords(text);
  if (isManner(text, found)) return rewrite('leetspeak', text, readThroughout(text));
  const words = found.filter(({ isFrequent }) => isFrequent);
  const inner = words.filter((word) => word.isInner);
  const isDeliberate =
    words.some((word) => isRiskWord(word.by.toLowerCase()) || (word.isInner && word.by.length >= 5)) ||
    new Set(inner.map((word) => word.by.toLowerCase())).size >= 2;
  return isDeliberate ? rewrite('leetspeak', text, words) : [];
}

function findWords(text: string): LeetWord[] {
  const words: LeetWord[] = [];
  let examined = 0;
  let tokens = 0;
  for (const anchor of findMatches(text, anchors)) {
    if (anchor.index < examined) continue;
    const token = tokenAround(text, anchor.index);
    const word = readWord(text, token);
    examined = token.end;
    if (word) words.push(word);
    if (words.length === maxWords || ++tokens === maxTokens) break;
  }
  return words;
}

/** Whether a text is written so throughout: many of its words make sense only when they are read so. */
function isManner(text: string, found: readonly LeetWord[]): boolean {
  if (found.length === 0 && !/[a-z][013456789@$!|+€]|[013456789@$!|+€][a-z]/i.test(text.slice(0, sampleLength)))
    return false;
  const words = text.slice(0, sampleLength).match(/[\w@$!|+€]+/g) ?? [];
  const mixed = words.filter((word) => /[a-z]/i.test(word) && /[013456789@$|+€]/.test(word));
  if (mixed.length < words.length * 0.2) return false;
  const read = mixed.filter((word) => allReadings(word).some((reading) => isWord(reading.toLowerCase())));
  return new Set(read).size >= 3 && read.length >= mixed.length * 0.6;
}

/** Every word of the text that a substitute stands in, by its likeliest reading; what has none is left. */
function readThroughout(text: string): Replacement[] {
  const found: Replacement[] = [];
  for (const { 0: whole, index } of text.slice(0, maxManner).matchAll(/[\w@$!|+€]+/g)) {
    const token = whole.replace(/(?<![!|+])[!|+]+$/, '');
    if (!/[013456789@$!|+€]/.test(token) || token.length > maxLength) continue;
    const options = allReadings(token);
    const isNumber = !/[a-z]/i.test(token);
    const by = options.find((option) => isEnglish(option.toLowerCase()) || isWord(option.toLowerCase()));
    const isSuffix = token.length === 1 && /['’]/.test(text[index - 1] ?? '');
    const reading =
      by ?? (isSuffix ? options[0] : undefined) ?? (isNumber || token.length < 4 ? undefined : options[0]);
    if (reading === undefined || (isNumber && token.length > 4)) continue;
    found.push({ start: index, end: index + token.length, by: reading });
  }
  return found;
}

/** The whole of a text with a letter for each sign: as words where they are some, else by the likeliest letter. */
export function readSigns(text: string): string {
  return readLikeliest(applied(text, { start: 0, end: text.length }, readThroughout(text)));
}

export function readLikeliest(text: string): string {
  return text.replace(/[013456789@$!|+€]/g, (sign) => readings[sign]?.[0] ?? sign);
}

function tokenAround(text: string, at: number): Range {
  let start = at;
  let end = at + 1;
  while (start > 0 && at - start < maxLength && tokenCharacter.test(text[start - 1]!)) start -= 1;
  while (end < text.length && end - at < maxLength && tokenCharacter.test(text[end]!)) end += 1;
  while (end > start && /[!|+]/.test(text[end - 1]!)) end -= 1;
  while (start < end && /[!|+]/.test(text[start]!)) start += 1;
  return { start, end };
}

function readWord(text: string, { start, end }: Range): LeetWord | null {
  const token = text.slice(start, end);
  if (token.length < 3 || token.length > maxLength || isPartOfName(text, start, end)) return null;
  if (/^[0-9a-f]{6,}$/i.test(token)) return null;
  const isInner = /[a-z][^a-z]+[a-z]/i.test(token);
  const options = allReadings(token).map((reading) => ({ reading, lower: reading.toLowerCase() }));
  const frequent = options.find(({ lower }) => isEnglish(lower));
  const chosen = frequent ?? (isInner ? options.find(({ lower }) => isWord(lower)) : undefined);
  if (!chosen || (!isInner && !isRiskWord(chosen.lower))) return null;
  return { start, end, by: chosen.reading, isInner, isFrequent: chosen === frequent };
}

/** Addresses, paths, identifiers and formulas have such tokens joined to others. */
function isPartOfName(text: string, start: number, end: number): boolean {
  const joined = (near: string | undefined, beyond: string | undefined): boolean =>
    near !== undefined && joint.test(near) && beyond !== undefined && /\w/.test(beyond);
  return joined(text[start - 1], text[start - 2]) || joined(text[end], text[end + 1]);
}

function allReadings(token: string): string[] {
  let found = [''];
  for (const character of token) {
    const letters = readings[character] ?? character;
    if (found.length * letters.length > maxReadings) return [];
    found = found.flatMap((reading) => Array.from(letters, (letter) => reading + letter));
  }
  return found.filter((reading) => /^[a-z]+$/i.test(reading));
}
