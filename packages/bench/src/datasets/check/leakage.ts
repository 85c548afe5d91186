import type { PreparedText } from '../labelled-item.ts';
import { indexNearTexts, prefixHashes, windowHash } from './near-texts.ts';
import { type TrainingFingerprints, fingerprintText, normalizeText, splitIntoWords } from './fingerprints.ts';

/** An item that somebody has seen before. */
export interface Leak {
  line: number;
  id: string | null;
  /** The precedent's id, the model's name, or `file:line`. */
  match: string;
  /** The same words, nearly the same, or a text that contains the other. */
  how: 'same' | 'near' | 'excerpt';
  /** 0.8 to 1. */
  similarity: number;
}

/** Texts that the items must not be among. */
export interface KnownTexts {
  /** Finds what is the same as an item, or nearly; null when nothing is. */
  find(text: PreparedText): Omit<Leak, 'line' | 'id'> | null;
}

export interface LeakSources {
  /** The precedents that a debate may be shown. */
  precedents?: readonly { id: string; text: string }[];
  /** What models were trained on. */
  training?: readonly TrainingFingerprints[];
}

/** What of the items one source holds. */
export interface SourceLeaks {
  kind: 'precedents' | 'model' | 'file';
  /** `precedents`, the model's name, or the file's. */
  source: string;
  items: number;
  /** Of the items that can be read. */
  share: number | null;
  places: Leak[];
}

/** Shorter than this, a response alone is a common phrase. */
const fewestWords = 8;
/** Shorter than this, what is contained in another text is one. */
const shortestExcerpt = 60;
/** Of a larger library excerpts are not looked for: every run of its words would be in memory. */
const mostWords = 1_000_000;

/** A leakage in sentences, none where there is none. */
export function describeLeakage(leakage: readonly SourceLeaks[], named = 5): string[] {
  return leakage.flatMap(({ kind, source, items, places }) => {
    if (items === 0) return [];
    const listed = places
      .slice(0, named)
      .map(({ line, match }) => `line ${line}${kind === 'model' ? '' : ` (${match})`}`);
    const where = kind === 'precedents' ? 'the precedent library' : `what ${source} was trained on`;
    const more = items > named ? ` and ${items - named} more` : '';
    return [`${items === 1 ? '1 item is' : `${items} items are`} in ${where}: ${listed.join(', ')}${more}.`];
  });
}

export function indexTrainingData({ model, holds }: TrainingFingerprints): KnownTexts {
  return {
    find({ fingerprint, response }) {
      const answered = response === null ? [] : splitIntoWords(response);
      const known =
        holds(fingerprint) || (answered.length >= fewestWords && holds(fingerprintText(answered.join(' '))));
      return known ? { match: model, how: 'same', similarity: 1 } : null;
    },
  };
}

/** Texts with names, in memory. */
export function indexTexts(texts: readonly { name: string; text: string }[]): KnownTexts {
  const near = indexNearTexts();
  const same = new Map<string, number>();
  const plain = texts.map(({ text }) => normalizeText(text));
  for (const [index, text] of plain.entries()) {
    if (text === '' || same.has(text)) continue;
    same.set(text, index);
    near.add(text.split(' '), index);
  }
  const words = plain.reduce((sum, text) => sum + text.length, 0) / 6;
  const excerpts = words > mostWords ? () => null : excerptsOf(plain);
  return {
    find(text) {
      const exact = same.get(text.plain);
      if (exact !== undefined) return { match: texts[exact]!.name, how: 'same', similarity: 1 };
      const [nearest] = near.find(text.words, 1);
      if (nearest) return { match: texts[nearest.key]!.name, how: 'near', similarity: rounded(nearest.similarity) };
      const contained = excerpts(text);
      return contained === null ? null : { match: texts[contained]!.name, how: 'excerpt', similarity: 1 };
    },
  };
}

/**
 * Finds a text that contains another, or is contained in it: by a run of ten words with which one of the two begins.
 */
function excerptsOf(plain: readonly string[]): (text: PreparedText) => number | null {
  const runs = 10;
  const [beginnings, anywhere] = [new Map<number, number[]>(), new Map<number, number[]>()];
  for (const [index, text] of plain.entries()) {
    const words = text.split(' ');
    if (text.length < shortestExcerpt || words.length < runs) continue;
    const prefix = prefixHashes(words);
    put(beginnings, windowHash(prefix, 0, runs), index);
    for (let start = 0; start + runs <= words.length; start += 1) put(anywhere, windowHash(prefix, start, runs), index);
  }
  return ({ words, plain: text }) => {
    if (words.length < runs || text.length < shortestExcerpt) return null;
    const prefix = prefixHashes(words);
    const containing = anywhere
      .get(windowHash(prefix, 0, runs))
      ?.find((index) => ` ${plain[index]!} `.includes(` ${text} `));
    if (containing !== undefined) return containing;
    for (let start = 0; start + runs <= words.length; start += 1) {
      const contained = beginnings
        .get(windowHash(prefix, start, runs))
        ?.find((index) => ` ${text} `.includes(` ${plain[index]!} `));
      if (contained !== undefined) return contained;
    }
    return null;
  };
}

function put(table: Map<number, number[]>, key: number, index: number): void {
  const there = table.get(key);
  if (!there) table.set(key, [index]);
  else if (there.length < 16 && there.at(-1) !== index) there.push(index);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
