import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findQueue, queueRulesSchema, type QueueFacts, type QueueRules } from './queue-rules.ts';

const facts: QueueFacts = {
  id: 'mod-1',
  job: 'moderation',
  categories: ['fraud', 'fraud.scams'],
  severity: 'high',
  risk: 0.7,
  language: 'pt-BR',
  channel: 'forum',
  run: ['run-1', 'nightly'],
  unsure: true,
};
const takes = (rules: QueueRules, change: Partial<QueueFacts> = {}) =>
  findQueue([{ rules }], { ...facts, ...change }) !== undefined;

describe('the rules of a queue', () => {
  test.each<[string, QueueRules, Partial<QueueFacts>]>([
    ['job', { job: 'moderation' }, { job: 'evaluation' }],
    ['clause', { clauses: ['fraud.scams'] }, { categories: ['fraud', 'fraud.loans'] }],
    ['category', { clauses: ['fraud'] }, { categories: ['fraudulent'] }],
    ['severity', { severities: ['critical', 'high'] }, { severity: null }],
    ['band of risk', { risk: { from: 0.7, to: 0.9 } }, { risk: 0.69 }],
    ['known risk', { risk: { from: 0, to: 1 } }, { risk: null }],
    ['language', { languages: ['PT'] }, { language: 'de' }],
    ['tag of a language', { languages: ['pt-br'] }, { language: 'pt' }],
    ['channel', { channels: ['forum'] }, { channel: null }],
    ['run', { runs: ['nightly'] }, { run: [] }],
  ])('by %s take what meets them and nothing else', (_, rules, other) => {
    expect(takes(rules)).toBe(true);
    expect(takes(rules, other)).toBe(false);
  });

  test('must all hold, and the first queue takes the case', () => {
    expect(takes({ clauses: ['fraud'], channels: ['shop'] })).toBe(false);
    const [grave, rest] = [{ rules: { severities: ['high' as const] } }, { rules: {} }];
    expect(findQueue([grave, rest], facts)).toBe(grave);
    expect(findQueue([rest, grave], facts)).toBe(rest);
    expect(findQueue([grave], { ...facts, severity: 'low' })).toBeUndefined();
  });

  test('of a sample draw the same share of what the machine was sure of, and nothing that it asks about', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.float({ min: 0, max: 1, noNaN: true }), (id, sample) => {
        expect(takes({ sample }, { id })).toBe(false);
        const drawn = takes({ sample }, { id, unsure: false });
        expect(takes({ sample }, { id, unsure: false })).toBe(drawn);
        if (drawn) expect(takes({ sample: Math.min(1, sample + 0.1) }, { id, unsure: false })).toBe(true);
      }),
    );
    const many = Array.from({ length: 5_000 }, (_, index) =>
      takes({ sample: 0.1 }, { id: `mod-${index}`, unsure: false }),
    );
    expect(many.filter(Boolean).length / many.length).toBeCloseTo(0.1, 1);
  });

  test('that nobody could meet, or that are misspelt, are refused', () => {
    expect(queueRulesSchema.safeParse({ risk: { from: 0.8, to: 0.2 } }).success).toBe(false);
    expect(queueRulesSchema.safeParse({ clauses: [] }).success).toBe(false);
    expect(queueRulesSchema.safeParse({ clause: ['fraud'] }).success).toBe(false);
    expect(queueRulesSchema.safeParse({ risk: { from: 0.5 } }).success).toBe(false);
  });
});
