import type { Range } from '../../evidence/index.ts';
import { type Finding, type Replacement, rewrite } from './finding.ts';
import { reverse, isRiskWord, spelling, spellingsOf, rot13 } from './known-words.ts';

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
  const turned = runFinder(spelling.rot13, text);
  const backwards = runFinder(spelling.reversed, text);
  const turnedWords: Replacement[] = [];

  forEachLatinWord(text, (start, end) => {
    const word = text.slice(start, end).toLowerCase();
    const spellings = spellingsOf(word);
    turned.see(word, spellings, start, end);
    backwards.see(word, spellings, start, end);
    if (spellings === spelling.rot13 && isLoadedInRot13(text, word, start, end)) {
      turnedWords.push({ start, end, by: rot13(text.slice(start, end)) });
    }
  });

  const passages = turned.finish();
  return [
    ...(passages.length > 0 ? decoded('rot13', passages, rot13) : rewrite('rot13', text, turnedWords)),
    ...decoded('reversed', backwards.finish(), forwards),
  ];
}

function decoded(tool: string, passages: readonly string[], decode: (passage: string) => string): Finding[] {
  if (passages.length === 0) return [];
  return [{ tool, text: passages.map(decode).join('\n'), original: passages[0]!, readable: true }];
}

/** Collects the stretches of a text whose words are English only when spelled as `bit` says. */
function runFinder(bit: number, text: string): { see: typeof see; finish: () => string[] } {
  const found: string[] = [];
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
    if (run && isConvincing(run)) found.push(text.slice(run.start, run.end));
    run = null;
  }

  function finish(): string[] {
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

function forwards(passage: string): string {
  const whole = reverse(passage);
  const lastWord = /[a-z]+$/i.exec(whole)?.[0].toLowerCase() ?? '';
  return opening.has(lastWord) ? passage.replace(/[a-z]+/gi, reverse) : whole;
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
