import guardManifest from '../../../../../models/guard-2/guard.json' with { type: 'json' };
import { join } from 'node:path';
import { centre } from './clauses.ts';
import { embeddedModel } from './embedded-model.ts';
import { guardFolder, openGuard } from './guard.ts';
import { openKeptEmbeddings, type KeptEmbeddings } from './kept-embeddings.ts';
import { shippedWeights } from './weights.ts';

/** Embeddings by the guard, from the kept ones where they are known. */
export async function embedText(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array> {
  return (await loadEmbeddings()).embed(text, options);
}

/** The guard as the one who embeds precedents. Its name says which weights: vectors of others are not comparable. */
export const guardEmbedder = {
  model: `${embeddedModel}@${guardManifest.sha256['first.onnx'].slice(7, 15)}/centred`,
  dimensions: 384,
  embed: embedCentred,
  // Without what all embeddings have in common, two texts that have nothing to do with each other are at nought.
  background: 0,
  /** Below this a case is about something else; fitted by packages/lab/training/fit-similarity.ts. */
  leastSimilarity: shippedWeights.precedents.least,
  /** Theirs are kept. */
  knowsSeeds: true,
};

/** What a text is about: its embedding without what all of them have in common. */
export async function embedCentred(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array> {
  const { embed, mean } = await loadEmbeddings();
  return centre(await embed(text, options), mean);
}

let kept: Promise<KeptEmbeddings> | undefined;

export function loadEmbeddings(): Promise<KeptEmbeddings> {
  kept ??= Promise.all([guardFolder(), openGuard()]).then(([folder, guard]) =>
    openKeptEmbeddings(join(folder, 'shelf.bin'), guard),
  );
  return kept;
}
