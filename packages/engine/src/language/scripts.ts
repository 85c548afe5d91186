import { listWords } from '../text/index.ts';

/** Scripts in which one language is written, or nearly one, by its ISO 639-1 code. */
const languageOfScript: readonly (readonly [string, RegExp])[] = [
  ['ko', /\p{Script=Hangul}/u],
  ['th', /\p{Script=Thai}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['el', /\p{Script=Greek}/u],
  ['bn', /\p{Script=Bengali}/u],
  ['ta', /\p{Script=Tamil}/u],
  ['te', /\p{Script=Telugu}/u],
  ['kn', /\p{Script=Kannada}/u],
  ['ml', /\p{Script=Malayalam}/u],
  ['gu', /\p{Script=Gujarati}/u],
  ['pa', /\p{Script=Gurmukhi}/u],
  ['si', /\p{Script=Sinhala}/u],
  ['ka', /\p{Script=Georgian}/u],
  ['hy', /\p{Script=Armenian}/u],
  ['am', /\p{Script=Ethiopic}/u],
  ['lo', /\p{Script=Lao}/u],
  ['km', /\p{Script=Khmer}/u],
  ['my', /\p{Script=Myanmar}/u],
];

type Family = 'latin' | 'han' | 'kana' | 'cyrillic' | 'arabic' | 'devanagari' | (string & {});

const families: readonly (readonly [Family, RegExp])[] = [
  ['latin', /\p{Script=Latin}/u],
  ['han', /\p{Script=Han}/u],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['cyrillic', /\p{Script=Cyrillic}/u],
  ['arabic', /\p{Script=Arabic}/u],
  ['devanagari', /\p{Script=Devanagari}/u],
  ...languageOfScript,
];

let strangeLetter: RegExp | undefined;

/** How many letters are of scripts in which no language is told from another, such as runes; or Braille. */
export function countStrange(text: string): number {
  const ordinary = ['Common', 'Inherited', 'Bopomofo'].map((script) => `\\p{Script=${script}}`);
  strangeLetter ??= new RegExp(
    `(?!${[...ordinary, ...families.map(([, { source }]) => source)].join('|')})\\p{L}|[\\u2800-\\u28ff]`,
    'gu',
  );
  return text.match(strangeLetter)?.length ?? 0;
}

/** How much of a text is in which script: an ideograph says about as much as half a word, as do two kana. */
const worthOfCharacter: Partial<Record<Family, number>> = {
  han: 0.6,
  kana: 0.3,
  th: 0.25,
  lo: 0.25,
  km: 0.25,
  my: 0.25,
};

/** The words of a text by script, and how much each script weighs among them, in words. */
export interface ScriptShares {
  weights: ReadonlyMap<Family, number>;
  total: number;
}

export function weighScripts(text: string): ScriptShares {
  const weights = new Map<Family, number>();
  let total = 0;
  const add = (family: Family, weight: number) => {
    weights.set(family, (weights.get(family) ?? 0) + weight);
    total += weight;
  };
  for (const word of text.match(/[\p{L}\p{M}]+/gu) ?? []) {
    const found = /[a-z]/i.test(word) ? null : familiesOf(word);
    // Letters of two alphabets in one word are one of them in costume: kіll with a Cyrillic і.
    if (found === null || found.has('latin')) add('latin', 1);
    else for (const [family, letters] of found) add(family, (worthOfCharacter[family] ?? 1 / letters) * letters);
  }
  return { weights, total };
}

function familiesOf(word: string): Map<Family, number> {
  const found = new Map<Family, number>();
  for (const letter of word) {
    const family = families.find(([, pattern]) => pattern.test(letter))?.[0];
    if (family !== undefined) found.set(family, (found.get(family) ?? 0) + 1);
  }
  return found;
}

/** The language of a text in one of the scripts but Latin, and how sure that is. */
export function readScript(family: Family, text: string): { language: string; confidence: number } {
  return readers[family]?.(text) ?? { language: family, confidence: 0.99 };
}

const readers: Partial<Record<Family, (text: string) => { language: string; confidence: number }>> = {
  han: readIdeographs,
  kana: readIdeographs,
  cyrillic: (text) => firstOf(text, listLetters().cyrillic, 'ru'),
  arabic: (text) => firstOf(text, listLetters().arabic, 'ar'),
  devanagari: readDevanagari,
};

/** Kana is Japanese, but for a の in a Chinese shop sign; so are the ideographs that only Japan writes. */
function readIdeographs(text: string): { language: string; confidence: number } {
  const kana = text.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  if (kana > 1 && kana / (kana + han) > 0.08) return { language: 'ja', confidence: 0.99 };
  if (han === 0) return { language: 'ja', confidence: 0.9 };
  if (/[働込峠畑辻匂枠々気円売駅図楽歳絵対広済応択訳読続総繊戦価変黒]/u.test(text))
    return { language: 'ja', confidence: 0.8 };
  return { language: 'zh', confidence: han < 3 ? 0.8 : 0.97 };
}

/** The first language whose own letters occur; without any the one that does without them. */
function firstOf(
  text: string,
  letters: readonly (readonly [string, RegExp])[],
  otherwise: string,
): { language: string; confidence: number } {
  const count = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, own] of letters) {
    const found = text.match(own)?.length ?? 0;
    if (found > 0 && found / count > 0.005) return { language, confidence: found > 1 || count < 20 ? 0.95 : 0.8 };
  }
  return { language: otherwise, confidence: count < 20 ? 0.7 : 0.85 };
}

