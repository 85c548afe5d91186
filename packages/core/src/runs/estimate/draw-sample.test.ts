import { describe, expect, test } from 'vitest';
import { sha256 } from '@agonhq/engine/hash';
import type { NewRunItem } from '@agonhq/ledger';
import { drawSample } from './draw-sample.ts';

async function* numbered(count: number, contents = count): AsyncGenerator<NewRunItem, void, void> {
  for (let position = 1; position <= count; position += 1)
    yield { position, key: String(position), hash: sha256(String(position % contents)), input: null };
}

describe('a sample', () => {
  test('is the whole of an input that is shorter', async () => {
    const { sample, items, distinct } = await drawSample(numbered(7), 50, 1);
    expect(sample.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect({ items, distinct }).toEqual({ items: 7, distinct: 7 });
  });

  test('gives the beginning and the end of an input the same chance', async () => {
    let firstHalf = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const { sample } = await drawSample(numbered(400), 20, seed);
      expect(new Set(sample.map(({ position }) => position)).size).toBe(20);
      firstHalf += sample.filter(({ position }) => position <= 200).length;
    }
    // Of 4,000 draws half, give or take four standard deviations.
    expect(Math.abs(firstHalf - 2_000)).toBeLessThan(4 * Math.sqrt(4_000 / 4));
  });

  test('is the same for the same seed', async () => {
    const drawn = async (seed: number) =>
      (await drawSample(numbered(500), 10, seed)).sample.map(({ position }) => position);
    expect(await drawn(3)).toEqual(await drawn(3));
    expect(await drawn(3)).not.toEqual(await drawn(4));
  });
});

describe('contents', () => {
  test.each([
    [10, 5],
    [2_000, 1_000],
    [100_000, 30_000],
    [100_000, 60_000],
  ])('of %i items are counted: %i of them, give or take a fortieth', async (items, contents) => {
    const { distinct } = await drawSample(numbered(items, contents), 1, 1);
    expect(Math.abs(distinct / contents - 1)).toBeLessThan(0.025);
  });

  test('that are all different are taken to be so, since the count is not exact', async () => {
    expect((await drawSample(numbered(100_000), 1, 1)).distinct).toBe(100_000);
  });
});
