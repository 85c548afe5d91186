import { isEnglish, rankWords } from '@agonhq/engine/language';
import type { Undoing, Way } from './undo-letters.ts';

const vowels = 'aeiou';

/** Each vowel is the one so many places before it. */
function turnVowels(text: string, by: number): string {
  return text.replace(/[aeiou]/gi, (letter) => {
    const turned = vowels[(vowels.indexOf(letter.toLowerCase()) + vowels.length - by) % vowels.length]!;
    return letter < 'a' ? turned.toUpperCase() : turned;
  });
}

/** A word by its first and last letter and those between them, whatever their order. */
let byLetters: ReadonlyMap<string, string> | undefined;

function nameLetters(word: string): string {
  return `${word[0]}${Array.from(word.slice(1, -1)).toSorted().join('')}${word.at(-1)}`;
}

function sortLetters(text: string): string {
  if (!byLetters) {
    const found = new Map<string, string>();
    for (const word of rankWords().keys())
      if (word.length > 3 && !found.has(nameLetters(word))) found.set(nameLetters(word), word);
    byLetters = found;
  }
  const words = byLetters;
  return text.replace(/[a-z]{4,}/gi, (word) => {
    const lower = word.toLowerCase();
    return isEnglish(lower) || rankWords().has(lower) ? word : (words.get(nameLetters(lower)) ?? word);
  });
}

/** What is done to the letters of each word by itself. */
export const wordGames: readonly Undoing[] = [
  {
    tool: 'turned-vowels',
    listWays: (text) =>
      keepReadable(
        text,
        [1, 2, 3, 4].map((by) => (turned) => turnVowels(turned, by)),
      ),
  },
  {
    tool: 'moved-letters',
    listWays: (text) =>
      keepReadable(text, [
        (moved) => moved.replace(/([a-z])([a-z]+)/gi, '$2$1'),
        (moved) => moved.replace(/([a-z]+)([a-z])/gi, '$2$1'),
        (moved) => moved.replace(/([a-z])([a-z])/gi, '$2$1'),
      ]),
  },
  {
    tool: 'doubled-letters',
    listWays: (text) =>
      keepReadable(text, [
        (doubled) => doubled.replace(/([b-df-hj-np-tv-z])o\1/gi, '$1'),
        (doubled) => doubled.replace(/([aeiou]{1,2})[bfpv]\1/gi, '$1'),
      ]),
  },
  { tool: 'rot47', listWays: (text) => keepReadable(text, [turnSigns]) },
  { tool: 'shuffled-letters', listWays: (text) => keepReadable(text, [sortLetters]) },
];

function turnSigns(text: string): string {
  return text.replace(/[!-~]/g, (sign) => String.fromCharCode(((sign.charCodeAt(0) - 33 + 47) % 94) + 33));
}

const fewestWords = 4;
const share = { suspect: 0.75, read: 0.85, gained: 0.25 };
const longestLook = 600;

/** It is undone only where words come of it that were none. */
function keepReadable(text: string, ways: readonly Way[]): Way[] {
  const sample = text.slice(0, longestLook);
  if (!/[!-~]/.test(sample)) return [];
  const before = shareOfWords(sample);
  if (before >= share.suspect) return [];
  return ways.filter((way) => {
    const after = shareOfWords(way(sample));
    return after >= share.read && after - before >= share.gained;
  });
}

function shareOfWords(text: string): number {
  const words = text.toLowerCase().match(/[^\s.,;:!?'"()’“”-]+/g) ?? [];
  if (words.length < fewestWords) return 0;
  const letters = words.reduce((sum, { length }) => sum + length, 0);
  const known = words.filter((word) => /^[a-z]+$/.test(word) && (isEnglish(word) || rankWords().has(word)));
  return known.reduce((sum, { length }) => sum + length, 0) / letters;
}
