import type { Policy } from '../../policy/index.ts';
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

/** Nearest clauses by embedding: a clause is as near as the nearest of its text and its violations. */
export function clauseFinder(policy: Policy, shelf: Shelf): FindClauses {
  let landmarks: Promise<{ id: string; text: string; title: string; embeddings: Float32Array[] }[]> | undefined;

  async function place() {
    const clauses = policy.categories.flatMap(({ title, clauses: own }) => own.map((clause) => ({ ...clause, title })));
    return Promise.all(
      clauses.map(async ({ id, text, title, violations }) => {
        const words = [text, ...violations.map((example) => [example.text, example.imageDescription].filter((part) => part !== undefined).join('\n'))];
        return { id, text, title, embeddings: await Promise.all(words.map((word) => shelf.embed(word))) };
      }),
    );
  }

  return async (embedding) => {
    landmarks ??= place();
    const near = (await landmarks).map(({ id, text, title, embeddings }) => ({ id, text, title, similarity: Math.max(...embeddings.map((other) => dot(embedding, other))) }));
    return near.sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
  };
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}