/** Any of these words, whole. */
function anyOf(words: string): string {
  return `(?<![\\p{L}\\p{M}])(?:${listWords(words).join('|')})(?![\\p{L}\\p{M}])`;
}

type LanguageLetters = readonly (readonly [string, RegExp])[];

let letters: Record<'cyrillic' | 'arabic' | 'devanagari', LanguageLetters> | undefined;

/** The letters and words that only one language of a script has; made when a text in such a script first comes. */
function listLetters() {
  return (letters ??= makeLetters());
}

function makeLetters() {
  const ukrainian = anyOf(`
    це цей ця що щоб він вона воно вони але як якщо дуже його треба немає ласка чому коли хто тільки вже ще зараз або
    був була було були`);
  const bulgarian = anyOf('съм със във той тази това които');
  const persian = anyOf('است این برای نیست شما آنها چه');
  const cyrillic: LanguageLetters = [
    ['kk', /[әғқңұһӘҒҚҢҰҺ]/gu],
    ['mk', /[ѓќѕЃЌЅ]/gu],
    ['sr', /[ђћџљњјЂЋЏЉЊЈ]/gu],
    ['be', /[ўЎ]/gu],
    ['uk', new RegExp(`[іїєґІЇЄҐ]|${ukrainian}`, 'giu')],
    ['ru', /[ыэёЫЭЁ]/gu],
    ['bg', new RegExp(`(?<=\\p{L})[ъЪ](?=[^еёюяЕЁЮЯ])|${bulgarian}`, 'gu')],
  ];
  const arabic: LanguageLetters = [
    ['ckb', /[ێۆڕڵ]/gu],
    ['ps', /[ټډړښځڅګ]/gu],
    ['ur', /[ٹڈڑںےھہ]/gu],
    ['fa', new RegExp(`[پچژگکی]|${persian}`, 'gu')],
  ];
  const devanagari: LanguageLetters = [
    ['hi', 'है हैं हूँ हूं था थी थे का की के को में से नहीं और यह वह मैं तुम आप क्या भी पर कर हो ने'] as const,
    ['mr', 'आहे आहेत आणि नाही मी तू होते होता मला तुम्ही काय पण हे ते ची चा चे मध्ये'] as const,
    ['ne', 'छ छन् छैन हो र मेरो तपाईं गर्न भएको पनि यो त्यो लाई मा म'] as const,
  ].map(([language, words]) => [language, new RegExp(anyOf(words), 'gu')]);
  return { cyrillic, arabic, devanagari };
}

function readDevanagari(text: string): { language: string; confidence: number } {
  const [best, next] = listLetters()
    .devanagari.map(([language, words]) => ({ language, hits: text.match(words)?.length ?? 0 }))
    .toSorted((one, other) => other.hits - one.hits);
  if (best!.hits === 0) return { language: 'hi', confidence: 0.7 };
  return {
    language: best!.hits === next!.hits ? 'hi' : best!.language,
    confidence: best!.hits > 2 * next!.hits ? 0.95 : 0.7,
  };
}
