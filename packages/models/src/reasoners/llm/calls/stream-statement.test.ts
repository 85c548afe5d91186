import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamStatement } from '../models/llm-reasoner.ts';

/** Feeds a text piece by piece and returns what was passed on. */
function stream(text: string, cuts: number[] = Array.from(text, (_, i) => i)): string[] {
  const pieces: string[] = [];
  const forward = streamStatement((piece) => pieces.push(piece));
  for (const cut of [...cuts.toSorted((a, b) => a - b), text.length]) forward(text.slice(0, cut));
  return pieces;
}

describe('the stream of a statement', () => {
  it('is the statement, in whole characters, wherever the text is cut', () => {
    const statements = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('"', '\\', '\n', '😀', '}', '{', 'é') }),
    );
    fc.assert(
      fc.property(statements, fc.array(fc.nat(200)), fc.boolean(), (statement, cuts, escaped) => {
        let text = JSON.stringify({ statement, other: 'text', score: 1 });
        if (escaped)
          text = text.replaceAll(
            /[\u0080-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
          );
        const pieces = stream(
          text,
          cuts.map((cut) => Math.min(cut, text.length)),
        );
        expect(pieces.join('')).toBe(statement);
        expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });

  it('begins after prose, a fence and white space, and takes raw line breaks', () => {
    expect(stream('Sure:\n```json\n{\n  "statement" : "two\nlines", "score": 1}').join('')).toBe('two\nlines');
  });

  it('is silent where there is no object, or no string comes first', () => {
    expect(stream('I cannot help with that.')).toEqual([]);
    expect(stream('{"quotes": ["a"], "statement": "b"}')).toEqual([]);
  });

  it('never takes back what was said: another beginning stays unsaid', () => {
    const pieces: string[] = [];
    const forward = streamStatement((piece) => pieces.push(piece));
    for (const text of ['{"statement":"I was', '{"statement":"No', '{"statement":"I was wrong"']) forward(text);
    expect(pieces).toEqual(['I was', ' wrong']);
  });
});
