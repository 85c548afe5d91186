import type { ItemLine } from '@agonhq/engine/items';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LabelledContent } from '../jobs/moderation/labelled-content.ts';
import { divideIntoBatches, stratumOf } from './experiment.ts';

function line(number: number, unsafe: boolean, kind: 'text' | 'image' | 'both'): ItemLine<LabelledContent> {
  const images = [{ description: 'a picture' }];
  const subject = kind === 'text' ? { text: 'words' } : kind === 'image' ? { images } : { text: 'words', images };
  return {
    line: number,
    key: String(number),
    item: { label: unsafe ? 'unsafe' : 'safe', subject, category: null, trivial: false, raters: null, modality: null },
  };
}

const lines = fc
  .array(fc.tuple(fc.boolean(), fc.constantFrom('text' as const, 'image' as const, 'both' as const)), {
    minLength: 10,
    maxLength: 120,
  })
  .map((kinds) => kinds.map(([unsafe, kind], index) => line(index + 1, unsafe, kind)));

test(
  'every item is in one batch, batches differ by one item at most, and every label of every modality is spread ' +
    'evenly',
  () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 1_000 }), (all, count, seed) => {
        const batches = divideIntoBatches(all, count, seed);
        expect(
          batches
            .flat()
            .map((one) => one.line)
            .sort((a, b) => a - b),
        ).toEqual(all.map((one) => one.line));
        const sizes = batches.map((batch) => batch.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        for (const stratum of new Set(all.map(stratumOf))) {
          const counts = batches.map((batch) => batch.filter((one) => stratumOf(one) === stratum).length);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
      }),
    );
  },
);

test('the seed decides who goes where, and nothing else does', () => {
  const all = Array.from({ length: 40 }, (_, index) => line(index + 1, index % 3 === 0, 'text'));
  const order = (seed: number) => divideIntoBatches(all, 4, seed).map((batch) => batch.map((one) => one.line));
  expect(order(7)).toEqual(order(7));
  expect(order(7)).not.toEqual(order(8));
});

test('more batches than items are refused', () => {
  expect(() => divideIntoBatches([line(1, true, 'text')], 2, 1)).toThrow('1 items cannot be divided into 2 batches.');
});
