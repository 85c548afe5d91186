import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeCuts, fitPrompt, type PromptPart } from './fit-prompt.ts';

/** A token a word, as far as this test is concerned. */
const count = (text: string) => text.split(/\s+/).filter(Boolean).length;
const words = (name: string, number: number) => Array.from({ length: number }, (_, at) => `${name}${at}`).join(' ');

const parts = (rules: number, content: number, said: number): PromptPart[] => [
  { kind: 'rules', text: words('rule', rules) },
  { kind: 'case', text: `<<abcdef text>>\n${words('word', content)}\n<<abcdef end>>` },
  { kind: 'said', text: words('said', said) },
  { kind: 'task', text: 'You are the judge.' },
];

describe('a prompt that is too long', () => {
  test('loses of the policy its end, and nothing else while that is enough', () => {
    const { parts: fitted, cuts } = fitPrompt(parts(500, 20, 20), 200, count)!;
    expect(fitted[0]!.text).toMatch(/^rule0 rule1 .*\[… cut …\]\n$/);
    expect(fitted.slice(1)).toEqual(parts(500, 20, 20).slice(1));
    expect(cuts).toEqual([{ kind: 'rules', tokens: 500 - count(fitted[0]!.text), of: 500 }]);
  });

  test('then of what was said its beginning', () => {
    const { parts: fitted } = fitPrompt(parts(500, 20, 500), 200, count)!;
    expect(fitted[2]!.text).toMatch(/^\[… cut …\]\n.*said498 said499$/);
    expect(fitted[1]!.text).toContain('word0 ');
  });

  test('then of the case its middle, and the fences around it stay', () => {
    const { parts: fitted } = fitPrompt(parts(500, 500, 500), 200, count)!;
    expect(fitted[1]!.text).toMatch(/^<<abcdef text>>\nword0 .*\[… cut …\]\n.*word499\n<<abcdef end>>$/s);
  });

  test('is cut alike for every seat as far as seats have it in common', () => {
    const shared = (said: number) => fitPrompt(parts(500, 100, said), 300, count)!.parts.slice(0, 2);
    expect(shared(150)).toEqual(shared(290));
  });

  test('never loses its task; where not even that fits, there is none', () => {
    expect(fitPrompt(parts(50, 50, 50), 3, count)).toBeNull();
  });

  test('says what was left out', () => {
    const cuts = [
      { kind: 'rules' as const, tokens: 300, of: 400 },
      { kind: 'case' as const, tokens: 20, of: 90 },
    ];
    expect(describeCuts(cuts, 2_048)).toBe(
      'the prompt was cut to a context of 2048 tokens: 300 of 400 tokens of the rules and the policy, 20 of 90 ' +
        'tokens of the case file left out',
    );
  });
});

test('whatever its lengths, a prompt fits or there is none, and one that fits is left alone', () => {
  const length = fc.nat(400);
  fc.assert(
    fc.property(length, length, length, fc.integer({ min: 1, max: 800 }), (rules, content, said, room) => {
      const given = parts(rules, content, said);
      const fitted = fitPrompt(given, room, count);
      const size = (all: readonly PromptPart[]) => all.reduce((sum, { text }) => sum + count(text), 0);
      if (size(given) <= room) expect(fitted).toEqual({ parts: given, cuts: [] });
      else if (fitted) {
        expect(size(fitted.parts)).toBeLessThanOrEqual(room);
        expect(fitted.parts[3]).toEqual(given[3]);
        expect(fitted.cuts.length).toBeGreaterThan(0);
      } else expect(room).toBeLessThan(30);
    }),
    { numRuns: 200 },
  );
});
