import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../hash.ts';
import { defaultPolicy, parsePolicy, writePolicy, type Policy } from './index.ts';

describe('a policy that is written as a file', () => {
  it('reads as the same policy', async () => {
    const policy = await defaultPolicy();
    expect(parsePolicy(writePolicy(policy), 'default.yaml')).toEqual(policy);
    expect(writePolicy(parsePolicy(writePolicy(policy), 'default.yaml'))).toBe(writePolicy(policy));
  });

  it('whatever its texts are: numbers, marks, colons, lines, quotes, other scripts', () => {
    const text = fc
      .oneof(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.string({
          unit: fc.constantFrom(
            'a',
            ' ',
            '\n',
            '\t',
            ':',
            '#',
            '-',
            '"',
            "'",
            '|',
            '>',
            '&',
            '*',
            '!',
            '{',
            '[',
            '%',
            '@',
            '\\',
            '\u0000',
            '\u0085',
            '\u2028',
            '\uFEFF',
          ),
          maxLength: 30,
        }),
        fc.constantFrom('null', 'no', '1.0', '0x1', '2026-01-01', '~', '---', '...', '? a'),
      )
      .map((value) => value.trim())
      .filter((value) => value !== '');
    const line = text.map((value) => value.replace(/\s+/gu, ' '));
    const example = fc.oneof(
      text.map((words) => ({ text: words })),
      text.map((imageDescription) => ({ imageDescription })),
      fc.record({ text, imageDescription: text }),
    );
    const content: fc.Arbitrary<Omit<Policy, 'hash'>> = fc.record({
      name: line,
      version: line,
      preamble: line,
      categories: fc.tuple(
        fc.record({
          id: fc.constant('a'),
          title: line,
          clauses: fc.tuple(
            fc.record({
              id: fc.constant('a.b'),
              text: line,
              severity: fc.constant('low' as const),
              violations: fc.array(example, { minLength: 1, maxLength: 3 }),
              exonerations: fc.array(example, { minLength: 1, maxLength: 3 }),
            }),
          ),
        }),
      ),
    });
    fc.assert(
      fc.property(content, (policy) => {
        const given = { ...policy, hash: hashOf(policy) };
        expect(parsePolicy(writePolicy(given), 'my.yaml')).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });
});
