import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../package-folder.ts';
import { findClause, type Policy } from '../policy/index.ts';
import type { KeptPrecedent } from './memory-library.ts';

/** A line of precedents/seed.jsonl. The file is ours: a test checks it, once, and not every start. */
interface Seed {
  id: string;
  label: 'safe' | 'unsafe';
  clause: string | null;
  text?: string;
  image_description?: string;
}

/** The precedents that Agon ships: contrasting cases of our own writing, under the clauses that the policy has. */
export async function seedPrecedents(policy: Policy): Promise<KeptPrecedent[]> {
  const file = join(await packageFolder(import.meta.dirname), 'precedents', 'seed.jsonl');
  const seeds = (await readFile(file, 'utf8')).trim().split('\n').map((line) => JSON.parse(line) as Seed);
  const clauses = new Map([...new Set(seeds.map(({ clause }) => clause))].map((id) => [id, id === null ? undefined : findClause(policy, id)]));
  // A case that was decided under a clause the policy does not have says nothing about it.
  const applicable = seeds.filter(({ clause }) => clause === null || clauses.get(clause));
  return applicable.map(({ id, label, clause, text, image_description: description }) => {
    const found = clauses.get(clause);
    const words = [text, description].filter((part) => part !== undefined).join(' || ');
    return { id, label, category: found?.category.id ?? null, summary: words, cues: found ? [found.clause.text] : [], text: words, ...(found ? { clause: found.clause.id } : {}) };
  });
}
