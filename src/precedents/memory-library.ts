import type { Precedent, PrecedentLibrary } from '../debate/index.ts';
import { hashOf } from '../hash.ts';
import { similarityTo } from '../similarity.ts';

/** A precedent as it is kept: with the text that stands for it in searches. */
export interface KeptPrecedent extends Omit<Precedent, 'similarity'> {
  text: string;
  /** The clause it was decided under, when it was one. */
  clause?: string;
}

export type Embed = (text: string, options?: { signal?: AbortSignal }) => Promise<Float32Array>;

/** Below this an alike case says little; the weights of the embedded debate were fitted with it. */
const leastSimilarity = 0.8;

/** A library in memory, searched exactly: each precedent is held against the case. */
export function memoryLibrary(precedents: readonly KeptPrecedent[], embed: Embed): PrecedentLibrary {
  let embedded: Promise<(wanted: Float32Array) => Float64Array> | undefined;
  return {
    version: hashOf(precedents),
    async search({ text, limit, signal }) {
      signal.throwIfAborted();
      embedded ??= Promise.all(precedents.map((precedent) => embed(precedent.text))).then(similarityTo);
      const [wanted, similarities] = await Promise.all([embed(text, { signal }), embedded]);
      return Array.from(similarities(wanted).entries(), ([index, similarity]) => ({ index, similarity }))
        .filter(({ similarity }) => similarity >= leastSimilarity)
        .sort((a, b) => b.similarity - a.similarity || a.index - b.index)
        .slice(0, limit)
        .map(({ index, similarity }) => {
          const { text: _text, clause: _clause, ...precedent } = precedents[index]!;
          return { ...precedent, similarity: Math.round(similarity * 1e4) / 1e4 };
        });
    },
  };
}
