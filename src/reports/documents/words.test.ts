import { expect, test } from 'vitest';
import { claimLabels, claimRules } from '../../documents/index.ts';
import { labelWords, ruleWords } from './words.ts';

test('every rule and every label has words of its own', () => {
  for (const { id } of claimRules) expect(ruleWords(id, () => 'none')).not.toBe('none');
  for (const label of claimLabels) expect(labelWords(label).meaning).not.toBe('');
});
