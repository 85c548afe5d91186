import { expect, test } from 'vitest';
import { z } from 'zod';
import { measureShortAnswer, writeGrammar } from './write-grammar.ts';

const write = (schema: z.ZodType, characters = 400, width?: number) =>
  writeGrammar(z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) as never, characters, width).split('\n')[0];

test('fields come in the order of the schema, and numbers stay within their bounds', () => {
  expect(write(z.object({ ok: z.boolean(), score: z.number().min(0).max(1) }))).toBe(
    String.raw`root ::= "{" "\"ok\"" ": " ("true" | "false") ", " "\"score\"" ": " ("0" ("." [0-9]{1,2})? | "1") "}"`,
  );
});

test('one of several values is one of them, to the letter', () => {
  expect(write(z.object({ is: z.enum(['none', 'a "b"']), turn: z.int().min(1).max(3) }))).toBe(
    String.raw`root ::= "{" "\"is\"" ": " ("\"none\"" | "\"a \\\"b\\\"\"") ", " "\"turn\"" ": " ("1" | "2" | "3") "}"`,
  );
});

test('no text is longer than its share, and the first has most', () => {
  const schema = z.object({ statement: z.string(), why: z.string(), quotes: z.array(z.string()) });
  const limits = [...write(schema, 1_000)!.matchAll(/char\{0,(\d+)\}/g)].map(([, most]) => Number(most));
  expect(limits[0]! / limits[1]!).toBeCloseTo(3, 0);
  const [statement, why, first, others] = limits as [number, number, number, number];
  expect(statement + why + first + 3 * others).toBeLessThan(1_000);
});

test('where there is little room, lists are shorter before texts say nothing', () => {
  const schema = z.object({ quotes: z.array(z.string()) });
  expect(write(schema, 1_000)).toContain('{0,3}');
  expect(write(schema, 150)).toContain('{0,0}');
});

test('the limits of the schema hold, too', () => {
  const schema = z.object({ name: z.string().min(2).max(5), list: z.array(z.boolean()).min(2).max(2) });
  expect(write(schema)).toContain('start char{1,4}');
  expect(write(schema)).toContain('"[" ("true" | "false") (", " ("true" | "false")){1,1} "]"');
});

test('a text that may be missing is null or a text', () => {
  expect(write(z.object({ concession: z.string().nullable() }))).toMatch(/\(.*start char.* \| "null"\)/);
});

test('a short answer is measured by its names and texts', () => {
  const schema = z.toJSONSchema(z.object({ statement: z.string() }), { target: 'draft-7' });
  expect(measureShortAnswer(schema as never)).toBeGreaterThan(40);
  expect(measureShortAnswer(schema as never)).toBeLessThan(120);
});
