import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { drawSample, sampleCount } from '@agonhq/lab/training/vision/sample-images.ts';
import { openNetwork } from '../runtime/network.ts';
import { locateParts } from '../runtime/parts.ts';
import originals from './original-probabilities.json' with { type: 'json' };

/** Recorded by packages/lab/training/vision/record-originals.ts. */
const recorded: Record<'objects' | 'nudity', number[][]> = originals;

test.each([
  ['objects', 224],
  ['nudity', 299],
] as const)('%s: the converted model gives what the original gives, within .02', async (part, side) => {
  const network = await openNetwork(await readFile(locateParts()[part]!.path), 2);
  for (let index = 0; index < sampleCount; index += 1) {
    const [{ values }] = await network.run(drawSample(index, side), [1, side, side, 3]);
    const original = recorded[part][index]!;
    expect(values.length).toBe(original.length);
    const furthest = Math.max(...original.map((probability, at) => Math.abs(probability - values[at]!)));
    expect(furthest).toBeLessThanOrEqual(0.02);
  }
});
