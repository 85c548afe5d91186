import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { packageFolder } from '../package-folder.ts';
import { findClause, type Policy } from '../policy/index.ts';
import type { KeptPrecedent } from './memory-library.ts';

const seedSchema = z.object({
  id: z.string(),
  label: z.enum(['safe', 'unsafe']),
  clause: z.string().nullable(),
  text: z.string().optional(),
  image_description: z.string().optional(),
});

/** The precedents that Agon ships: contrasting cases of our own writing, under the clauses that the policy has. */
export async function seedPrecedents(policy: Policy): Promise<KeptPrecedent[]> {
  const file = join(await packageFolder(import.meta.dirname), 'precedents', 'seed.jsonl');
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.map((line) => {
    const { id, label, clause, text, image_description: description } = seedSchema.parse(JSON.parse(line));
    const found = clause === null ? undefined : findClause(policy, clause);
    const words = [text, description].filter((part) => part !== undefined).join(' || ');
    return { id, label, category: found?.category.id ?? null, summary: words, cues: found ? [found.clause.text] : [], text: words };
  });
}
