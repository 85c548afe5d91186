import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { defaultPolicy, findClause } from '../policy/index.ts';
import { seedPrecedents } from './seed-precedents.ts';

const seedSchema = z.array(
  z.strictObject({
    id: z.string().min(1),
    label: z.enum(['safe', 'unsafe']),
    clause: z.string().nullable(),
    text: z.string().min(1).optional(),
    image_description: z.string().min(1).optional(),
  }).refine(({ text, image_description: description }) => text !== undefined || description !== undefined),
);
const lines = readFileSync(new URL('../../precedents/seed.jsonl', import.meta.url), 'utf8').trim().split('\n');
const seeds = seedSchema.parse(lines.map((line) => JSON.parse(line) as unknown));

it('every precedent that Agon ships has its own id and names a clause of the default policy or none', async () => {
  const policy = await defaultPolicy();
  expect(new Set(seeds.map(({ id }) => id)).size).toBe(seeds.length);
  expect(seeds.filter(({ clause }) => clause !== null && !findClause(policy, clause))).toEqual([]);
});

it('a precedent brings along the category and the words of its clause', async () => {
  const policy = await defaultPolicy();
  const precedents = await seedPrecedents(policy);
  const index = seeds.findIndex(({ clause, label }) => clause !== null && label === 'unsafe');
  const { category, clause } = findClause(policy, seeds[index]!.clause!)!;
  expect(precedents).toHaveLength(seeds.length);
  expect(precedents[index]).toMatchObject({ id: seeds[index]!.id, label: 'unsafe', category: category.id, cues: [clause.text] });
});
