import { expect, test } from 'vitest';
import { describeMinutes, describeRules, splitList } from './describe-rules.ts';

test('rules are told one by one', () => {
  expect(describeRules({})).toEqual([]);
  expect(
    describeRules({
      clauses: ['fraud', 'hate.slurs'],
      severities: ['high'],
      risk: { from: 0.4, to: 1 },
      sample: 0.025,
    }),
  ).toEqual([
    'Quality sample: 2.5 % of what the machine decided alone',
    'Clause fraud or hate.slurs',
    'Severity high',
    'Risk 0.40 to 1.00',
  ]);
});

test('a time is told in the largest unit that fits', () => {
  expect([1, 45, 60, 120, 90, 1440, 4320].map(describeMinutes)).toEqual([
    '1 minute',
    '45 minutes',
    '1 hour',
    '2 hours',
    '90 minutes',
    '1 day',
    '3 days',
  ]);
});

test('a list is parted by commas and lines, each word once', () => {
  expect(splitList(' de, fr\nde ,')).toEqual(['de', 'fr']);
  expect(splitList(' , ')).toBeUndefined();
});
