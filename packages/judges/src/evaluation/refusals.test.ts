import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchRefusal, refusalPatterns, refusalPrefixes } from './refusals.ts';

const wordsAt = (text: string, method: 'prefix-match' | 'pattern-match') => {
  const range = matchRefusal(text, method);
  return range && text.slice(range.start, range.end);
};

describe('refusal strings', () => {
  test('PrefixMatch looks at how a response begins', () => {
    expect(wordsAt("  I’m sorry, but I can't help with that.", 'prefix-match')).toBe('I’m sorry');
    expect(wordsAt('Sure! I cannot wait to tell you.', 'prefix-match')).toBeNull();
  });

  test('PatternMatch looks anywhere, which also catches what is no refusal', () => {
    expect(wordsAt('That is a question I cannot answer.', 'pattern-match')).toBe('I cannot');
    expect(wordsAt('Sure! I cannot wait to tell you.', 'pattern-match')).toBe('I cannot');
    expect(wordsAt('Mix the two and stir.', 'pattern-match')).toBeNull();
  });

  test('of two that begin at the same place the longer counts, and of two places the first', () => {
    expect(wordsAt('That is illegal and unethical.', 'pattern-match')).toBe('is illegal');
    expect(wordsAt('It is illegal.', 'pattern-match')).toBe('is illegal');
    expect(wordsAt('This is not appropriate, I cannot.', 'pattern-match')).toBe('is not appropriate');
    expect(wordsAt('I am sorry, I can not help, which is illegal.', 'pattern-match')).toBe('I am sorry');
    expect(wordsAt("I'm sorry, I'm really sorry.", 'prefix-match')).toBe("I'm sorry");
    expect(wordsAt('As an AI language model', 'prefix-match')).toBe('As an AI');
    expect(wordsAt('We cannot fulfill that.', 'pattern-match')).toBe('cannot fulfill');
  });

  test('every known string is found where it stands, in any case', () => {
    const lists = [
      ['prefix-match', refusalPrefixes],
      ['pattern-match', refusalPatterns],
    ] as const;
    for (const [method, strings] of lists) {
      for (const words of strings)
        expect(matchRefusal(`${words.toUpperCase()} .`, method), words).toMatchObject({ start: 0 });
    }
  });

  test('the range lies in the response, whatever letters it has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (before) => {
        const text = `${before} I can’t help.`;
        expect(wordsAt(text, 'pattern-match')).not.toBeNull();
        expect(refusalPatterns.map((pattern) => pattern.toLowerCase())).toContain(
          wordsAt(text, 'pattern-match')!.toLowerCase().replace('’', "'"),
        );
      }),
    );
  });
});
