import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSigns, listReasons, measureUrgency, rankCase, type Certainty } from './urgency.ts';

const certain: Certainty = { label: 'safe', escalate: 0, degraded: 0, disagreement: 0.1, risk: 0.05, bar: 0.5 };

describe('how much a verdict needs a person', () => {
  test('a certain verdict needs nobody, and one that is not there yet neither', () => {
    expect(measureUrgency(certain)).toBe(0);
    expect(measureUrgency({ ...certain, label: 'unsafe', disagreement: null, risk: null, bar: null })).toBe(0);
    expect(findSigns({ ...certain, label: null, escalate: 1 })).toEqual([]);
  });

  test(
    'undecided comes before escalated, degraded, wide disagreement and a risk near its bar, ' +
      'whatever comes along with it',
    () => {
      const worst: Certainty[] = [
        { ...certain, label: 'undecided' },
        { ...certain, escalate: 1, degraded: 1, disagreement: 1, risk: 0.5 },
        { ...certain, degraded: 1, disagreement: 1, risk: 0.5 },
        { ...certain, disagreement: 1, risk: 0.5 },
        { ...certain, risk: 0.5 },
      ];
      const least: Certainty[] = [
        { ...certain, label: 'undecided' },
        { ...certain, escalate: 1 },
        { ...certain, degraded: 1 },
        { ...certain, disagreement: 0.5 },
        { ...certain, risk: 0.6 },
      ];
      for (const [index, verdict] of least.slice(0, -1).entries())
        expect(measureUrgency(verdict)).toBeGreaterThan(measureUrgency(worst[index + 1]!));
      expect(measureUrgency(least.at(-1)!)).toBeGreaterThan(0);
    },
  );

  test('the bounds themselves are unsure, and just beyond them is not', () => {
    expect(findSigns({ ...certain, disagreement: 0.5 })).toEqual(['disagreement']);
    expect(findSigns({ ...certain, risk: 0.4 })).toEqual(['near-threshold']);
    expect(findSigns({ ...certain, risk: 0.6 })).toEqual(['near-threshold']);
    expect(findSigns({ ...certain, risk: 0.1, bar: 0.09 })).toEqual(['near-threshold']);
    expect(findSigns({ ...certain, disagreement: 0.49, risk: 0.39 })).toEqual([]);
  });

  test('whatever gets worse never makes it less urgent', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const verdict = fc.record({
      label: fc.constantFrom('safe', 'unsafe', 'undecided'),
      escalate: fc.constantFrom(0, 1),
      degraded: fc.constantFrom(0, 1),
      disagreement: share,
      risk: share,
      bar: fc.constant(0.5),
    });
    fc.assert(
      fc.property(verdict, share, (before, step) => {
        const between = (from: number, to: number) => from + (to - from) * step;
        const worse: Certainty[] = [
          { ...before, label: 'undecided' },
          { ...before, escalate: 1 },
          { ...before, degraded: 1 },
          { ...before, disagreement: between(before.disagreement, 1) },
          { ...before, risk: between(before.risk, 0.5) },
        ];
        for (const after of worse) expect(measureUrgency(after)).toBeGreaterThanOrEqual(measureUrgency(before) - 1e-9);
        expect(measureUrgency(before)).toBeLessThanOrEqual(1);
        expect(measureUrgency(before) > 0).toBe(findSigns(before).length > 0);
      }),
    );
  });
});

test('what may be grave comes before what nobody could read, and that before what may be an insult', () => {
  const rank = (verdict: Partial<Certainty>, severity: string | null) => rankCase({ ...certain, ...verdict, severity });
  const escalated = { label: 'unsafe', escalate: 1 };
  const unread = { label: 'undecided', escalate: 1, degraded: 1, risk: null, bar: null };
  const ranks = [
    rank(escalated, 'critical'),
    rank(escalated, 'high'),
    rank(unread, null),
    rank({ ...escalated, risk: 0.599 }, 'medium'),
    rank(escalated, null),
    rank({}, 'critical'),
  ];
  expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
  expect(new Set(ranks).size).toBe(ranks.length);
  expect(ranks.at(-1)).toBe(0);
});

test('what people did comes first among the reasons, and no reason names the label', () => {
  const unsure: Certainty = { ...certain, label: 'unsafe', escalate: 1, risk: 0.55 };
  expect(listReasons(unsure, { stage: 'first', appealed: false })).toEqual(['escalated', 'near-threshold']);
  expect(listReasons(unsure, { stage: 'second', appealed: true })).toEqual([
    'second-review',
    'escalated',
    'near-threshold',
    'appealed',
  ]);
  expect(listReasons(certain, { stage: 'dispute', appealed: false })).toEqual(['reviewers-disagree']);
});
