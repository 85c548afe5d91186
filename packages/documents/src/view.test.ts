import { expect, test } from 'vitest';
import { claimLabels, claimRules, documentMethods } from './index.ts';
import { describeClaimLabel, nameMethod, describeRule, nameStep } from './view.ts';

test('every rule, every label and every method has words of its own', () => {
  for (const id of [...claimRules.map((rule) => rule.id), 'zero-shot', 'majority', 'tie'])
    expect(describeRule(id, () => 'none')).not.toBe('none');
  for (const label of claimLabels) expect(describeClaimLabel(label).meaning).not.toBe('');
  for (const method of documentMethods) expect(nameMethod(method, () => 'none')).not.toBe('none');
  for (const key of ['claim-01/vote#1', 'claim-01/vote#3', 'claim-01/round-2/control'])
    expect(nameStep(key, () => 'none')).not.toBe('none');
});
