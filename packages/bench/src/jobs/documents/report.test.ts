import { describe, expect, test } from 'vitest';
import type { ClaimLabel } from '@agonhq/documents';
import { noUsage } from '@agonhq/engine/debate';
import { measureClaimRun, toClaimClass } from './report.ts';
import type { ClaimClass } from './labelled-claim.ts';
import type { ClaimOutcome } from './run-claims.ts';

function outcome(
  right: ClaimClass,
  said: ClaimLabel | null,
  cited: number[] | null = null,
  evidence: number[] | null = null,
): ClaimOutcome {
  return {
    line: 1,
    item: {
      claim: 'a',
      label: right,
      source: { text: 'a' },
      evidence,
      category: null,
      trivial: false,
      raters: null,
      modality: 'claim',
    },
    judged: said && {
      key: '1',
      label: said,
      score: null,
      rule: 'withstood',
      cited,
      usage: noUsage,
      byModel: {},
      turns: [],
      opening: null,
      latencyMs: 1,
    },
  };
}

describe('the figures of claims', () => {
  test('a claim that is neither borne out nor contradicted is neutral where the data has that, else refuted', () => {
    expect(
      (['verified-strong', 'supported', 'contradicted', 'mixed', 'unsupported', 'undecided'] as const).map((label) => [
        toClaimClass(label, true),
        toClaimClass(label, false),
      ]),
    ).toEqual([
      ['entailed', 'entailed'],
      ['entailed', 'entailed'],
      ['refuted', 'refuted'],
      ['neutral', 'refuted'],
      ['neutral', 'refuted'],
      ['undecided', 'undecided'],
    ]);
  });

  test('are means over the classes, however many claims each has', () => {
    const { metrics } = measureClaimRun([
      outcome('entailed', 'supported'),
      outcome('entailed', 'supported'),
      outcome('entailed', 'contradicted'),
      outcome('refuted', 'unsupported'),
    ]);
    expect(metrics.accuracy).toBe(0.75);
    expect(metrics.balancedAccuracy).toBeCloseTo((2 / 3 + 1) / 2);
    expect(metrics.macroF1).toBeCloseTo((0.8 + 2 / 3) / 2);
    expect(metrics.byClass.map(({ label, items, precision }) => [label, items, precision])).toEqual([
      ['entailed', 3, 1],
      ['refuted', 1, 0.5],
    ]);
  });

  test('undecided and failed claims are errors', () => {
    const { metrics } = measureClaimRun([
      outcome('entailed', 'undecided'),
      outcome('refuted', null),
      outcome('refuted', 'contradicted'),
    ]);
    expect(metrics).toMatchObject({ accuracy: 1 / 3, undecided: 1, failed: 1 });
    expect(measureClaimRun([{ line: 1, item: null, judged: null }, outcome('refuted', 'mixed')]).metrics).toMatchObject(
      {
        accuracy: 0.5,
        failed: 1,
      },
    );
  });

  test('citations are held against the parts that decide', () => {
    const { metrics } = measureClaimRun([
      outcome('entailed', 'supported', [1, 2], [2, 3]),
      outcome('refuted', 'unsupported', [], [4]),
      outcome('refuted', 'unsupported', [9], null),
    ]);
    expect(metrics).toMatchObject({ citationPrecision: 0.5, citationRecall: 0.25 });
  });

  test('nothing to measure is null', () => {
    expect(measureClaimRun([outcome('entailed', 'supported')]).metrics).toMatchObject({
      citationPrecision: null,
      citationRecall: null,
    });
  });
});
