import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentOf, quarterlyReport } from '@agonhq/test/support/analysis-setup.ts';
import { openFactorCases } from './chunk-dossier.ts';

const second = documentOf('second.md', [
  '# Costs',
  'Costs fell. '.repeat(100),
  [['Item', 'Cost'], ...Array.from({ length: 60 }, (_, row) => [`Item ${row}`, String(row)])],
]);
const dossier = { documents: [...quarterlyReport.documents, second] };

describe('what the factor agent reads at once', () => {
  test('is the whole dossier when it is short', () => {
    expect(openFactorCases(dossier, 10_000).map(({ sources }) => sources.map(({ id }) => id))).toEqual([
      [
        'report.md#b1',
        'report.md#b2',
        'report.md#b3',
        'report.md#b4',
        'report.md#b5',
        'second.md#b1',
        'second.md#b2',
        'second.md#b3',
      ],
    ]);
    expect(openFactorCases({ documents: [] }, 100)).toEqual([]);
  });

  test('law: whatever its length, nothing is left out, and nothing is read over the length asked for', () => {
    const words = (text: string) => text.split(/\s+/).filter(Boolean);
    fc.assert(
      fc.property(fc.integer({ min: 80, max: 3_000 }), (most) => {
        const cases = openFactorCases(dossier, most);
        expect(words(cases.flatMap(({ sources }) => sources.map(({ text }) => text)).join('\n'))).toEqual(
          words(dossier.documents.map(({ text }) => text).join('\n')),
        );
        for (const { sources } of cases)
          expect(sources.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(most);
      }),
    );
  });
});
