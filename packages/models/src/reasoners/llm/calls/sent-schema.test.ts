import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeSentSchema } from './sent-schema.ts';

describe('the schema that is sent', () => {
  it('closes every object, says limits in words, and leaves the rest to zod', () => {
    const schema = z.object({
      statement: z.string().min(1).max(500),
      concession: z.string().nullable(),
      findings: z.array(z.object({ holds: z.boolean(), kind: z.enum(['a', 'b']) })).max(3),
      rounds: z.int().min(1),
      score: z.number().min(0).max(1).describe('How sure'),
    });
    const { json, strict } = makeSentSchema(schema);
    expect(strict).toBe(true);
    expect(json).toEqual({
      type: 'object',
      properties: {
        statement: { type: 'string', description: 'from 1 to 500 characters' },
        concession: { type: ['string', 'null'] },
        findings: {
          type: 'array',
          description: 'at most 3 items',
          items: {
            type: 'object',
            properties: { holds: { type: 'boolean' }, kind: { type: 'string', enum: ['a', 'b'] } },
            required: ['holds', 'kind'],
            additionalProperties: false,
          },
        },
        rounds: { type: 'integer', description: 'at least 1' },
        score: { type: 'number', description: 'How sure; from 0 to 1' },
      },
      required: ['statement', 'concession', 'findings', 'rounds', 'score'],
      additionalProperties: false,
    });
  });

  it('is not strict where a property may be missing or names are free', () => {
    expect(makeSentSchema(z.object({ a: z.string().optional() })).strict).toBe(false);
    expect(makeSentSchema(z.object({ a: z.record(z.string(), z.number()) })).strict).toBe(false);
  });

  it('is made once for each schema', () => {
    const schema = z.object({ a: z.string() });
    expect(makeSentSchema(schema)).toBe(makeSentSchema(schema));
  });
});
