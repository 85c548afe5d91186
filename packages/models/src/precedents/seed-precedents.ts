import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '@agonhq/engine/package-folder';
import { findClause, isAllowed, type Category, type Clause, type Policy } from '@agonhq/engine/policy';
import type { KeptPrecedent } from './precedent.ts';
import { partSeparator } from '@agonhq/engine/text';

/** A line of precedents/seed.jsonl. The file is ours: a test checks it, once, and not every start. */
interface Seed {
  id: string;
  label: 'safe' | 'unsafe';
  clause: string | null;
  text?: string;
  image_description?: string;
  summary?: string;
  cues?: string[];
  why?: string;
}

/** When the seeds were confirmed: with the release that ships them. */
const confirmedAt = '2026-11-15T00:00:00.000Z';

/** The precedents that Agon ships: contrasting cases of our own writing, under the clauses that the policy has. */
export async function seedPrecedents(policy: Policy): Promise<KeptPrecedent[]> {
  const file = join(packageFolder(import.meta.dirname), 'precedents', 'seed.jsonl');
  const seeds = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Seed);
  const clauses = new Map(
    [...new Set(seeds.map(({ clause }) => clause))].map((id) => [id, id === null ? undefined : findClause(policy, id)]),
  );
  // A case that was decided under a clause the policy does not have, or has switched off, says nothing about it.
  return seeds
    .filter(({ clause }) => clause === null || isInForce(clauses.get(clause)?.clause))
    .map((seed) => keptSeed(seed, clauses.get(seed.clause)));
}

function isInForce(clause: Clause | undefined): boolean {
  return clause !== undefined && !isAllowed(clause);
}

function keptSeed(seed: Seed, found: { category: Category; clause: Clause } | undefined): KeptPrecedent {
  return {
    id: seed.id,
    label: seed.label,
    category: found?.category.id ?? null,
    clause: found?.clause.id ?? null,
    summary: seed.summary ?? openingOf(textOf(seed)),
    cues:
      seed.cues ??
      (found ? [seed.label === 'unsafe' ? found.clause.text : `looks like ${found.clause.text}, and is not`] : []),
    why: seed.why ?? usualReason(seed.label, found?.clause),
    text: textOf(seed),
    modality: modalityOf(seed),
    policy: null,
    provenance: { kind: 'seed' },
    confirmedBy: 'seed',
    state: 'active',
    overruledBy: null,
    expiresAt: null,
    createdAt: confirmedAt,
  };
}

function textOf({ text, image_description: description }: Seed): string {
  return [text, description].filter((part) => part !== undefined).join(partSeparator);
}

function modalityOf({ text, image_description: description }: Seed): NonNullable<KeptPrecedent['modality']> {
  if (description === undefined) return 'text';
  return text === undefined ? 'image' : 'text+image';
}

/** The seeds are short and of our own writing: one that has no summary of its own is told by how it begins. */
function openingOf(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, text.lastIndexOf(' ', 200))} …`;
}

function usualReason(label: Seed['label'], clause: Clause | undefined): string {
  if (label === 'unsafe') return `It does, asks for or shows what the clause names: ${clause?.text ?? 'harm'}.`;
  return clause
    ? `It only looks like it: nobody is harmed and nothing is asked for that would help with ${clause.text}.`
    : 'An everyday matter that no clause is about.';
}
