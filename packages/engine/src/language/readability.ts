import { createRequire } from 'node:module';
import type { TextRange } from '../text/index.ts';
import { candidates } from './detect-language.ts';
import { countStrange } from './scripts.ts';
import { commonWords, programWords, romanisedArabic, romanisedHindi } from './common-words.ts';
import { isEnglish, isWord, rankWords } from './english-words.ts';

/**
 * How the words of a text in Latin letters can be read; those of other scripts, names of things and links count not.
 */
export interface Readability {
  /** How many words, and letters in them, that says. */
  words: number;
  letters: number;
  /** How much of the letters stands in English words. */
  english: number;
  /** How many of the words are common in one other language: in that in which most are. */
  other: number;
  /** How many of the sequences of three letters in the words that are not English occur in words at all. */
  usual: number;
}

interface Word extends TextRange {
  /** In lower case, without accents and apostrophes. */
  plain: string;
  /** In lower case, as far as an apostrophe. */
  stem: string;
  known: boolean;
  /** Begins with a capital. */
  isName: boolean;
}

const maxLength = 200_000;
const anyToken = /[\p{L}\p{M}\p{N}_@#'’]+/gu;
const asciiWord = /[a-z]+(?:'[a-z]+)*/gi;
const link = /\b(?:https?:\/\/|www\.)\S+/g;
/** Mentions, identifiers and words of other scripts. */
const noWord = /[^\p{Script=Latin}\p{M}'’]|[a-z][A-Z]/u;
const anyLetter = /[\p{L}\u2800-\u28ff]/gu;
const beyondLatin = /[^\x00-\u024f\u2000-\u206f]/;

/** So many unknown words in a row, of so many letters, are a stretch to be looked at. */
const stretch = { words: 5, letters: 20 };
/** What is read must hold so much; more where only one word is long, and of letters that nobody reads less. */
const enough = { words: 4, letters: 20, beside: 24, strange: 12 };
const shortWord = 4;
/** Of so many words most may be names. */
const fewWordsOfNames = 8;
const laughter = /^(.{1,3}?)\1+.{0,2}$/;
/** So few words of babble are some, the shortest of other languages by chance. */
const few = { english: 0.15, other: 0.35 };
const mostWords = 300;
const least = { english: 0.3, other: 0.15, usual: 0.7 };

/**
 * Where the letters of a text are no words of any language: the whole of it, or stretches of it. Ordinary texts in any
 * language, names and code give nothing.
 *
 * @example findUnreadable('Krz gr L exlog wklv dw krph?') // [{ start: 0, end: 28 }]
 */
export function findUnreadable(text: string): TextRange[] {
  if (isPlainEnglish(text)) return [];
  const words = listWords(text);
  const whole = { start: 0, end: text.length };
  if (isStrange(text)) return [whole];
  if ((isUnreadable(words) || isBabble(words)) && isLatin(text, whole)) return [whole];
  return findRuns(words)
    .filter(isUnreadable)
    .map((run) => ({ start: run[0]!.start, end: run.at(-1)!.end }))
    .filter((range) => isLatin(text, range));
}

export function measureReadability(text: string): Readability {
  return measure(listWords(text));
}

/** Abbreviations of chats have no vowels either, and names of elsewhere other letters. */
function isUnreadable(words: readonly Word[]): boolean {
  if (words.length < enough.words || isListOfNames(words)) return false;
  const { letters, english, other, usual } = measure(words);
  const long = words.filter(({ plain }) => plain.length > shortWord).length;
  if (long === 0 || letters < (long === 1 ? enough.beside : enough.letters)) return false;
  return english < least.english && other < least.other && usual < least.usual;
}

function isListOfNames(words: readonly Word[]): boolean {
  return words.length <= fewWordsOfNames && words.filter(({ isName }) => isName).length > 0.6 * words.length;
}

/** Whether a text sounds like English and has not a word of it, as pig Latin does. Names are written with capitals. */
function isBabble(words: readonly Word[]): boolean {
  if (words.length < stretch.words || words.filter(({ isName }) => isName).length >= words.length / 2) return false;
  const { letters, english, other } = measure(words);
  if (letters < stretch.letters || english >= few.english || other >= few.other) return false;
  const { detect } = createRequire(import.meta.url)('tinyld') as typeof import('tinyld');
  return (
    detect(
      words
        .slice(0, mostWords)
        .map(({ plain }) => plain)
        .join(' '),
      { only: candidates },
    ) === 'en'
  );
}

/** What most texts are told by, in a fraction of the time: frequent words in it, and no stretch without them. */
function isPlainEnglish(text: string): boolean {
  let [known, all, unknown] = [0, 0, 0];
  for (const [word] of text.slice(0, maxLength).matchAll(asciiWord)) {
    all += 1;
    if (isEnglish(word.toLowerCase())) {
      known += 1;
      if (word.length > 2) unknown = 0;
    } else if (++unknown >= stretch.words) return false;
  }
  return known >= all * 0.5 && all > 0 && !beyondLatin.test(text);
}

/** Whether much of a text stands in a script that nobody here reads. */
function isStrange(text: string): boolean {
  const read = text.slice(0, maxLength);
  const strange = beyondLatin.test(read) ? countStrange(read) : 0;
  return strange >= enough.strange && strange >= 0.4 * (read.match(anyLetter)?.length ?? 0);
}

/** Whether it is not the Latin words in a text of another script that were looked at. */
function isLatin(text: string, { start, end }: TextRange): boolean {
  const passage = text.slice(start, Math.min(end, start + maxLength));
  const latin = passage.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin >= 0.6 * (passage.match(/\p{L}/gu)?.length ?? 0);
}

function listWords(text: string): Word[] {
  const read = text.slice(0, maxLength).replace(link, (skipped) => ' '.repeat(skipped.length));
  const words: Word[] = [];
  for (const { 0: token, index } of read.matchAll(anyToken)) {
    const plain = noWord.test(token) ? '' : withoutAccents(token.toLowerCase()).replace(/(.)\1{2,}/g, '$1');
    if (plain === '' || laughter.test(plain)) continue;
    const [stem = ''] = token.toLowerCase().split(/['’]/, 1);
    const known = isEnglish(plain) || (stem !== plain && isEnglish(stem));
    words.push({ start: index, end: index + token.length, plain, stem, known, isName: /^\p{Lu}/u.test(token) });
  }
  return words;
}

function withoutAccents(word: string): string {
  return /^[a-z]*$/.test(word)
    ? word
    : word
        .normalize('NFKD')
        .replace(/[\p{M}'’]/gu, '')
        .replace(/[ßøæłđı]/g, (letter) => ({ ß: 'ss', ø: 'o', æ: 'ae', ł: 'l', đ: 'd', ı: 'i' })[letter]!);
}

/** Words in a row none of which is frequent in English; one of one or two letters may be so by chance. */
function findRuns(words: readonly Word[]): Word[][] {
  const runs: Word[][] = [];
  let run: Word[] = [];
  for (const word of words) {
    if (!word.known || word.plain.length <= 2) run.push(word);
    else {
      runs.push(run);
      run = [];
    }
  }
  runs.push(run);
  return runs.filter(
    (each) => each.length >= stretch.words && each.reduce((sum, { plain }) => sum + plain.length, 0) >= stretch.letters,
  );
}

const otherLists = [
  ...Object.entries(commonWords).flatMap(([language, list]) => (language === 'en' ? [] : [list])),
  romanisedHindi,
  romanisedArabic,
];

/** In which of them each word is. */
const speakers = new Map<string, number[]>();
for (const [place, list] of otherLists.entries())
  for (const word of list) speakers.set(word, [...(speakers.get(word) ?? []), place]);

function measure(words: readonly Word[]): Readability {
  const others = otherLists.map(() => 0);
  const sum = { letters: 0, english: 0, sequences: 0, usual: 0 };
  for (const { plain, stem, known } of words) {
    sum.letters += plain.length;
    for (const place of speakers.get(stem) ?? []) others[place]! += 1;
    if (known || isWord(plain) || isWord(stem) || programWords.has(stem)) sum.english += plain.length;
    else
      for (const sequence of listSequences(plain)) {
        sum.sequences += 1;
        if (usualSequences().has(sequence)) sum.usual += 1;
      }
  }
  return {
    words: words.length,
    letters: sum.letters,
    english: sum.english / Math.max(1, sum.letters),
    other: Math.max(...others) / Math.max(1, words.length),
    usual: sum.sequences === 0 ? 1 : sum.usual / sum.sequences,
  };
}

/** Each three letters of a word, with its beginning and end. */
function listSequences(word: string): string[] {
  const bounded = `^${word}$`;
  return Array.from({ length: Math.max(0, bounded.length - 2) }, (_, at) => bounded.slice(at, at + 3));
}

/** In so many English words a sequence occurs that is no accident; a common word of another language is as good. */
const fewWords = 3;
let usualOnes: ReadonlySet<string> | undefined;

function usualSequences(): ReadonlySet<string> {
  usualOnes ??= collectSequences();
  return usualOnes;
}

function collectSequences(): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const count = (word: string, times: number) => {
    for (const sequence of listSequences(word)) counts.set(sequence, (counts.get(sequence) ?? 0) + times);
  };
  for (const word of rankWords().keys()) count(word, 1);
  for (const list of otherLists) for (const word of list) count(withoutAccents(word), fewWords);
  return new Set([...counts].flatMap(([sequence, times]) => (times >= fewWords ? [sequence] : [])));
}
