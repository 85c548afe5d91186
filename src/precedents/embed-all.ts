import type { Embedder, KeptPrecedent, PrecedentStore } from './kept-precedent.ts';
import { isUsable, unit } from './vector-search.ts';

const atOnce = 64;

export interface EmbedProgress {
  done: number;
  total: number;
}

/**
 * Makes the vectors of these precedents and keeps each lot as soon as it is made, so that a cut is no loss. Unusable
 * ones are left out.
 */
export async function embedAll(
  precedents: readonly KeptPrecedent[],
  embedder: Embedder,
  store: PrecedentStore | null,
  options: { onProgress?: (progress: EmbedProgress) => void; signal?: AbortSignal },
): Promise<Map<string, Float32Array>> {
  const made = new Map<string, Float32Array>();
  for (let at = 0; at < precedents.length; at += atOnce) {
    options.signal?.throwIfAborted();
    const lot = precedents.slice(at, at + atOnce);
    const texts = lot.map(({ text }) => text);
    const vectors = await (embedder.embedMany?.(texts, options) ??
      Promise.all(texts.map((text) => embedder.embed(text, options))));
    const usable = new Map(
      lot.flatMap(({ id }, index) =>
        isUsable(vectors[index], embedder.dimensions) ? [[id, unit(vectors[index])]] : [],
      ),
    );
    if (store && usable.size > 0) await store.keepVectors(embedder.model, usable);
    for (const [id, vector] of usable) made.set(id, vector);
    options.onProgress?.({ done: Math.min(at + atOnce, precedents.length), total: precedents.length });
  }
  return made;
}
