import { listWords } from './pattern.ts';
/* Two stemmers: searches and answers on record rest on the first, the embedded weights were fitted on the second. */

/** What is longer is no word of a language, and has no form of its own. */
const longestWord = 64;

/** Without plural, -ing, -ed, -ly and possessive; only the same for forms of one word. Other than English stays. */
export function stemLightly(word: string): string {
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
