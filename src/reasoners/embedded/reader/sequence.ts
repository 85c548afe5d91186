import { tokenize } from '../runtime/tokenizer.ts';
import type { Vocabulary } from '../runtime/vocabulary.ts';
import { findFigure, findFigures, findNumbers, isDerived, relateNumber, relation, type Figure } from './figures.ts';
import { wordSet } from '../../../text/index.ts';

/**
 * Claim and passage as one sequence: [CLS] claim [SEP] passage [SEP]. Beside each token stand eight small numbers: row,
 * column, the rank of its number in column and row from above and from below, how it relates to the claim's numbers,
 * and whether it is more than its neighbours. training/reader/sequence.py is the statement of it.
 */
export interface Sequence {
  ids: number[];
  /** Token after token, eight each. */
  features: number[];
  /** Where the passage begins. */
  begin: number;
}

/** Tokens of a passage with the features of each. */
export interface Tokens {
  ids: number[];
  features: (readonly number[])[];
}

export const featureCount = 8;
export const noFeatures: readonly number[] = Array.from({ length: featureCount }, () => 0);
export const longestSequence = 320;
const longestClaim = 110;
const longestSentence = 1500;

const word = /[\p{L}\p{Nl}\p{No}]+|\d+(?:,\d+)*(?:\.\d+)?/gu;
const stopWords = wordSet(`
  the and for was were are has have had with that this from than its their his her they not but all any who which when
  what where there been more most less least number total average only other over under during into about each every did
  does between after before while also both same`);

/** What a word is known by: a number without its commas, or its first five letters. */
function stemOf(text: string): string {
  return /^\d/.test(text) ? text.replaceAll(',', '') : Array.from(text).slice(0, 5).join('');
}

/** The words of a text that say something. */
export function listStems(text: string): Set<string> {
  return new Set(
    Array.from(text.toLowerCase().matchAll(word), ([found]) => found)
      .filter((found) => (Array.from(found).length > 2 || /^\d/.test(found)) && !stopWords.has(found))
      .map(stemOf),
  );
}

/** Whether there are words, and the claim names them all. */
export function isNamed(stems: ReadonlySet<string>, { wanted }: EncodedClaim): boolean {
  return stems.size > 0 && Array.from(stems).every((stem) => wanted.has(stem));
}

/** The words that the claim has, too. */
export function listShared(stems: ReadonlySet<string>, { wanted }: EncodedClaim): string[] {
  return Array.from(stems).filter((stem) => wanted.has(stem));
}

/** A claim in its tokens, words and numbers. */
export interface EncodedClaim {
  text: string;
  ids: readonly number[];
  starts: readonly number[];
  wanted: ReadonlySet<string>;
  figures: readonly Figure[];
}

export function encodeClaim(text: string, vocabulary: Vocabulary): EncodedClaim {
  const { ids, starts } = tokenize(text, vocabulary);
  return {
    text,
    ids: ids.slice(0, longestClaim),
    starts: starts.slice(0, longestClaim),
    wanted: listStems(text),
    figures: findFigures(text),
  };
}

/** How many tokens of a passage fit beside a claim. */
export function roomBeside({ ids }: EncodedClaim): number {
  return longestSequence - 3 - ids.length;
}

/** Puts both together. `states`: of each number of the claim; `known`: the words of the passage. */
export function joinSequence(
  claim: EncodedClaim,
  passage: Tokens,
  { states, known, marks }: { states: readonly number[]; known: ReadonlySet<string>; marks: Marks },
): Sequence {
  const relations = new Uint8Array(claim.text.length + 1);
  for (const { 0: found, index } of claim.text.toLowerCase().matchAll(word)) {
    if (Array.from(found).length > 3 && !/^\d/.test(found) && !stopWords.has(found) && !known.has(stemOf(found)))
      relations.fill(relation.wordNotFound, index, index + found.length);
  }
  for (const [at, { start, end }] of claim.figures.entries()) relations.fill(states[at]!, start, end);
  const room = roomBeside(claim);
  return {
    ids: [marks.start, ...claim.ids, marks.separator, ...passage.ids.slice(0, room), marks.separator],
    features: [
      noFeatures,
      ...claim.starts.map((start) => ofRelation(relations[start] ?? 0)),
      noFeatures,
      ...passage.features.slice(0, room),
      noFeatures,
    ].flat(),
    begin: claim.ids.length + 2,
  };
}

export interface Marks {
  start: number;
  separator: number;
}

function ofRelation(value: number): readonly number[] {
  return [0, 0, 0, 0, 0, 0, value, 0];
}

/** A sentence of a passage, read once for many claims. */
export interface EncodedSentence {
  text: string;
  ids: readonly number[];
  starts: readonly number[];
  stems: ReadonlySet<string>;
  numbers: readonly { value: number; start: number; end: number }[];
}

export function encodeSentence(text: string, vocabulary: Vocabulary): EncodedSentence {
  const shown = text.length <= longestSentence ? text : Array.from(text).slice(0, longestSentence).join('');
  const { ids, starts } = tokenize(shown, vocabulary);
  return { text, ids, starts, stems: listStems(text), numbers: findNumbers(text) };
}

const mostNear = 14;

/** Sentences of a passage: all, or those that share most with the claim, in their order. */
export function sequenceProse(claim: EncodedClaim, sentences: readonly EncodedSentence[], marks: Marks): Sequence {
  const values = sentences.flatMap(({ numbers }) => numbers.map(({ value }) => value));
  const near = sentences
    .flatMap(({ stems, numbers }) => (listShared(stems, claim).length === 0 ? [] : numbers.map(({ value }) => value)))
    .slice(0, mostNear);
  const states = claim.figures.map((figure) => {
    const found = findFigure(figure, values);
    return found === relation.notFound && !figure.isYear && isDerived(figure, [near]) ? relation.derived : found;
  });
  const shown = selectSentences(claim, sentences);
  const passage: Tokens = {
    ids: shown.flatMap(({ ids }) => ids),
    features: shown.flatMap((sentence) => {
      const relations = new Uint8Array(sentence.text.length + 1);
      for (const { value, start, end } of sentence.numbers)
        relations.fill(relateNumber(value, claim.figures), start, end);
      return sentence.starts.map((start) => ofRelation(relations[start]!));
    }),
  };
  const known = new Set(sentences.flatMap(({ stems }) => Array.from(stems)));
  return joinSequence(claim, passage, { states, known, marks });
}

/** Rare words count most; what is said first wins a tie. */
function selectSentences(claim: EncodedClaim, sentences: readonly EncodedSentence[]): EncodedSentence[] {
  const room = roomBeside(claim);
  const shared = sentences.map(({ stems }) => listShared(stems, claim));
  const counts = new Map<string, number>();
  for (const stem of shared.flat()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const score = shared.map((stems) => sumShares(stems.map((stem) => counts.get(stem)!)));
  const order = sentences.map((_, at) => at).sort((a, b) => score[b]! - score[a]! || a - b);
  const kept: number[] = [];
  let used = 0;
  for (const at of order) {
    const { length } = sentences[at]!.ids;
    if (used + length > room && kept.length > 0) break;
    kept.push(at);
    used += length;
  }
  return kept.sort((a, b) => a - b).map((at) => sentences[at]!);
}

/** A sum of 1/n, rounded so that the order of adding decides nothing. */
export function sumShares(counts: readonly number[]): number {
  return Math.round(1e9 * counts.reduce((sum, count) => sum + 1 / count, 0)) / 1e9;
}
