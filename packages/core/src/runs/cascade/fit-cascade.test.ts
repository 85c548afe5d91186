import { expect, test } from 'vitest';
import { findSide, fitCascade, type ScoredItem } from './fit-cascade.ts';

test('items of one score are decided together or not at all', () => {
  const several = (count: number, item: ScoredItem) => Array.from({ length: count }, () => item);
  // The clear ones pass alone; of the unclear ones of one score, too many are wrong to decide them all.
  const items = [
    ...several(400, { score: 0.02, label: 'safe' }),
    ...several(200, { score: 0.3, label: 'safe' }),
    ...several(100, { score: 0.3, label: 'unsafe' }),
  ];
  const { band } = fitCascade(items);
  expect(band).toMatchObject({ safeUpTo: 0.02, decided: 400, wrong: 0 });
  expect(items.filter(({ score }) => findSide(band!, score!) !== null)).toHaveLength(400);
});
