import type { Range } from '../../evidence/index.ts';
import { type Finding, type Replacement, rewrite } from './finding.ts';
import { isEnglish, isRiskWord, segment } from './known-words.ts';
import { listWords } from '../../text/index.ts';

const spelledOut = /(?<![\p{L}\p{N}])[a-z](?:[ .·•_*|~/-]{1,4}[a-z](?![\p{L}\p{N}])){2,199}/giu;
const gap = /[^a-z]+/gi;
const maxCharacters = 8000;

/** Letters kept apart so that no filter sees the word: `k.i.l.l`, `b o m b`, `h o w  t o`. */
export function spacedLetters(text: string): Finding[] {
  const words: Replacement[] = [];
  let examined = 0;
  for (const { 0: original, index } of text.matchAll(spelledOut)) {
    const by = joined(original);
    if (by !== null) words.push({ start: index, end: index + original.length, by });
    examined += original.length;
    if (examined > maxCharacters) break;
  }
  return rewrite('spaced-letters', text, words);
}

/** Words as they are parted by wider gaps, or as English parts them; null when they are none. */
function joined(original: string): string | null {
  const gaps = new Set(original.match(gap));
  const narrow = [...gaps].toSorted((a, b) => a.length - b.length)[0]!;
  if (narrow.length > 2 || [...gaps].some((wider) => wider !== narrow && wider.trim() !== narrow.trim())) return null;

  const groups = original.split(narrow === ' ' ? / {2,4}/ : ' ').map((group) => group.replace(gap, ''));
  const words = groups.length > 1 ? groups : (segment(groups[0]!.toLowerCase()) ?? []);
  const letters = groups.join('');
  const known = words.filter((word) => isEnglish(word.toLowerCase()));
  if (words.length === 0 || known.join('').length < letters.length * 0.6) return null;

  const isAcronym = original === original.toUpperCase() && narrow === '.';
  const isLoaded = words.some((word) => word.length >= 3 && isRiskWord(word.toLowerCase()));
  const isLong = !isAcronym && letters.length >= 5 && known.some((word) => word.length >= 4);
  if (!isLoaded && !isLong) return null;
  return words.length > 1 ? words.join(' ') : letters;
}

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

interface LeetWord extends Replacement {
  isInner: boolean;
}

/**
 * English words with digits or signs for letters (`k1ll`, `b0mb`, `pa$$w0rd`). Ordinary text is full of such tokens
 * (`h2so4`, `utf8`, `4th`), so it takes a loaded word, a long one, or two.
 */
export function leetspeak(text: string): Finding[] {
  const words: LeetWord[] = [];
  let examined = 0;
  let tokens = 0;
  for (const anchor of text.matchAll(anchors)) {
    if (anchor.index < examined) continue;
    const token = tokenAround(text, anchor.index);
    const word = readWord(text, token);
    examined = token.end;
    if (word) words.push(word);
    if (words.length === maxWords || ++tokens === maxTokens) break;
  }
  const inner = words.filter((word) => word.isInner);
  const isDeliberate =
    words.some((word) => isRiskWord(word.by.toLowerCase()) || (word.isInner && word.by.length >= 5)) ||
    new Set(inner.map((word) => word.by.toLowerCase())).size >= 2;
  return isDeliberate ? rewrite('leetspeak', text, words) : [];
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
  const by = allReadings(token).find((reading) => isEnglish(reading.toLowerCase()));
  if (by === undefined || (!isInner && !isRiskWord(by.toLowerCase()))) return null;
  return { start, end, by, isInner };
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
