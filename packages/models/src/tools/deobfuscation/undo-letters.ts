import { isEnglish, isWord, rankWords } from '@agonhq/engine/language';
import { reverse } from './known-words.ts';
import { readLikeliest, readSigns } from './leetspeak.ts';
import { segment } from './segment-words.ts';

/** What may have been done to all letters of a text. */
export interface Undoing {
  tool: string;
  /** The ways to undo it that a text suggests; none where it cannot have been done. */
  listWays: (text: string) => readonly Way[];
}

export type Way = (text: string) => string;

/** What may have been done to all letters, whatever words they are in. */
export const undoings: readonly Undoing[] = [
  { tool: 'leetspeak', listWays: (text) => (anySign.test(text) ? [readSigns, readLikeliest] : []) },
  { tool: 'spaced-letters', listWays: (text) => [anyGap, blankGap].flatMap((gap) => joinLetters(text, gap)) },
  { tool: 'filler-letters', listWays: dropFillers },
  { tool: 'run-together', listWays: partLetters },
  { tool: 'missing-vowels', listWays: fillVowels },
  { tool: 'reversed', listWays: () => [reverse, (text) => text.replace(/\S+/g, reverse)] },
  { tool: 'shifted-letters', listWays: shiftLetters },
];

const anySign = /[013456789@$!|+€]/;

const anyGap = /([\s\p{P}\p{S}]+)/u;
const blankGap = /(\s+)/u;

/**
 * Letters kept apart by blanks, line breaks or signs: the commonest gap is between letters, a longer one between words.
 */
function joinLetters(text: string, gap: RegExp): Way[] {
  const parts = text.trim().split(gap);
  const letters = parts.filter((_, at) => at % 2 === 0);
  const gaps = parts.filter((_, at) => at % 2 === 1);
  if (gaps.length < 3 || letters.filter(({ length }) => length <= 1).length < letters.length * 0.7) return [];
  const counts = new Map<string, number>();
  for (const each of gaps) counts.set(each, (counts.get(each) ?? 0) + 1);
  const [[usual]] = [...counts].toSorted(([, one], [, other]) => other - one) as [[string, number]];
  return [
    (spaced) =>
      spaced
        .trim()
        .split(gap)
        .map((part, at) => (at % 2 === 0 ? part : part === usual ? '' : readGap(part, usual)))
        .join(''),
  ];
}

/** What stands between two words, or a mark behind the letter before: the gap without what parts letters. */
function readGap(gap: string, usual: string): string {
  const rest = gap.split(usual).join('').trim();
  const parts = (gap.length - rest.length) / usual.length;
  return rest + (parts > rest.length + 1 || rest === '' ? ' ' : '');
}

const periods = [2, 3];

/** Of each two or three characters one says something: the others are always the same, or repeat it. */
export function dropFillers(text: string): Way[] {
  const letters = text.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? [];
  if (letters.length < 12) return [];
  return periods.flatMap((period) =>
    Array.from({ length: period }, (_, kept) => kept)
      .filter((kept) => isFilled(letters, period, kept))
      .map((kept) => (filled: string) => {
        let at = 0;
        return filled.replace(/[\p{L}\p{N}]/gu, (letter) => (at++ % period === kept ? letter : ''));
      }),
  );
}

function isFilled(letters: readonly string[], period: number, kept: number): boolean {
  const usual = letters.slice(0, period);
  const fillers = letters.filter(
    (letter, at) =>
      at % period !== kept && (letter === usual[at % period] || letter === letters[at - (at % period) + kept]),
  );
  return fillers.length >= 0.9 * letters.length * (1 - 1 / period);
}

const longWord = 14;
/** Words of which capitals show where they part. */
const programName = /^[A-Za-z][a-z]{2,}(?:[A-Z][a-z]{2,})+$/;
const longGroup = 3;
/** Among many readings of a text some look like words by chance. */
const mostPerLetter = 2.7;
const longestRun = 1_000;

/** Words written without blanks, or with blanks in other places than between words. */
function partLetters(text: string): Way[] {
  const words = text.match(/[a-z]+/gi) ?? [];
  const long = words.filter((word) => word.length > longWord && !programName.test(word));
  const found: Way[] = [];
  if (long.join('').length >= 0.5 * words.join('').length)
    found.push((joined) => joined.replace(/[a-z]+/gi, (word) => (isWord(word.toLowerCase()) ? word : partWord(word))));
  const lengths = new Set(words.slice(0, -1).map(({ length }) => length));
  if (words.length >= 4 && lengths.size === 1 && words[0]!.length >= longGroup)
    found.push((joined) => partWord(joined.replace(/\s+/g, '')));
  return found;
}

