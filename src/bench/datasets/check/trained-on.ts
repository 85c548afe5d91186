import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgonError } from '../../../errors.ts';
import { packageFolder } from '../../../package-folder.ts';
import { fingerprintBytes } from './words.ts';

/** Models that ship with a list of what they were trained on. */
const fingerprintedModels = ['guard-1', 'reply-1'] as const;

/**
 * The texts that a model was trained on, as fingerprints: whether a text is among them can be told, and nothing else.
 */
export interface TrainedOn {
  model: string;
  texts: number;
  /** By the fingerprint of a normalised text. */
  holds(fingerprint: number): boolean;
}

/** Fingerprints in order, one behind the other, as the file of a model holds them. */
export function packFingerprints(fingerprints: Iterable<number>): Buffer {
  const sorted = Float64Array.from(new Set(fingerprints)).sort();
  const packed = Buffer.alloc(sorted.length * fingerprintBytes);
  for (const [index, fingerprint] of sorted.entries())
    packed.writeUIntBE(fingerprint, index * fingerprintBytes, fingerprintBytes);
  return packed;
}

export function trainedOn(model: string, packed: Buffer): TrainedOn {
  const texts = packed.length / fingerprintBytes;
  if (!Number.isInteger(texts))
    throw new AgonError('broken-model', `The list of what ${model} was trained on is damaged.`, 'Install Agon again.');
  return { model, texts, holds: (fingerprint) => holds(packed, texts, fingerprint) };
}

/** What the shipped models were trained on; a model whose list does not ship is left out. */
export async function shippedTrainedOn(): Promise<TrainedOn[]> {
  const folder = join(await packageFolder(import.meta.dirname), 'models');
  const found = await Promise.all(
    fingerprintedModels.map(async (model) => {
      try {
        return trainedOn(model, await readFile(join(folder, model, 'trained-on.bin')));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    }),
  );
  return found.filter((one) => one !== null);
}

function holds(packed: Buffer, texts: number, wanted: number): boolean {
  let [low, high] = [0, texts - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = packed.readUIntBE(middle * fingerprintBytes, fingerprintBytes);
    if (found === wanted) return true;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
