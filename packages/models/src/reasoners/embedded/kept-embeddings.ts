import guardManifest from '../../../../../models/guard-2/guard.json' with { type: 'json' };
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import { embeddedModel } from './embedded-model.ts';
import { guardFolder, openGuard, type GuardModel } from './guard.ts';
import { shippedWeights } from './weights.ts';

/** Embeddings of texts that are asked for again and again: a policy's clauses and examples. */
export interface KeptEmbeddings {
  embed(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array>;
  /** What all embeddings have in common: without it, resemblance tells subjects apart better. */
  mean: Float32Array;
  /** What tells the clauses of the default policy apart, by the key of a clause. */
  directions: ReadonlyMap<string, ClauseDirection>;
}

/** How much an embedding speaks for a clause rather than another: its product with the weights, and the offset. */
export interface ClauseDirection {
  weights: Float32Array;
  offset: number;
}

const dimensions = 384;
const keyBytes = 16;

/**
 * Opens the embeddings that ship with the model, in 8 bits (an error below .005); the guard is asked for others. Those
 * of everyday texts and what tells clauses apart lie in files beside, which a model may lack: what all embeddings have
 * in common is not told by them. Each is the one that `kept.json` names by its hash.
 */
export async function openKeptEmbeddings(file: string, guard: GuardModel): Promise<KeptEmbeddings> {
  const folder = dirname(file);
  const { sha256: hashes } = keptFilesSchema.parse(JSON.parse((await readShipped(join(folder, keptFile))).toString()));
  const read = async (name: string) => {
    if (hashes[name] === undefined) return Buffer.alloc(0);
    const bytes = await readShipped(join(folder, name));
    if (sha256(bytes) !== hashes[name]) throw brokenFile(`${join(folder, name)} is not the file that was shipped`);
    return bytes;
  };
  const [shelved, everyday, directions] = await Promise.all([basename(file), everydayFile, directionsFile].map(read));
  const kept = decodeEmbeddings(shelved!);
  const mean = findMean([...kept.values()]);
  for (const [key, embedding] of decodeEmbeddings(everyday!)) kept.set(key, embedding);
  return {
    mean,
    directions: decodeDirections(directions!),
    // What the guard is asked for is not kept: it may be every text of a long run, and the guard remembers the latest.
    embed: async (text, options) => kept.get(hashKey(text).toString('hex')) ?? guard.embed(text, options),
  };
}

/** Where the embeddings of everyday texts lie, in the folder of the model; what tells clauses apart; their hashes. */
export const everydayFile = 'everyday.bin';
export const directionsFile = 'clauses.bin';
export const keptFile = 'kept.json';

const keptFilesSchema = z.object({ sha256: z.record(z.string(), z.string()) });

async function readShipped(file: string): Promise<Buffer> {
  return readFile(file).catch((error: Error) => {
    throw brokenFile(`The embeddings that ship with the model cannot be read: ${error.message}`, error);
  });
}

function brokenFile(message: string, cause?: Error): AgonError {
  const hint = 'Install Agon anew, or make them again with `node packages/lab/training/shelve.ts`.';
  return new AgonError('broken-guard-model', `${message}.`, hint, { cause });
}

function decodeEmbeddings(bytes: Buffer): Map<string, Float32Array> {
  const kept = new Map<string, Float32Array>();
  for (let at = 0; at + keyBytes + dimensions <= bytes.length; at += keyBytes + dimensions) {
    const values = new Int8Array(bytes.buffer, bytes.byteOffset + at + keyBytes, dimensions);
    kept.set(bytes.toString('hex', at, at + keyBytes), normalised(Float32Array.from(values)));
  }
  return kept;
}

/** As packages/lab/training/fit_naming.py writes them: key, weights, offset. */
function decodeDirections(bytes: Buffer): Map<string, ClauseDirection> {
  const known = new Map<string, ClauseDirection>();
  const size = keyBytes + 4 * (dimensions + 1);
  for (let at = 0; at + size <= bytes.length; at += size) {
    const values = Float32Array.from({ length: dimensions + 1 }, (_, n) => bytes.readFloatLE(at + keyBytes + 4 * n));
    known.set(bytes.toString('hex', at, at + keyBytes), {
      weights: values.subarray(0, dimensions),
      offset: values[dimensions]!,
    });
  }
  return known;
}

/** A clause by its id and words: of a clause that somebody wrote anew nothing was learnt. */
export function clauseKey({ id, text }: { id: string; text: string }): string {
  return hashKey(`${id}\n${text}`).toString('hex');
}

/** The bytes of a file of embeddings. */
export function encodeEmbeddings(entries: readonly { text: string; embedding: Float32Array }[]): Buffer {
  return Buffer.concat(
    entries.flatMap(({ text, embedding }) => {
      const largest = embedding.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-8);
      return [
        hashKey(text),
        Buffer.from(Int8Array.from(embedding, (value) => Math.round((value / largest) * 127)).buffer),
      ];
    }),
  );
}

function hashKey(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, keyBytes);
}

function findMean(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const vector of vectors) vector.forEach((value, index) => (sum[index]! += value / vectors.length));
  return sum;
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

/** An embedding without what all of them have in common, of length one. */
export function centre(embedding: Float32Array, mean: Float32Array): Float32Array {
  const rest = embedding.map((value, index) => value - mean[index]!);
  const length = Math.sqrt(rest.reduce((sum, value) => sum + value * value, 0)) || 1;
  return rest.map((value) => value / length);
}

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
