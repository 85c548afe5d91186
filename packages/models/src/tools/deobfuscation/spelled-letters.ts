import { findMatches, listWords } from '@agonhq/engine/text';
import { isEnglish, isRiskWord, isWord } from '@agonhq/engine/language';
import { type Finding, payload, type Replacement, rewrite } from './finding.ts';
import { isLanguage } from './known-words.ts';
import { segment } from './segment-words.ts';

/* Words letter by letter. */

const blank = String.raw`[ \t\u00a0\u2000-\u200a\u202f\u3000]`;
/** Single characters, each with a gap before the next: `k i l l`, `h o w  t o`. */
const parted = new RegExp(String.raw`(?<!\S)\S(?!\S)(?:${blank}{1,6}\S(?!\S)){2,}`, 'gu');
/** Letters with one sign between each and the next: `k.i.l.l`, `b-o-m-b`. */
const dotted = /(?<![\p{L}\p{N}])[a-z]([.·•_*|~/\\+=-]{1,2})[a-z](?:\1[a-z])*(?![\p{L}\p{N}])/giu;
const maxCharacters = 40_000;
const maxRun = 4_000;

/** Letters kept apart so that no filter sees the word: `k.i.l.l`, `b o m b`, a whole text in such letters. */
export function spacedLetters(text: string): Finding[] {
  return rewrite('spaced-letters', text, [...joinParted(text), ...joinDotted(text)]);
}

function joinParted(text: string): Replacement[] {
  const found: Replacement[] = [];
  let examined = 0;
  for (const { 0: original, index } of findMatches(text, parted)) {
    const by = joinRun(original.slice(0, maxCharacters));
    if (by !== null) found.push({ start: index, end: index + Math.min(original.length, maxCharacters), by });
    examined += original.length;
    if (examined > maxCharacters) break;
  }
  return found;
}

/** Words as wider gaps part them, else as English does; null when they are none. */
function joinRun(original: string): string | null {
  const characters = original.split(new RegExp(`${blank}+`, 'u'));
  if (characters.filter((character) => /[a-z]/i.test(character)).length < characters.length * 0.7) return null;
  const gaps = original.match(new RegExp(`${blank}+`, 'gu')) ?? [];
  const narrow = Math.min(...gaps.map((gap) => gap.length));
  let groups = '';
  for (const [at, character] of characters.entries())
    groups += character + ((gaps[at]?.length ?? 0) > narrow ? ' ' : '');
  const words = groups.split(' ').flatMap(partWords);
  return isSpelledOut(words) ? words.join(' ') : null;
}

/** One group of characters as words: itself where it is one, else what English makes of its letters. */
function partWords(group: string): string[] {
  const bare = group.replace(/['’]/g, '');
  if (isWord(group.replace(/[^a-z]/gi, '').toLowerCase()) || bare.length < 4) return [group];
  return (bare.match(/[a-z]+|[^a-z]+/gi) ?? []).reduce<string[]>((words, part) => {
    if (/[a-z]/i.test(part)) words.push(...(segment(part) ?? [part]));
    else if (words.length > 0 && !/\w/.test(part)) words[words.length - 1] += part;
    else words.push(part);
    return words;
  }, []);
}

function isSpelledOut(words: readonly string[]): boolean {
  const bare = words.map((word) => word.replace(/[^a-z]/gi, '').toLowerCase()).filter((word) => word !== '');
  const letters = bare.join('').length;
  const known = bare.filter((word) => word.length > 1 && isWord(word));
  const isLoaded = known.some((word) => word.length >= 3 && isRiskWord(word));
  const isLong = letters >= 5 && known.some((word) => word.length >= 4 && isEnglish(word));
  const isVeryLong = letters >= 8 && known.filter((word) => word.length >= 3).length >= 2;
  return known.join('').length >= letters * 0.6 && (isLoaded || isLong || isVeryLong);
}

function joinDotted(text: string): Replacement[] {
  const found: (Replacement & { letters: string; isAcronym: boolean })[] = [];
  for (const { 0: original, 1: sign, index } of findMatches(text, dotted)) {
    const letters = original.slice(0, maxRun).split(sign!).join('');
    const isAcronym = sign === '.' && original === original.toUpperCase();
    const words = isWord(letters.toLowerCase()) ? [letters] : (segment(letters) ?? [letters]);
    found.push({
      start: index,
      end: index + Math.min(original.length, maxRun),
      by: words.join(' '),
      letters,
      isAcronym,
    });
    if (found.length >= maxCharacters / 4) break;
  }
  // One such word may be an abbreviation or a formula; several beside each other are a manner of writing.
  const isManner =
    found.filter(({ isAcronym, letters }) => !isAcronym && isWord(letters.toLowerCase())).length >= 3 &&
    found.filter(({ letters }) => letters.length >= 3).length >= 2;
  return found.filter(
    ({ by, letters, isAcronym }) =>
      isManner || (letters.length >= 3 && isSpelledOut(by.split(' ')) && !(isAcronym && !isRiskWord(by.toLowerCase()))),
  );
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz';
const spoken = listWords(`
  alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra
  tango uniform victor whiskey xray yankee zulu`);
const otherwise: Record<string, string> = { alpha: 'a', juliet: 'j', whisky: 'w', 'x-ray': 'x' };
const letterOf = new Map([...spoken.map((word, at) => [word, alphabet[at]!] as const), ...Object.entries(otherwise)]);

const fewest = 6;
const longest = 40_000;
/** What stands between letters, and more of it between words. */
const gap = '[ \\t\\r\\n,.;:|/_–-]{1,6}';
const inWords = new RegExp(
  `\\b(?:${[...letterOf.keys()].join('|')})\\b(?:${gap}(?:${[...letterOf.keys()].join('|')})\\b){${fewest - 1},}`,
  'gi',
);
const inNumbers = new RegExp(
  `(?<![\\d.,])(?:[1-9]|1\\d|2[0-6])(?:${gap}(?:[1-9]|1\\d|2[0-6])(?!\\d)){${fewest - 1},}`,
  'g',
);

/** Letters written by their names on the radio (`kilo india lima lima`), or by their numbers in the alphabet. */
export function lettersByName(text: string): Finding[] {
  if (text.length > longest) return [];
  return [
    ...readNames('spelling-alphabet', text, inWords, (name) => letterOf.get(name.toLowerCase())!),
    ...readNames('numbered-letters', text, inNumbers, (name) => alphabet[Number(name) - 1]!),
  ];
}

function readNames(tool: string, text: string, pattern: RegExp, read: (name: string) => string): Finding[] {
  return [...findMatches(text, pattern)].flatMap(({ 0: original, index }) => {
    const [first, ...rest] = original.split(new RegExp(`(${gap})`));
    const gaps = rest.filter((_, at) => at % 2 === 0);
    const shortest = Math.min(...gaps.map(({ length }) => length));
    const letters = rest.map((part, at) => (at % 2 === 1 ? read(part) : isBetweenWords(part, shortest) ? ' ' : ''));
    const joined = [read(first!), ...letters].join('');
    const said = joined.includes(' ') ? joined : (segment(joined)?.join(' ') ?? joined);
    return isLanguage(said) ? [payload(tool, { original, start: index }, said, true)] : [];
  });
}

function isBetweenWords(between: string, shortest: number): boolean {
  return between.length > shortest || /[\n/|]/.test(between);
}
