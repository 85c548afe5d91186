import { describe, expect, test } from 'vitest';
import { hostileAnalysis, quarterlyAnalysis } from '@agonhq/test/fixtures/analyses.ts';
import { traceClaim } from './trace-claim.ts';

const traces = quarterlyAnalysis.claims.map((_, index) => traceClaim(quarterlyAnalysis, index));

describe('the trace of a claim', () => {
  test('numbers its citations, and each that stands leads to its own words', () => {
    for (const { citations } of traces) {
      expect(citations.map(({ index }) => index)).toEqual(citations.map((_, index) => index));
      for (const { grounding, quote } of citations)
        if (grounding && !grounding.told)
          expect(grounding.document.text.slice(grounding.start, grounding.end)).toBe(quote);
    }
  });

  test('has what was struck, which leads nowhere', () => {
    const struck = traces.flatMap(({ citations }) => citations.filter((citation) => citation.struck));
    expect(struck.length).toBeGreaterThan(0);
    expect(struck.every(({ grounding, quote }) => grounding === null && quote !== '')).toBe(true);
  });

  test('puts conflicts first, with all their places, the stated one in front', () => {
    const [first] = traces[0]!.checks;
    expect(first!.finding.outcome).toBe('conflict');
    expect(first!.citations.map(({ quote }) => quote)).toEqual(['51 %', '4,600', '4,000']);
  });

  test('knows which attacks still stand', () => {
    const attacks = traces.flatMap(({ steps }) => steps.flatMap((step) => step.attacks));
    expect(attacks.map(({ number }) => number)).toContain(2);
    expect(attacks.some(({ stands }) => stands === true)).toBe(true);
    expect(attacks.some(({ stands }) => stands === false)).toBe(true);
  });

  test('is read of whatever an answer holds', () => {
    expect(() => hostileAnalysis.claims.forEach((_, index) => traceClaim(hostileAnalysis, index))).not.toThrow();
  });
});
