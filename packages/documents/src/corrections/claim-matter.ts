import { z } from 'zod';
import type { Source } from '@agonhq/engine/evidence';
import { canonicalJson, hashOf, sha256 } from '@agonhq/engine/hash';
import { splitWords } from '@agonhq/engine/text';
import type { Claim } from '../analysis.ts';
import { overlaps, type Dossier, type ReportDocument } from '../document.ts';
import type { NumberFinding } from '../numbers/finding.ts';

/** What a correction keeps of a claim, so that later claims can be held against it without its documents. */
export const claimMatterSchema = z.looseObject({
  documents: z.array(
    z.looseObject({
      name: z.string(),
      hash: z.string(),
      /** Hashes of some of its sentences: another edition has many of the same. */
      sentences: z.array(z.string()),
    }),
  ),
  /** What it states, typed, without the stated value: `growth(Revenue[FY2024], Revenue[FY2023])`. */
  statements: z.array(z.string()),
  /** Hash of all that its debaters were shown. */
  evidence: z.string(),
});
export type ClaimMatter = z.infer<typeof claimMatterSchema>;

/** `numbers`: the findings that touch the claim; `all`: those of the whole dossier. */
export function describeMatter(
  claim: Claim,
  parts: {
    dossier: Dossier;
    sources: readonly Source[];
    numbers: readonly NumberFinding[];
    all: readonly NumberFinding[];
  },
): ClaimMatter {
  const { dossier, sources, numbers, all } = parts;
  return {
    documents: dossier.documents.map((document) => ({
      name: document.name,
      hash: document.hash,
      sentences: sampleSentences(document),
    })),
    statements: listStatements(claim, numbers, all),
    evidence: hashOf(sources.map(({ text }) => text).toSorted()),
  };
}

/** Of the claim's own words: what a table says beside them is no statement of the claim. */
function listStatements({ origin }: Claim, numbers: readonly NumberFinding[], all: readonly NumberFinding[]): string[] {
  const known = new Set(origin ? [] : all.map(canonicalJson));
  const isOwn = (finding: NumberFinding): boolean => {
    const [stated] = finding.places;
    return origin
      ? stated !== undefined && stated.block === origin.block && overlaps(stated, origin)
      : !known.has(canonicalJson(finding));
  };
  return [...new Set(numbers.flatMap((one) => (one.program && isOwn(one) ? dropStatedValue(one.program) : [])))];
}

/** `growth(Revenue[FY2024], Revenue[FY2023]) = 15 %` without what it is said to be. */
function dropStatedValue(program: string): string {
  return program.replace(/ [=<>≤≥] [^[\]()]*$/u, '');
}

/** `growth(Revenue[FY2024], Revenue[FY2023])` for any period: `growth(Revenue, Revenue)`. */
export function dropPeriods(statement: string): string {
  return statement.replaceAll(/\[[^[\]]*\]/gu, '');
}

/** The rows and columns that a statement is bound to, in words. */
export function listNames(statement: string): string[] {
  return splitWords(dropPeriods(statement).replaceAll(/\b[a-z]+\(/gu, '(')).map(({ folded }) => folded);
}

const samples = new WeakMap<ReportDocument, readonly string[]>();
const mostSamples = 64;
const fewestWords = 4;

/** The smallest hashes of its sentences: of two documents they tell how many sentences both have. */
export function sampleSentences(document: ReportDocument): string[] {
  let sample = samples.get(document);
  if (!sample) {
    const sentences = document.blocks.flatMap(({ kind, sentences: own }) =>
      kind === 'paragraph' || kind === 'list' ? own.map(({ start, end }) => document.text.slice(start, end)) : [],
    );
    // Numbers apart: what another year's edition says of that year is the same sentence.
    const folded = sentences.map((sentence) =>
      splitWords(sentence).flatMap((word) => (/\p{Nd}/u.test(word.folded) ? [] : word.folded)),
    );
    const hashes = folded.filter((words) => words.length >= fewestWords).map((words) => sha256(words.join(' ')));
    samples.set(
      document,
      (sample = [...new Set(hashes)]
        .toSorted()
        .slice(0, mostSamples)
        .map((one) => one.slice(7, 23))),
    );
  }
  return [...sample];
}
