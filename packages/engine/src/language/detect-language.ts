import { listWords } from '../text/index.ts';
import { commonWords, programWords, romanisedArabic, romanisedHindi } from './common-words.ts';
import { readScript, weighScripts } from './scripts.ts';

/** A language by its ISO 639 code; `und` where a text does not show one. */
export interface DetectedLanguage {
  language: string;
  /** From 0 to 1: how sure it is. */
  confidence: number;
  /** Whether it stands in Latin letters, although it is mostly written in others. */
  romanised?: boolean;
}

const undetermined: DetectedLanguage = { language: 'und', confidence: 0 };

/**
 * The language that most of a text is in. Links, code, names and single words show none.
 *
 * @example await detectLanguage('Wo ist der Bahnhof?') // { language: 'de', confidence: 0.97 }
 */
export async function detectLanguage(text: string): Promise<DetectedLanguage> {
  const sample = cleanSample(text);
  if (!beyondAscii.test(sample)) return readLatin(sample, scoreWords(listAsciiWords(sample)));
  const { weights, total } = weighScripts(sample);
  if (total === 0) return undetermined;
  const [[family, weight]] = [...weights].toSorted(([, one], [, other]) => other - one) as [[string, number]];
  const japanese = (weights.get('kana') ?? 0) + (weights.get('han') ?? 0);
  const script = japanese > weight ? 'han' : family;
  if (script === 'latin') return readLatin(sample, scoreLetters(scoreWords(listAnyWords(sample))));
  const share = Math.max(weight, japanese) / total;
  // A letter or two are an emoticon or a symbol.
  const letters = sample.match(/[^\p{Script=Latin}\P{L}]/gu)?.length ?? 0;
  if (letters < 2 || share < 0.5) return undetermined;
  const { language, confidence } = script === 'cyrillic' ? await readCyrillic(sample) : readScript(script, sample);
  return { language, confidence: round(confidence * Math.min(1, 0.4 + letters / 8) * Math.min(1, 0.2 + share)) };
}

/** By letters that only one of the languages has; where none occurs, by how letters follow each other. */
async function readCyrillic(sample: string): Promise<{ language: string; confidence: number }> {
  const byLetters = readScript('cyrillic', sample);
  if (byLetters.confidence >= 0.9) return byLetters;
  const sequences = await compareSequences(sample.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [], cyrillicCandidates);
  const [best] = [...sequences].toSorted(([, one], [, other]) => other - one);
  return best && best[1] > 0.3 ? { language: best[0], confidence: Math.max(0.6, best[1]) } : byLetters;
}

