import type { Range } from '@agonhq/engine/evidence';
import { findUnreadable, isEnglish, isWord, measureReadability } from '@agonhq/engine/language';
import { base64, characterCodes, hex } from './decode.ts';
import { applied, payload, type Finding } from './finding.ts';
import { toPlainLetters } from './plain-letters.ts';
import { dropFillers, undoings as ofLetters, type Undoing, type Way } from './undo-letters.ts';
import { wordGames } from './undo-word-games.ts';

/** A text on the way back to what it was. */
interface State {
  text: string;
  /** What was undone, outermost first. */
  done: readonly string[];
  steps: readonly Way[];
  last: Undoing | null;
}

/** Of these any may have come before any other. */
const undoings: readonly Undoing[] = [...wordGames, ...ofLetters];
const payloads = [base64, hex, characterCodes];
const maxLength = 40_000;
const sampleLength = 600;
const maxSteps = 3;
const maxStates = 80;
const maxPlaces = 3;
/** What share of the letters of a text stands in words: hardly so of letters that were tampered with. */
const share = { suspect: 0.45, likely: 0.7, sure: 0.85 };
const beyondAscii = /[^\x00-\x7f]/;
const asciiWord = /[a-z\d]+(?:'[a-z]{1,2}(?![a-z]))?/gi;
const anyWord = /[\p{L}\p{N}\p{M}]+(?:['’][a-z]{1,2}(?!\p{L}))?/gu;
const fewSigns = 8;
const longest = 24;

/**
 * Letters that are no words, whatever was done to them and in whatever order: each way to undo it is tried upon each
 * other until words stand there. A part of a long text tells which; the rest of it is undone in the same way.
 * `asFarAsRead` is the text as other techniques read it: where that is words, nothing is left to do.
 */
export function undoAll(text: string, asFarAsRead = text): Finding[] {
  if (text.length > maxLength) return [];
  const whole = { start: 0, end: text.length };
  const read = asFarAsRead === text ? 0 : shareOfWords(sampleOf(asFarAsRead));
  const all = isSuspect(asFarAsRead) || (read < share.sure && read > 0 && isSuspect(text)) ? undo(text, whole) : null;
  if (all && shareOfWords(sampleOf(all.text)) > read) return [all];
  return (asFarAsRead === text ? findUnreadable(text) : [])
    .filter(({ start, end }) => end - start < text.length)
    .slice(0, maxPlaces)
    .flatMap((range) => undo(text, range) ?? []);
}

function undo(text: string, { start, end }: Range): Finding | null {
  const original = text.slice(start, end);
  const found = search(sampleOf(original));
  if (!found) return null;
  const read = found.steps.reduce((read, step) => step(read), original).trim();
  return { ...payload(found.done.at(-1)!, { original, start }, read, true), inside: found.done.slice(0, -1) };
}

function isSuspect(text: string): boolean {
  const sample = sampleOf(text);
  // Most texts are told to be plain by their frequent words, before a larger list is asked.
  if (shareOfWords(sample, isEnglish) >= share.suspect) return false;
  if (wordGames.some(({ listWays }) => listWays(sample).length > 0)) return true;
  return shareOfWords(sample) < share.suspect && (dropFillers(sample).length > 0 || !isOtherLanguage(sample));
}

/** Words of another language, in its own letters or in Latin ones. */
function isOtherLanguage(text: string): boolean {
  const { text: plain } = toPlainLetters(text);
  const signs = plain.match(/[a-z\d\p{P}\p{S}]/giu)?.length ?? 0;
  if (signs < fewSigns || (plain.match(/[^\p{Script=Latin}\P{L}]/gu)?.length ?? 0) > signs * 0.4) return true;
  const { other, usual } = measureReadability(plain);
  return usual >= 0.7 && (other >= 0.15 || (plain === text && isOrdinary(plain)));
}

/** Words of a usual length without signs among their letters. */
function isOrdinary(text: string): boolean {
  const words = text.match(/\S+/g) ?? [];
  const odd = words.filter(
    (word) => word.length > longest || !/^\P{L}{0,3}\p{L}+(?:['’-]\p{L}+)*\P{L}{0,3}$/u.test(word),
  );
  const lengths = new Set(words.slice(0, -1).map(({ length }) => length));
  return lengths.size > 1 && odd.length <= words.length * 0.2 && words.join('').length > words.length * 2;
}

function sampleOf(text: string): string {
  if (text.length <= sampleLength) return text;
  const cut = text.slice(0, sampleLength);
  const gap = cut.search(/\s\S*$/);
  return gap > sampleLength / 2 ? cut.slice(0, gap) : cut;
}

/** Breadth first, so that what takes fewest steps is found. */
function search(sample: string): State | null {
  const raw: State = { text: sample, done: [], steps: [], last: null };
  const settled = settle(sample);
  const isGame = wordGames.some(({ listWays }) => listWays(settled.text).length > 0);
  if (!isGame && shareOfWords(settled.text) >= share.suspect && settled.done.length < 2) return null;
  const seen = new Set([settled.text, sample]);
  let level = [raw];
  if (settled.text !== sample) level = [{ ...settled, steps: [(text) => settle(text).text], last: null }, raw];
  let best: { state: State; share: number } | null = null;
  for (let depth = 0; level.length > 0; depth += 1) {
    for (const state of level) {
      const words = state.done.length > 0 && hasWords(state.text) ? shareOfWords(state.text) : 0;
      if (words >= share.likely && words > (best?.share ?? 0)) best = { state, share: words };
    }
    if (depth === maxSteps || (best && best.share >= share.sure)) break;
    level = level.flatMap((state) => expand(state, seen));
  }
  return best?.state ?? null;
}

function expand({ text, done, steps, last }: State, seen: Set<string>): State[] {
  return undoings.flatMap((undoing) => {
    if (seen.size > maxStates || undoing === last) return [];
    return undoing.listWays(text).flatMap((way) => {
      const next = settle(way(text));
      if (seen.has(next.text)) return [];
      seen.add(next.text);
      const step: Way = (other) => settle(way(other)).text;
      return [{ text: next.text, done: [...done, undoing.tool, ...next.done], steps: [...steps, step], last: undoing }];
    });
  });
}

/** What can be undone for sure is, wherever it comes to light. */
function settle(text: string): Pick<State, 'text' | 'done'> {
  const done: string[] = [];
  let settled = text;
  for (let round = 0; round < maxSteps; round += 1) {
    const plain = toPlainLetters(settled);
    done.push(...plain.tools);
    const [found] = payloads.flatMap((decode) => decode(plain.text));
    if (found) done.push(found.tool);
    const next = found ? applied(plain.text, { start: 0, end: plain.text.length }, found.replaces) : plain.text;
    if (next === settled) break;
    settled = next;
  }
  return { text: settled, done };
}

/** How much of what can be seen of a text stands in English words. */
function shareOfWords(text: string, isKnown = isWord): number {
  let [known, all] = [0, 0];
  const words = beyondAscii.test(text) ? anyWord : asciiWord;
  for (const [word] of text.matchAll(words)) {
    all += word.length;
    if (/^[a-z'’]+$/i.test(word) && isKnown(word.toLowerCase().split(/['’]/, 1)[0]!)) known += word.length;
  }
  return known / Math.max(1, all);
}

/** Several that are no accident. */
function hasWords(text: string): boolean {
  const words = new Set(text.toLowerCase().match(/[a-z]{3,}/g));
  const known = [...words].filter(isWord);
  return known.length >= 3
    ? known.some((word) => word.length >= 4)
    : known.filter((word) => isEnglish(word)).length >= 2;
}
