import type { Clause } from '@agonhq/engine/policy';
import { meanOf, standardDeviation } from '@agonhq/engine/statistics';
import { loadEverydayTexts } from '../everyday-texts.ts';
import type { KeptEmbeddings } from '../kept-embeddings.ts';
import type { TextModel } from '../text-models/text-model.ts';
import type { ClauseWeights } from '../weights.ts';
import { joinExample } from './own-clauses.ts';

/** How a text stands to a clause. */
interface Comparison {
  similarity: number;
  /** How far above the bar, as a logit. */
  fromBar: number;
}

/** What is held against a clause. */
export interface Passage {
  text: string;
  embedding: Float32Array;
}

/** A clause of the user's own as the small model tells it, and how well it does. */
export interface ClauseFit {
  clause: Clause;
  /** Compares a passage; of several of one text each has to stand higher to count. */
  compare(passage: Passage, passages: number, signal?: AbortSignal): Promise<Comparison>;
  /** Of the violations, how many are caught when each in turn is left out of the fit. */
  recognised: number;
  of: number;
  /** Whether that is enough to rely on. */
  judged: boolean;
}

/**
 * Fits a direction among embeddings for each clause: from everyday texts towards its text and its violations, and away
 * from its exonerations. Its bar stands so far above what everyday texts reach that few of them do. What comes anywhere
 * near is read together with the clause by the head that was trained to.
 */
export async function fitClauses(
  clauses: readonly Clause[],
  embeddings: KeptEmbeddings,
  model: TextModel,
  weights: ClauseWeights,
): Promise<ClauseFit[]> {
  if (clauses.length === 0) return [];
  const embedAll = (texts: readonly string[]) => Promise.all(texts.map((text) => embeddings.embed(text)));
  const everyday = await embedAll((await loadEverydayTexts()).fitted);
  const mean = meanVector(everyday);
  const centre = (embedding: Float32Array) => toUnit(subtract(embedding, mean, 1));
  const background = everyday.map(centre);
  const fits = clauses.map(async (clause) => {
    const [text, violations, exonerations] = await Promise.all([
      embedAll([clause.text]),
      embedAll(clause.violations.map(joinExample)),
      embedAll(clause.exonerations.map(joinExample)),
    ]);
    const seen = { text: text.map(centre), violations: violations.map(centre), exonerations: exonerations.map(centre) };
    const fit = (left: readonly Float32Array[]) =>
      fitOne({ ...seen, violations: left }, background, clauses.length, weights);
    const readTogether = async (comparison: Comparison, words: string, signal?: AbortSignal) => {
      if (weights.head === 0 || comparison.fromBar < -weights.steepness * weights.reach) return comparison;
      const { logits } = await model.readExchange(clause.text, words, { signal });
      return { ...comparison, fromBar: comparison.fromBar + weights.head * (logits.clause - weights.neutral) };
    };
    const compare = fit(seen.violations);
    const leftOut = await Promise.all(
      seen.violations.map((violation, at) =>
        readTogether(
          fit(seen.violations.filter((other) => other !== violation))(violation, 1),
          joinExample(clause.violations[at]!),
        ),
      ),
    );
    const recognised = leftOut.filter(({ fromBar }) => fromBar >= 0).length;
    const of = violations.length;
    return {
      clause,
      compare: (passage: Passage, passages: number, signal?: AbortSignal) =>
        readTogether(compare(centre(passage.embedding), passages), passage.text, signal),
      recognised,
      of,
      judged: of >= weights.fewest && recognised >= weights.leastRecognised * of,
    };
  });
  return Promise.all(fits);
}

interface Examples {
  text: readonly Float32Array[];
  violations: readonly Float32Array[];
  exonerations: readonly Float32Array[];
}

function fitOne(
  { text, violations, exonerations }: Examples,
  background: readonly Float32Array[],
  clauses: number,
  { exoneration, bar, steepness }: ClauseWeights,
): (embedding: Float32Array, passages: number) => Comparison {
  const towards = meanVector([...text, ...violations]);
  const direction = toUnit(subtract(towards, meanVector(exonerations), exoneration));
  const scores = background.map((other) => product(direction, other));
  const mean = meanOf(scores) ?? 0;
  const spread = standardDeviation(scores) || 1;
  return (embedding, passages) => {
    const similarity = product(direction, embedding);
    const height = (similarity - mean) / spread;
    return { similarity, fromBar: steepness * (height - bar - raise(passages * Math.sqrt(clauses), bar)) };
  };
}

/** By how much a bar must rise that many chances have to pass: the highest of many stands high by luck. */
function raise(chances: number, bar: number): number {
  return Math.sqrt(bar ** 2 + 2 * Math.log(chances)) - bar;
}

function meanVector(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) vector.forEach((value, at) => (mean[at]! += value / vectors.length));
  return mean;
}

function subtract(from: Float32Array, what: Float32Array, times: number): Float32Array {
  return from.map((value, at) => value - times * what[at]!);
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(product(vector, vector)) || 1;
  return vector.map((value) => value / length);
}

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}
