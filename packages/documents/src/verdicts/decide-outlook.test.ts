import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimLabels, type ClaimAnswer, type ClaimLabel } from '../analysis.ts';
import type { NumberFinding } from '../numbers/finding.ts';
import { decideOutlook } from './decide-outlook.ts';

const conflict = { outcome: 'conflict' } as NumberFinding;
const judged = (...verdicts: [ClaimLabel, number][]) =>
  verdicts.map(
    ([label, importance], index) =>
      ({ subject: { id: `claim-${index + 1}`, importance }, verdict: { label } }) as ClaimAnswer,
  );

describe('the outlook', () => {
  test.each([
    ['positive', 'supported', judged(['verified-strong', 0.9], ['mixed', 0.3]), []],
    ['positive', 'supported', judged(['supported', 0.9], ['contradicted', 0.3]), []],
    ['mixed', 'important-contradiction', judged(['verified-strong', 0.9], ['contradicted', 0.6]), []],
    ['mixed', 'number-conflict', judged(['verified-strong', 0.9]), [conflict]],
    ['mixed', 'no-majority', judged(['supported', 0.5], ['mixed', 0.5]), []],
    ['negative', 'more-against', judged(['supported', 0.5], ['contradicted', 0.9]), []],
    ['negative', 'more-against', judged(['unsupported', 0.5], ['mixed', 0.9]), []],
    ['undecided', 'nothing-decided', judged(['undecided', 0.9]), []],
    ['undecided', 'nothing-decided', [], []],
    ['mixed', 'numbers-only', [], [conflict]],
  ])('is %s by the rule %s', (label, rule, claims, numbers) => {
    expect(decideOutlook(claims, numbers)).toMatchObject({ label, rule: { id: rule } });
  });

  test('law: what conflicts never makes it positive, and neither does what was not decided', () => {
    const verdicts = fc.array(fc.tuple(fc.constantFrom(...claimLabels), fc.double({ min: 0, max: 1, noNaN: true })));
    fc.assert(fc.property(verdicts, (given) => decideOutlook(judged(...given), [conflict]).label !== 'positive'));
    fc.assert(
      fc.property(
        verdicts,
        (given) =>
          decideOutlook(judged(...given), []).label === decideOutlook(judged(...given, ['undecided', 1]), []).label,
      ),
    );
  });
});
