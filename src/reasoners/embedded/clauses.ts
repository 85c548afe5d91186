import type { Policy } from '../../policy/index.ts';
import { similarityTo } from '../../similarity.ts';
import type { Shelf } from './shelf.ts';

/** A clause of the policy with how near the case stands to it. */
export interface NearClause {
  id: string;
  text: string;
  title: string;
  similarity: number;
}

/** Clauses whose wording or violations the case resembles, the nearest first. */
export type FindClauses = (embedding: Float32Array) => Promise<NearClause[]>;

interface Landmarks {
  clauses: Omit<NearClause, 'similarity'>[];
  /** For each embedding, the clause it belongs to. */
  owners: number[];
  similarities(embedding: Float32Array): Float64Array;
}

/** A case that was decided unsafe under a clause. */
export interface DecidedCase {
  clause: string;
  text: string;
}

/** Nearest clauses by embedding: a clause is as near as the nearest of its text, its violations and the cases decided under it. */
export function clauseFinder(policy: Policy, shelf: Shelf, cases: readonly DecidedCase[]): FindClauses {
  // Every role of a debate asks with the same embedding.
  const known = new WeakMap<Float32Array, Promise<NearClause[]>>();
  let landmarks: Promise<Landmarks> | undefined;

  async function place(): Promise<Landmarks> {
    const clauses = policy.categories.flatMap(({ title, clauses: own }) => own.map((clause) => ({ ...clause, title })));
    const words = clauses.flatMap(({ id, text, violations }, owner) => [
      { owner, text },
      ...cases.filter(({ clause }) => clause === id).map((decided) => ({ owner, text: decided.text })),
      ...violations.map((example) => ({ owner, text: [example.text, example.imageDescription].filter((part) => part !== undefined).join('\n') })),
    ]);
    return {
      clauses: clauses.map(({ id, text, title }) => ({ id, text, title })),
      owners: words.map(({ owner }) => owner),
      similarities: similarityTo(await Promise.all(words.map(({ text }) => shelf.embed(text)))),
    };
  }

  async function find(embedding: Float32Array): Promise<NearClause[]> {
    const { clauses, owners, similarities } = await (landmarks ??= place());
    const near = clauses.map((clause) => ({ ...clause, similarity: Number.NEGATIVE_INFINITY }));
    for (const [index, similarity] of similarities(embedding).entries()) {
      const clause = near[owners[index]!]!;
      clause.similarity = Math.max(clause.similarity, similarity);
    }
    return near.sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
  }

  return (embedding) => {
    let found = known.get(embedding);
    if (!found) known.set(embedding, (found = find(embedding)));
    return found;
  };
}
