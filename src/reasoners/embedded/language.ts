import { listWords, wordSet } from '../../text/index.ts';
/** How many letters in another script are no slip or emoticon. */
const enough = 4;
const sampleLength = 4000;

/** Words that hardly a sentence of English does without. */
const commonEnglish = wordSet(`
  the a an and or but if of to in on at by for with from about as is are was were be been am do does did have has had
  can could will would should not no it its this that these those i me my you your he him his she her we us our they
  them their what how why when where who which there here so just like get more all out up people`);

/** Languages that are told apart; the rarest would only be mistaken for something else. */
const candidates = listWords(`
  en de fr es it pt nl sv da no fi pl cs ro hu tr vi id tl`);

/** The language of a text that the guard, which reads English, was not trained on; null where it was or may be. */
export async function foreignLanguage(text: string): Promise<string | null> {
  const sample = sampleOf(text);
  const letters = sample.match(/\p{L}/gu) ?? [];
  if (letters.length < enough) return null;
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length;
  if (latin < letters.length / 2) return scriptOf(letters.join(''));

  // Payloads, links and identifiers belong to no language.
  const words = sample
    .toLowerCase()
    .split(/[^\p{L}\p{N}'’]+/u)
    .filter((word) => /^[\p{L}'’]{1,18}$/u.test(word));
  const english = words.filter((word) => commonEnglish.has(word)).length;
  if (words.length < 4 || english >= (words.length < 8 ? 1 : words.length / 6)) return null;
  const { detectAll } = await import('tinyld');
  const [best] = detectAll(someOf(words).join(' '), { only: candidates });
  return best && best.lang !== 'en' && best.accuracy > (words.length < 8 ? 0.6 : 0.4)
    ? (names.of(best.lang) ?? best.lang)
    : null;
}

/** Telling languages apart takes time by the word, and a few hundred tell as much as all. */
function someOf(words: readonly string[]): readonly string[] {
  const most = 300;
  const step = Math.ceil(words.length / most);
  // In runs of ten, since what stands side by side tells most.
  return step === 1 ? words : words.filter((_, index) => Math.floor(index / 10) % step === 0);
}

const names = new Intl.DisplayNames('en', { type: 'language' });

/** The beginning, the middle and the end: a text may change its language. */
function sampleOf(text: string): string {
  if (text.length <= 3 * sampleLength) return text;
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, sampleLength), text.slice(middle, middle + sampleLength), text.slice(-sampleLength)].join(' ');
}

function scriptOf(letters: string): string {
  return Object.entries(scripts).find(([, pattern]) => pattern.test(letters))?.[0] ?? 'another script';
}

const scripts = {
  Japanese: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  Chinese: /\p{Script=Han}/u,
  Korean: /\p{Script=Hangul}/u,
  'a language in Cyrillic letters': /\p{Script=Cyrillic}/u,
  Arabic: /\p{Script=Arabic}/u,
  Hebrew: /\p{Script=Hebrew}/u,
  Hindi: /\p{Script=Devanagari}/u,
  Greek: /\p{Script=Greek}/u,
  Thai: /\p{Script=Thai}/u,
};
