import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readStatedCounts } from './corpus.ts';

test('docs/security.md names every group, and a thousand cases and more', () => {
  const groups = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.test.ts') && file !== 'counts.test.ts')
    .map((file) => file.replace(/(?:\.long)?\.test\.ts$/, ''));
  const stated = readStatedCounts();
  expect([...stated.keys()].toSorted()).toEqual(groups.toSorted());
  expect(stated.values().reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1_000);
});
