import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractJson, parseStrictly } from '../models/llm-reasoner.ts';

const value = { statement: 'It says {no} and "yes"', score: 0.5 };
const written = JSON.stringify(value);

describe('JSON in text', () => {
  it.each([
    ['alone', written],
    ['in a fence', '```json\n' + written + '\n```'],
    ['in a fence without a name', '```\n' + written + '\n```'],
    ['with prose around it', `Here is my answer: ${written} I hope it helps.`],
    ['after prose with braces', `The set {a, b} is small, {"x": 1} too. ${written}`],
    ['after thoughts', `<think>Maybe {"statement": "no"}?</think>\n${written}`],
    ['with a trailing comma', written.replace('}', '}').replace(/}$/, ',}')],
    ['with comments', written.replace('{"', '{ // don\'t "worry\n"').replace(/}$/, '/* done */ }')],
    ['with single quotes', `{'statement': 'It says {no} and "yes"', 'score': 0.5}`],
    ['with bare keys', written.replace('"score"', 'score')],
    ['without its last brace', written.slice(0, -1)],
  ])('is found %s', (_how, text) => {
    expect(extractJson(text)).toEqual(value);
  });

  it('that breaks off gives what was said, which the schema then judges', () => {
    expect(extractJson('{"statement":"It goes on and')).toEqual({ statement: 'It goes on and' });
    expect(extractJson('```json\n{"statement":"whole","score":')).toMatchObject({ statement: 'whole' });
  });

  it.each(['', 'no', '[1, 2]', '"text"', '42', 'null', '{"a" ] 5'])('%j holds no object', (text) => {
    expect(extractJson(text)).toBeUndefined();
  });

  it('keeps types as they are written: a number in quotation marks stays a string', () => {
    expect(extractJson('Sure: {"score": "0.8", "sure": "true"}')).toEqual({ score: '0.8', sure: 'true' });
  });

  it('is any object, whatever its strings hold, with or without a fence', () => {
    const objects = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.double(), fc.boolean()),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(objects, (object) => {
        const text = JSON.stringify(object);
        const expected = JSON.parse(text);
        expect(extractJson(text)).toEqual(expected);
        expect(extractJson('Answer:\n```json\n' + text + '\n```')).toEqual(expected);
      }),
    );
  });

  it('never throws', () => {
    const pieces = fc.constantFrom('{', '}', '"', '\\', '[', ']', ',', ':', '//', '/*', '`', '\n', 'a', '1', "'");
    fc.assert(fc.property(fc.array(pieces), (text) => void extractJson(text.join(''))));
  });

  it('can be taken to the letter', () => {
    expect(parseStrictly(` ${written}\n`)).toEqual(value);
    expect(parseStrictly(written.slice(0, -1))).toBeUndefined();
  });
});
