import { describe, test } from 'vitest';

/**
 * What takes long and says little beyond its faster neighbours: `npm run test:all` runs it, `npm test` does not.
 */
export const isWhole = process.env['AGON_TESTS'] === 'all';
export const slowTest = test.skipIf(!isWhole);
export const describeSlow = describe.skipIf(!isWhole);

/** Of many alike cases all, or every so-manieth. */
export function sampleCases<Item>(items: readonly Item[], every: number): Item[] {
  return isWhole ? [...items] : items.filter((_, index) => index % every === 0);
}