/** In English words: `German`, `Chinese`. */
export function nameLanguage(code: string): string {
  return code === 'und' ? 'an unknown language' : (languageNames.of(code) ?? code);
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

const sampleLength = 4000;

/** The beginning, the middle and the end, since a text may change its language; without what is in no language. */
function cleanSample(text: string): string {
  const middle = Math.floor(text.length / 2);
  const sample =
    text.length <= 3 * sampleLength
      ? text
      : [text.slice(0, sampleLength), text.slice(middle, middle + sampleLength), text.slice(-sampleLength)].join(' ');
  const usual = beyondAscii.test(sample) ? sample.normalize('NFKC') : sample;
  const plain = usual.includes('`') ? usual.replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' ') : usual;
  // Looking for any of it takes a fraction of looking for all of it.
  if (!/[@#]|http|www\./.test(plain)) return plain;
  return plain.replaceAll(
    /\b(?:https?:\/\/|www\.)\S+|(?<![\w.+-])[\w.+-]+@[\w-]+\.\w+|(?<![\p{L}\p{N}])[@#][\p{L}\p{N}_]+/gu,
    ' ',
  );
}

const wordLists = { ...commonWords, 'hi-Latn': romanisedHindi, 'ar-Latn': romanisedArabic };
const languages = Object.keys(wordLists);
const findPlaces = (codes: readonly string[]) => codes.map((code) => languages.indexOf(code));
const english = languages.indexOf('en');

/** Languages by their places in the list, and what each of them has of a word. */
interface Hint {
  places: readonly number[];
  worth: number;
}

const hintAt = (places: readonly number[], worth: number): Hint => ({ places, worth: worth / places.length });

/** Which languages each common word speaks for. */
const hints = (() => {
  const speakers = new Map<string, number[]>();
  for (const [place, words] of Object.values(wordLists).entries())
    for (const word of words) speakers.set(word, [...(speakers.get(word) ?? []), place]);
  const index = new Map([...speakers].map(([word, places]) => [word, [hintAt(places, 1)]]));
  for (const word of programWords) index.set(word, [...(index.get(word) ?? []), hintAt([english], 0.5)]);
  return index;
})();

/** Letters that few languages write, and which. */
const ownLetters = (
  [
    [/[ß]/u, ['de']],
    [/[äöü]/u, ['de', 'tr', 'sv', 'fi', 'hu']],
    [/[ñ¿¡]/u, ['es']],
    [/[ãõ]/u, ['pt']],
    [/[łąęśźżćń]/u, ['pl']],
    [/[şğı]/u, ['tr']],
    [/[èêëîïûùœ]/u, ['fr']],
    [/[ìò]/u, ['it']],
    [/[åøæ]/u, ['da', 'no', 'sv']],
    [/[řěů]/u, ['cs']],
    [/[ășțţ]/u, ['ro']],
    [/[őű]/u, ['hu']],
    [/[ơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u, ['vi']],
  ] as const
).map(([letters, codes]) => [letters, hintAt(findPlaces(codes), 0.6)] as const);

const beyondAscii = /[^\x00-\x7f]/;

/** Told apart by how letters follow each other; the rarest would only be mistaken for something else. */
export const candidates = listWords('en de fr es it pt nl sv da no fi pl cs ro hu tr vi id tl sw');
const cyrillicCandidates = listWords('ru uk bg sr mk be');

async function readLatin(sample: string, { words, scores, spokenFor }: WordScores): Promise<DetectedLanguage> {
  if (words.length === 0) return undetermined;
  const enough = words.length < 8 ? 0.9 : words.length / 7;
  const others = spokenFor.reduce((most, place) => (place === english ? most : Math.max(most, scores[place]!)), 0);
  if (scores[english]! >= enough && scores[english]! > 1.5 * others) return { language: 'en', confidence: 0.99 };
  const names = (sample.match(/(?<!\p{L})\p{Lu}\p{Ll}+/gu)?.length ?? 0) > 0.7 * words.length;
  const byLanguage = new Map(spokenFor.map((place) => [languages[place]!, scores[place]!]));
  return combine(words, byLanguage, { sequences: await compareSequences(words), names });
}

/** Words in lower case. Payloads and identifiers belong to no language. */
function listAnyWords(sample: string): string[] {
  return sample
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}'’]+/u)
    .map((word) => word.replaceAll('’', "'"))
    .filter((word) => /^[\p{L}\p{M}']{1,18}$/u.test(word) || romanisedArabic.has(word));
}

/** The same where there are no other letters than those of most texts: in half the time. */
function listAsciiWords(sample: string): string[] {
  const words = sample.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  return words.filter((word) => (word.length <= 18 && !/\d/.test(word)) || romanisedArabic.has(word));
}

interface WordScores {
  words: readonly string[];
  /** How much they speak for each language, in words, by the places of languages. */
  scores: Float64Array;
  /** In the order in which the text speaks for them. */
  spokenFor: number[];
}

function scoreWords(words: readonly string[]): WordScores {
  const scored = { words, scores: new Float64Array(languages.length), spokenFor: [] };
  for (const word of words) {
    const known =
      hints.get(word) ?? (word.includes("'") ? hints.get(word.replace(/^(?:[cdjlmnst]|qu)'/u, '')) : undefined);
    if (known !== undefined) for (let index = 0; index < known.length; index += 1) heed(scored, known[index]!);
  }
  return scored;
}

/** The same with the letters that few languages write. */
function scoreLetters(scored: WordScores): WordScores {
  for (const word of scored.words)
    if (beyondAscii.test(word)) for (const [letters, hint] of ownLetters) if (letters.test(word)) heed(scored, hint);
  return scored;
}

function heed({ scores, spokenFor }: WordScores, { places, worth }: Hint): void {
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index]!;
    if (scores[place] === 0) spokenFor.push(place);
    scores[place]! += worth;
  }
}

/** What the sequences of letters say, from 0 to 1 for each language. */
async function compareSequences(words: readonly string[], only: string[] = candidates): Promise<Map<string, number>> {
  const { detectAll } = await import('tinyld');
  const found = detectAll(someOf(words).join(' '), { only });
  return new Map(found.map(({ lang, accuracy }) => [lang, accuracy]));
}

/** Telling languages apart takes time by the word, and a few hundred tell as much as all. */
function someOf(words: readonly string[]): readonly string[] {
  const most = 300;
  const step = Math.ceil(words.length / most);
  // In runs of ten, since what stands side by side tells most.
  return step === 1 ? words : words.filter((_, index) => Math.floor(index / 10) % step === 0);
}

/** How much the common words count beside the sequences of letters. */
const wordWeight = 0.65;

function combine(
  words: readonly string[],
  scores: ReadonlyMap<string, number>,
  { sequences, names }: { sequences: ReadonlyMap<string, number>; names: boolean },
): DetectedLanguage {
  const usual = Math.max(1, words.length * 0.35);
  const ranked = [...new Set([...scores.keys(), ...sequences.keys()])]
    .map((language) => ({
      language,
      strength:
        wordWeight * Math.min(1, (scores.get(language) ?? 0) / usual) +
        (1 - wordWeight) * (sequences.get(language) ?? 0),
    }))
    .toSorted((one, other) => other.strength - one.strength);
  const [best, next] = ranked;
  if (!best) return undetermined;
  const lead = best.strength / (best.strength + (next?.strength ?? 0));
  // A few words say little, whatever they are; less so where none of them is common in the language.
  const length = Math.min(1, 0.55 + words.length / 10);
  const spoken = (scores.get(best.language) ?? 0) >= (words.length < 5 ? 0.9 : 0.6) || words.length > 12;
  const ordered = !names && words.length > 3 && (sequences.get(best.language) ?? 0) > 0.7;
  const most = spoken ? 0.99 : ordered ? 0.7 : 0.45;
  const confidence = round(Math.min(most, lead * Math.min(1, 0.4 + best.strength) * length));
  const [language, romanised] = best.language.split('-') as [string, string?];
  return { language, confidence, ...(romanised ? { romanised: true } : {}) };
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
