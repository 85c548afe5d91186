import { pattern, wordSet, listWords } from './pattern.ts';

/* Two stemmers: searches and answers on record rest on the first, the embedded weights were fitted on the second. */

/** What is longer is no word of a language, and has no form of its own. */
const longestWord = 64;

/** Without plural, -ing, -ed, -ly and possessive; only the same for forms of one word. Other than English stays. */
function stemLightly(word: string): string {
  if (word.length > longestWord || !/^[a-z']+$/.test(word)) return word.replaceAll(',', '');
  const plain = word.replace(/'s?$/, '');
  const bare = plain.length > 4 ? plain.replace(/ies$/, 'y').replace(/(?:(?<=[sxz]|ch|sh)es|(?<![su])s)$/, '') : plain;
  const root = bare.replace(/(?<=[a-z]{3})(?:ing|ed|ly)$/, '');
  return root.replace(/(.)\1$/, '$1').replace(/e$/, '');
}

/** The stem of a word in any case, irregular forms included: "grew" and "growth" are "grow". */
export function stemWithIrregulars(word: string): string {
  if (word.length > longestWord) return word.toLowerCase();
  const lower = word
    .toLowerCase()
    .replace(/[’']s?$/u, '')
    .replace(/’/gu, "'");
  const known = irregular.get(lower);
  if (known !== undefined) return known;
  if (lower.length < 4) return lower;
  let stem = lower;
  if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (stem.endsWith('s') && !/(?:ss|us|is)$/.test(stem)) stem = stem.slice(0, -1);
  const bare = stem.replace(/(?:ing|ed|ly)$/, '');
  if (bare !== stem && bare.length > 2 && /[aeiouy]/.test(bare))
    stem = /([^aeiouls])\1$/.test(bare) ? bare.slice(0, -1) : bare;
  return stem.endsWith('e') && stem.length > 4 ? stem.slice(0, -1) : stem;
}

/** The stems of a list of words. */
export function stemAll(words: string): ReadonlySet<string> {
  return new Set(listWords(words).map((word) => stemWithIrregulars(word)));
}

/** Forms that no ending shows, each with its stem. */
const irregular = new Map(
  listWords(`
  is/be are/be was/be were/be been/be being/be has/have had/have having/have did/do does/do done/do won/win lost/lose
  loss/lose losses/lose men/man women/woman children/child people/person rose/rise risen/rise fell/fall fallen/fall
  grew/grow grown/grow growth/grow made/make held/hold met/meet led/lead began/begin begun/begin became/become
  took/take taken/take gave/give given/give paid/pay said/say told/tell sold/sell bought/buy left/leave went/go
  gone/go came/come kept/keep found/find felt/feel thought/think brought/bring sent/send spent/spend built/build
  chose/choose chosen/choose shown/show best/best better/better worst/worst least/least less/less series/series
  species/species`).map((pair) => pair.split('/') as [string, string]),
);

/** A word or a number of a text with its place and, of a number, its value. */
export interface WordToken {
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
export function tokenize(text: string): WordToken[] {
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

/** The words and numbers of a text without case and marks: how two texts are compared where scripts do not matter. */
export function splitPlainWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** What a text says, whatever its case, spaces and punctuation. */
export function joinPlainWords(text: string): string {
  return splitPlainWords(text).join(' ');
}

/** A word of a text with its place, as a search compares it: folded, and without its inflection. */
export interface Word {
  folded: string;
  stem: string;
  start: number;
  end: number;
}

// Numbers keep their points and signs of thousands; scripts without spaces are taken letter by letter.
const wordPattern = pattern('gu')`
  \p{Nd}+(?:[.,]\p{Nd}+)*|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]
  |[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*`;

/** The words of a text with their places: numbers are whole, and a script without spaces gives a word a letter. */
export function splitWords(text: string): Word[] {
  return Array.from(text.matchAll(wordPattern), (match) => {
    const folded = foldCase(match[0]);
    return { folded, stem: stemLightly(folded), start: match.index, end: match.index + match[0].length };
  });
}

/** In lower case, with one form of each letter and of the apostrophe. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('’', "'");
}

const functionWords = wordSet(`
  a an the and or nor but of in on at by for from to with as is are was were be been being it its this that these
  those there their they we our us i you he she his her has have had do does did not no than then so such which who
  whom whose what when where while will would can could may might shall should must also into over under between per
  up down out about after before during through against both each other some any all more most only same own s t`);

/** Whether a word says something of its own. */
export function isContentWord({ folded }: Word): boolean {
  return !functionWords.has(folded);
}

/** What a text is about: the stems of its words that say something. */
export function listContentStems(text: string): Set<string> {
  return new Set(
    splitWords(text)
      .filter(isContentWord)
      .map(({ stem }) => stem),
  );
}

export function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((member) => other.has(member)).length;
}
