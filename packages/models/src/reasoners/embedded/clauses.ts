import type { Policy } from '@agonhq/engine/policy';
import { similarityTo } from '@agonhq/engine/text/similarity';
import { centre, clauseKey, type ClauseDirection, type KeptEmbeddings } from './kept-embeddings.ts';

/** A clause of the policy with how near the case stands to it. */
export interface NearClause {
  id: string;
  text: string;
  title: string;
  similarity: number;
  /** What it is named by: the similarity, less what speaks for another clause of the default policy. */
  standing: number;
}

/** Clauses whose wording or violations the case resembles, the likeliest first. */
export type FindClauses = (embedding: Float32Array) => Promise<NearClause[]>;

interface Landmarks {
  clauses: Omit<NearClause, 'similarity' | 'standing'>[];
  /** For each embedding, the clause it belongs to. */
  owners: number[];
  similarities(embedding: Float32Array): Float64Array;
  /** For each clause, how much more speaks for another. */
  behind(embedding: Float32Array): number[];
}

/** A case that was decided unsafe under a clause. */
export interface ClauseCase {
  clause: string;
  text: string;
}

/**
 * Nearest clauses by embedding, less what all embeddings have in common: a clause is as near as the nearest three of
 * its text, its violations and the cases decided under it, on average. Which clause of the default policy it is,
 * is also told by what was learnt of them (packages/lab/training/fit_naming.py).
 */
export function clauseFinder(
  policy: Policy,
  openEmbeddings: () => Promise<KeptEmbeddings>,
  cases: readonly ClauseCase[],
): FindClauses {
  // Every role of a debate asks with the same embedding.
  const known = new WeakMap<Float32Array, Promise<NearClause[]>>();
  let landmarks: Promise<Landmarks> | undefined;

  async function place(): Promise<Landmarks> {
    const kept = await openEmbeddings();
    const clauses = policy.categories.flatMap(({ title, clauses: own }) => own.map((clause) => ({ ...clause, title })));
    const words = clauses.flatMap(({ id, text, violations }, owner) => [
      { owner, text },
      ...cases.filter(({ clause }) => clause === id).map((decided) => ({ owner, text: decided.text })),
      ...violations.map((example) => ({
        owner,
        text: [example.text, example.imageDescription].filter((part) => part !== undefined).join('\n'),
      })),
    ]);
    return {
      clauses: clauses.map(({ id, text, title }) => ({ id, text, title })),
      owners: words.map(({ owner }) => owner),
      similarities: resemblanceTo(await Promise.all(words.map(({ text }) => kept.embed(text))), kept.mean),
      behind: compareClauses(
        clauses.map((clause) => kept.directions.get(clauseKey(clause))),
        kept.mean,
      ),
    };
  }

  async function find(embedding: Float32Array): Promise<NearClause[]> {
    const { clauses, owners, similarities, behind } = await (landmarks ??= place());
    const byClause = clauses.map((): number[] => []);
    for (const [index, similarity] of similarities(embedding).entries()) byClause[owners[index]!]!.push(similarity);
    const lags = behind(embedding);
    const near = clauses.map((clause, index) => {
      const similarity = meanOfHighest(byClause[index]!);
      return { ...clause, similarity, standing: similarity - lags[index]! };
    });
    return near.sort((a, b) => b.standing - a.standing || (a.id < b.id ? -1 : 1));
  }

  return (embedding) => {
    let found = known.get(embedding);
    if (!found) known.set(embedding, (found = find(embedding)));
    return found;
  };
}

/** How far each clause is behind the one that the embedding speaks for most; nothing where nothing was learnt. */
function compareClauses(
  directions: readonly (ClauseDirection | undefined)[],
  mean: Float32Array,
): (embedding: Float32Array) => number[] {
  const none = { weights: new Float32Array(mean.length), offset: -Infinity };
  const products = similarityTo(directions.map((direction) => (direction ?? none).weights));
  return (embedding) => {
    const scores = [...products(centre(embedding, mean))].map((score, n) => score + (directions[n] ?? none).offset);
    const most = Math.max(...scores);
    return scores.map((score, n) => (directions[n] ? most - score : 0));
  };
}

const counted = 3;

function meanOfHighest(similarities: readonly number[]): number {
  const highest = similarities.toSorted((a, b) => b - a).slice(0, counted);
  return highest.reduce((sum, similarity) => sum + similarity, 0) / highest.length;
}

function resemblanceTo(
  embeddings: readonly Float32Array[],
  mean: Float32Array,
): (embedding: Float32Array) => Float64Array {
  const similarities = similarityTo(embeddings.map((embedding) => centre(embedding, mean)));
  return (embedding) => similarities(centre(embedding, mean));
}

/** How much two texts are about the same thing, less what all embeddings have in common. */
export function resemblance(a: Float32Array, b: Float32Array, mean: Float32Array): number {
  return similarityTo([centre(a, mean)])(centre(b, mean))[0]!;
}
