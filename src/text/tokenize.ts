import { stemWithIrregulars } from './stem-words.ts';
import { listWords } from './pattern.ts';

/** A word or a number of a text with its place and, of a number, its value. */
export interface Token {
  text: string;
  /** In lower case, without its ending: what two forms of one word have in common. */
  stem: string;
  start: number;
  end: number;
  /** Of a number, its value as written. */
  number: number | null;
}

const tokenPattern = /\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th)?|\.\d+|[\p{L}][\p{L}'’&]*/gu;

/** The words and numbers of a text. Numbers in words count as numbers, up to twenty. */
export function tokenize(text: string): Token[] {
  return Array.from(text.matchAll(tokenPattern), (match) => {
    const [found] = match;
    const number = /^[.\d]/.test(found)
      ? Number.parseFloat(found.replace(/,/g, ''))
      : (numberWords.get(found.toLowerCase()) ?? null);
    return {
      text: found,
      stem: number === null ? stemWithIrregulars(found) : String(number),
      start: match.index,
      end: match.index + found.length,
      number,
    };
  });
}

const numberWords = new Map(
  listWords(`
  zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen twenty`).map((word, value) => [word, value]),
);

/** Whether a token's stem is that of a word that says nothing of its own. */
export function isCommonStem(stem: string): boolean {
  return commonStems.has(stem);
}

const commonStems = new Set(
  listWords(`
  the a an and or but if of to in on at by for with from about as be do have can could will would should shall may
  might must it its this that these those i me my you your he him his she her we us our they them their what how why
  when where who which there here so than then also both each such into over during per while among between after
  before under not no only all any some more most less least other another same very just well however although though
  because since until within without through across against upon via including include despite due`).map((word) =>
    stemWithIrregulars(word),
  ),
);