function partWord(letters: string): string {
  const parts: string[] = [];
  for (let at = 0; at < letters.length; at += longestRun) {
    const run = letters.slice(at, at + longestRun);
    parts.push(...(segment(run, mostPerLetter) ?? [run]));
  }
  return parts.join(' ');
}

/** The likeliest English word for each frame of consonants, with its vowels as gaps and without them. */
let frames: { gapped: ReadonlyMap<string, string>; bare: ReadonlyMap<string, string> } | undefined;

function listFrames() {
  const gapped = new Map<string, string>();
  const bare = new Map<string, string>();
  for (const word of [...rankWords().keys()].filter((each) => isEnglish(each) || each.length > 3)) {
    const frame = word.replace(/[aeiou]/g, '*');
    if (!gapped.has(frame)) gapped.set(frame, word);
    for (const rest of [word[0]! + word.slice(1).replace(/[aeiou]/g, ''), word.replace(/[aeiou]/g, '')])
      if (rest.length >= 2 && !bare.has(rest)) bare.set(rest, word);
  }
  return { gapped, bare };
}

/** Words with a sign for each vowel (`b**ld`), or without their vowels (`bld`). */
function fillVowels(text: string): Way[] {
  const signs = text.match(/[^\sa-z0-9.,;:!?'"()-]+/gi)?.length ?? 0;
  const words = text.match(/\S+/g) ?? [];
  frames ??= listFrames();
  const { gapped, bare } = frames;
  if (signs >= words.length * 0.5)
    return [
      (signed) =>
        signed.replace(/[^\s.,;:!?'"()]+/g, (word) => gapped.get(word.toLowerCase().replace(/[^a-z]/g, '*')) ?? word),
    ];
  const letters = text.match(/[a-z]/gi)?.length ?? 0;
  if ((text.match(/[aeiou]/gi)?.length ?? 0) > letters * 0.15) return [];
  return [(short) => short.replace(/[a-z]+/gi, (word) => bare.get(word.toLowerCase()) ?? word)];
}

/** How often each letter occurs in English, in thousandths. */
const frequencies = [
  82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20, 1,
];
const likeliest = 3;
const alphabet = 'abcdefghijklmnopqrstuvwxyz';
const signInWord = /(?<=[a-z])[\d@$]|[\d@$](?=[a-z])/gi;
const signed = 'aeiost';
const fewSigns = 3;

/** Rot13 and Atbash: letters in other disguises besides say little by their frequencies. */
function isWellKnown({ turn, by }: { turn: number; by: number }): boolean {
  return turn === 1 ? by === 13 : by === 25;
}

/** Letters moved along the alphabet by any number, or counted from its end: as their frequencies say. */
function shiftLetters(text: string): Way[] {
  const counts = frequencies.map(() => 0);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) counts[at]! += 1;
  }
  const shifts = Array.from({ length: 52 }, (_, at) => ({ turn: at < 26 ? 1 : -1, by: at % 26 })).slice(1);
  // Where signs stand for letters, those letters say nothing.
  const signs = text.match(signInWord)?.length ?? 0;
  const usual = frequencies.map((often, at) => (signs >= fewSigns && signed.includes(alphabet[at]!) ? 1 : often));
  const fit = ({ turn, by }: { turn: number; by: number }) =>
    counts.reduce((sum, count, at) => sum + count * Math.log(usual[(turn * at + by + 26) % 26]!), 0);
  const byFit = shifts.map((shift) => ({ ...shift, fit: fit(shift) })).toSorted((one, other) => other.fit - one.fit);
  return byFit
    .filter((shift, place) => place < likeliest || isWellKnown(shift))
    .map(
      ({ turn, by }) =>
        (shifted) =>
          shifted.replace(/[a-z]/gi, (letter) => {
            const base = letter <= 'Z' ? 65 : 97;
            return String.fromCharCode(((turn * (letter.charCodeAt(0) - base) + by + 26) % 26) + base);
          }),
    );
}
