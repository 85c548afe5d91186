import { expect, test } from 'vitest';
import { computeQualityIntervals } from '../handlers/runs.ts';

test('every interval holds its figure, and more items make it narrower', async () => {
  const few = {
    items: 20,
    accuracy: 0.8,
    confusion: {
      'unsafe as unsafe': 8,
      'unsafe as safe': 1,
      'unsafe as undecided': 1,
      'safe as safe': 8,
      'safe as unsafe': 2,
    },
  };
  const many = {
    ...few,
    items: 200,
    confusion: Object.fromEntries(Object.entries(few.confusion).map(([cell, count]) => [cell, count * 10])),
  };
  const figures = { accuracy: 0.8, precision: 0.8, recall: 0.8, f1: 0.8 };
  const [wide, narrow] = [computeQualityIntervals(few), computeQualityIntervals(many)];
  for (const [name, figure] of Object.entries(figures) as [keyof typeof figures, number][]) {
    for (const interval of [wide, narrow]) {
      expect(interval[name]![0]).toBeLessThan(figure);
      expect(interval[name]![1]).toBeGreaterThan(figure);
    }
    expect(narrow[name]![1] - narrow[name]![0]).toBeLessThan(wide[name]![1] - wide[name]![0]);
  }
});

test('there is none of what nothing was seen of', async () => {
  expect(computeQualityIntervals({ items: 3, accuracy: 1, confusion: { 'safe as safe': 3 } })).toMatchObject({
    accuracy: [expect.any(Number), 1],
    precision: null,
    recall: null,
    f1: null,
  });
});
