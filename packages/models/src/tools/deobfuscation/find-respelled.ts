import type { Range } from '@agonhq/engine/evidence';
import { isEnglish, isRiskWord, isWord } from '@agonhq/engine/language';
import { type Finding, payload, type Replacement, rewrite } from './finding.ts';
import { reverse, spelling, spellingsOf, rot13 } from './known-words.ts';

/** A stretch of words that are no English as they stand, many of them English in another spelling. */
interface Run extends Range {
  words: number;
  hits: Set<string>;
}

const between = /^[ \t,'’-]{1,3}$/;
const oneCase = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/;
const maxWordLength = 24;
/** Abbreviations and coarse spellings in use that happen to be the rot13 of a word. */
const inUse = new Set(['encr', 'phag']);
/** A sentence does not end with one of these, so a reversal that does has the wrong order of words. */
const opening = new Set(
  'a an and as at by for from how i if in of on or that the to what when where which who why with your'.split(' '),
);

/** English in rot13 (`ubj gb znxr n obzo`) and backwards (`bmob a ekam ot woh`), in one pass over the letters. */
export function respelledText(text: string): Finding[] {
  const whole = respelledWhole(text);
  if (whole) return [whole];
  const turned = runFinder(spelling.rot13, text);
  const backwards = runFinder(spelling.reversed, text);
  const turnedWords: Replacement[] = [];
  let [plainWords, otherWords] = [0, 0];

  forEachLatinWord(text, (start, end) => {
    const word = text.slice(start, end).toLowerCase();
    const spellings = spellingsOf(word);
    if (spellings & spelling.english) plainWords += 1;
    else otherWords += 1;
    turned.see(word, spellings, start, end);
    backwards.see(word, spellings, start, end);
    if (spellings === spelling.rot13 && isLoadedInRot13(text, word, start, end)) {
      turnedWords.push({ start, end, by: rot13(text.slice(start, end)) });
    }
  });

  const passages = turned.finish();
  return [
    ...(passages.length > 0
      ? decoded('rot13', text, passages, rot13)
      : rewrite('rot13', text, plainWords >= otherWords ? turnedWords : [])),
    ...decoded('reversed', text, backwards.finish(), forwards),
  ];
}

function decoded(
  tool: string,
  text: string,
  passages: readonly Range[],
  decode: (passage: string) => string,
): Finding[] {
  if (passages.length === 0) return [];
  const replaces = passages.map(({ start, end }) => ({ start, end, by: decode(text.slice(start, end)) }));
  const original = text.slice(passages[0]!.start, passages[0]!.end);
  return [{ tool, text: replaces.map(({ by }) => by).join('\n'), original, replaces, readable: true }];
}

const sampleLength = 4000;
const fewWords = 2;

/** A text of which hardly a word is English as it stands, and most are in one other spelling. */
function respelledWhole(text: string): Finding | null {
  const words = (text.slice(0, sampleLength).match(/[a-z]+/gi) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= 2 && word.length <= maxWordLength);
  if (words.length < fewWords) return null;
  const plain = (word: string) => (spellingsOf(word) & spelling.english) !== 0;
  // Most texts are told to be plain by their frequent words, before a larger list is asked.
  if (words.filter(plain).length > words.length * 0.5) return null;
  for (const [tool, respell] of [['reversed', reverse] as const, ['rot13', rot13] as const]) {
    if (!isRespelled(words, respell)) continue;
    const { start, end } = rangeOfRespelled(text, respell);
    const original = text.slice(start, end);
    return payload(tool, { original, start }, tool === 'rot13' ? rot13(original) : forwards(original), true);
  }
  return null;
}

/** All of it but a plain heading before a colon or a line break. */
function rangeOfRespelled(text: string, respell: (word: string) => string): Range {
  const isPlain = (word: string) => isWord(word) && !isWord(respell(word));
  const heading = /^[^:\n]{1,80}[:\n]\s*/.exec(text)?.[0] ?? '';
  const words = heading.toLowerCase().match(/[a-z]+/g) ?? [];
  const start = words.length > 0 && words.every(isPlain) ? heading.length : text.length - text.trimStart().length;
  return { start, end: text.trimEnd().length };
}

function isRespelled(words: readonly string[], respell: (word: string) => string): boolean {
  // A word that is one either way tells nothing.
  const told = words.filter((word) => respell(word) !== word && !(isWord(word) && isWord(respell(word))));
  const hits = told.filter((word) => !isWord(word) && isWord(respell(word)));
  const plain = told.filter((word) => isWord(word));
  const long = new Set(hits.filter((hit) => hit.length >= 4));
  const isEnough = new Set(hits).size >= 3 && long.size >= 2;
  const isLoaded = [...long].some((hit) => isEnglish(respell(hit))) && hits.length === told.length && words.length > 1;
  return hits.length >= told.length * 0.5 && plain.length <= told.length * 0.2 && (isEnough || isLoaded);
}

/** Collects the stretches of a text whose words are English only when spelled as `bit` says. */
function runFinder(bit: number, text: string): { see: typeof see; finish: () => Range[] } {
  const found: Range[] = [];
  let run: Run | null = null;

  function see(word: string, spellings: number, start: number, end: number): void {
    const isPlain = (spellings & (spelling.english | bit)) === spelling.english;
    if (run && (isPlain || start - run.end > 3 || !between.test(text.slice(run.end, start)))) close();
    if (isPlain) return;
    run ??= { start, end, words: 0, hits: new Set() };
    run.end = end;
    run.words += 1;
    if ((spellings & (spelling.english | bit)) === bit) run.hits.add(word);
  }

  function close(): void {
    if (run && isConvincing(run)) found.push({ start: run.start, end: run.end });
    run = null;
  }

  function finish(): Range[] {
    close();
    return found;
  }

  return { see, finish };
}

function isConvincing({ words, hits }: Run): boolean {
  if (hits.size < 3 || hits.size < words / 2.5) return false;
  return [...hits].filter((hit) => hit.length >= 3).length >= 2;
}

function isLoadedInRot13(text: string, word: string, start: number, end: number): boolean {
  if (word.length < 4 || inUse.has(word) || !isRiskWord(rot13(word))) return false;
  return oneCase.test(text.slice(start, end)) && !/[\w+/=]/.test((text[start - 1] ?? ' ') + (text[end] ?? ' '));
}

/** Backwards as a whole, or word by word: a capital letter or a mark tells where the text began. */
function forwards(passage: string): string {
  const whole = reverse(passage);
  const marksTurned = /(?:^|\s)[.?!,]\S*[a-z]/i.test(passage);
  const byWord = passage.replace(marksTurned ? /\S+/g : /[a-z]+(?:['’][a-z]+)*/gi, reverse);
  const [first = '', last = ''] = [/^\W*(\w+)/.exec(passage)?.[1], /(?<!\w)(\w+)\W*$/.exec(passage)?.[1]];
  const isCapital = (word: string) => /[a-z][A-Z]$/.test(word);
  const [beginsWithMark, endsWithMark] = [/^[.?!]/.test(passage), /[.?!]$|\s[.?!]\S+$/.test(passage)];
  if (beginsWithMark !== endsWithMark) return beginsWithMark ? whole : byWord;
  if (isCapital(last) !== isCapital(first)) return isCapital(last) ? whole : byWord;
  const lastWord = /(?<![a-z])[a-z]+$/i.exec(whole)?.[0].toLowerCase() ?? '';
  return opening.has(lastWord) ? byWord : whole;
}

function forEachLatinWord(text: string, visit: (start: number, end: number) => void): void {
  let start = -1;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    if (isLetter && start < 0) start = at;
    if (!isLetter && start >= 0) {
      if (at - start <= maxWordLength) visit(start, at);
      start = -1;
    }
  }
}
