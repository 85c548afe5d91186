import type { Transcript } from '@agonhq/engine/debate';
import type { AbsenceSearch } from '../analysis.ts';
import { speakers } from '../answers.ts';
import { findHeardTurn } from './list-attacks.ts';
import {
  type Dossier,
  listBlocks,
  readBlockText,
  findTouched,
  widenToSentences,
  type DossierBlock,
} from '../document.ts';
import { isContentWord, splitWords, type Word } from '@agonhq/engine/text';

interface Read {
  standing: DossierBlock;
  text: string;
  words: readonly Word[];
  /** What stands together. */
  sentences: readonly (readonly Word[])[];
}

interface Reading {
  blocks: readonly Read[];
  /** Every word of the dossier once, by its folded form: likeness is a matter of words, not of where they stand. */
  vocabulary: ReadonlyMap<string, Word>;
}

type Hit = AbsenceSearch['found'][number];

const readings = new WeakMap<Dossier, Reading>();

/** So many places are enough to refute an absence. */
const mostPlaces = 3;

/** Looks for what the dissent says is missing, attack by attack, in every block of the dossier. */
export function searchAbsences(transcript: Transcript, dossier: Dossier): AbsenceSearch[] {
  const dissent = findHeardTurn(transcript, speakers.dissenting);
  return (dissent?.answer.attacks ?? []).flatMap(({ kind, missing }, index) =>
    kind === 'missing-data' || missing.length > 0 ? [searchTerms(missing, dossier, index + 1)] : [],
  );
}

/** An absence is accepted when terms were named and none is found anywhere, not even nearly. */
function searchTerms(named: readonly string[], dossier: Dossier, attack: number): AbsenceSearch {
  const terms = [...new Set(named.map((term) => term.trim()).filter((term) => splitWords(term).length > 0))];
  if (terms.length === 0) return { attack, terms, found: [], blocksRead: 0, accepted: false };
  const { blocks, vocabulary } = readDossier(dossier);
  const found = terms.flatMap((term) => {
    const wanted = splitWords(term);
    const near = (wanted.some(isContentWord) ? wanted.filter(isContentWord) : wanted).map((word) =>
      findSimilarWords(word, vocabulary),
    );
    const hits = blocks.flatMap((read) => findInBlock(read, term, wanted, near) ?? []);
    return hits.toSorted((a, b) => Number(a.near) - Number(b.near)).slice(0, mostPlaces);
  });
  return { attack, terms, found, blocksRead: blocks.length, accepted: found.length === 0 };
}

function readDossier(dossier: Dossier): Reading {
  let reading = readings.get(dossier);
  if (!reading) {
    const blocks = [...listBlocks(dossier).values()].map((standing) => {
      const text = readBlockText(standing);
      const words = splitWords(text);
      const ranges = standing.block.sentences.map(({ start, end }) => ({
        start: start - standing.block.start,
        end: end - standing.block.start,
      }));
      const sentences = ranges.length === 0 ? [words] : ranges.map((range) => findTouched(words, range));
      return { standing, text, words, sentences };
    });
    reading = {
      blocks,
      vocabulary: new Map(blocks.flatMap(({ words }) => words.map((word): [string, Word] => [word.folded, word]))),
    };
    readings.set(dossier, reading);
  }
  return reading;
}

/** The words of the dossier that are this one, inflected or a letter off. */
function findSimilarWords(word: Word, vocabulary: Reading['vocabulary']): ReadonlySet<string> {
  return new Set(
    [...vocabulary.values()].filter((candidate) => isSimilarWord(word, candidate)).map(({ folded }) => folded),
  );
}

/** The first place in a block: the term word by word; else, nearly, words like all of its own in one sentence. */
function findInBlock(
  read: Read,
  term: string,
  wanted: readonly Word[],
  near: readonly ReadonlySet<string>[],
): Hit | null {
  const at = read.words.findIndex((_, start) =>
    wanted.every(({ folded }, offset) => read.words[start + offset]?.folded === folded),
  );
  if (at >= 0) return buildHit(read, term, read.words.slice(at, at + wanted.length), false);
  if (near.some((alike) => alike.size === 0)) return null;
  for (const sentence of read.sentences) {
    const matched = near.map((alike) => sentence.find(({ folded }) => alike.has(folded)));
    if (matched.every((word) => word !== undefined)) return buildHit(read, term, matched, true);
  }
  return null;
}

function buildHit({ standing, text }: Read, term: string, words: readonly Word[], near: boolean): Hit {
  const inBlock = {
    start: Math.min(...words.map(({ start }) => start)),
    end: Math.max(...words.map(({ end }) => end)),
  };
  const offset = standing.block.start;
  const place = { block: standing.id, start: offset + inBlock.start, end: offset + inBlock.end };
  const sentence = widenToSentences(standing, place);
  return { term, place, quote: text.slice(sentence.start - offset, sentence.end - offset), near };
}

function isSimilarWord(a: Word, b: Word): boolean {
  if (a.stem === b.stem) return true;
  const shorter = Math.min(a.folded.length, b.folded.length);
  if (shorter < 5 || /\p{Nd}/u.test(a.folded)) return false;
  return isWithinEdits(a.folded, b.folded, shorter < 9 ? 1 : 2);
}

/** Whether so many letters changed, added or left out turn one word into the other. */
function isWithinEdits(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1])));
    if (Math.min(...next) > most) return false;
    row = next;
  }
  return row[b.length]! <= most;
}
