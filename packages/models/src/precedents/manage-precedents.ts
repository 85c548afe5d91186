import { AgonError } from '@agonhq/engine/agon-error';
import type { KeptPrecedent, PrecedentStore } from './precedent.ts';
import { sameWords, wordingOf } from './compare-wording.ts';
import { precedentLine, readPrecedent } from './precedent-line.ts';

export interface PrecedentFilter {
  state?: KeptPrecedent['state'];
  category?: string;
  label?: KeptPrecedent['label'];
}

export function fitsFilter({ state, category, label }: KeptPrecedent, filter: PrecedentFilter): boolean {
  const { state: inState = state, category: inCategory = category, label: asLabel = label } = filter;
  return inState === state && inCategory === category && asLabel === label;
}

/** What an import did. */
export interface ImportedPrecedents {
  imported: readonly string[];
  /** The same precedent was there already. */
  present: readonly string[];
  /** Another precedent has the same words and label. */
  duplicates: readonly { id: string; of: string }[];
}

/** The seeds and the store as one list; a precedent of the store stands over the seed with its id. */
export async function* listPrecedents(
  seeds: readonly KeptPrecedent[],
  store: PrecedentStore | null,
  filter: PrecedentFilter = {},
): AsyncGenerator<KeptPrecedent, void, void> {
  const stored = new Set<string>();
  if (store) {
    for await (const precedent of store.listPrecedents()) {
      stored.add(precedent.id);
      if (fitsFilter(precedent, filter)) yield precedent;
    }
  }
  for (const seed of seeds) if (!stored.has(seed.id) && fitsFilter(seed, filter)) yield seed;
}

/** One precedent, or in one line that there is none. */
export async function findPrecedent(
  id: string,
  seeds: readonly KeptPrecedent[],
  store: PrecedentStore | null,
): Promise<KeptPrecedent> {
  const found = (await store?.findPrecedent(id)) ?? seeds.find((seed) => seed.id === id);
  if (!found)
    throw new AgonError('no-such-precedent', `There is no precedent ${id}.`, {
      library: 'List the precedents.',
      cli: '`agon precedents list` lists them.',
      api: 'GET /api/precedents lists them.',
    });
  return found;
}

/** Takes in the lines of a file, all or nothing: a bad line is named, and nothing was written. */
export async function importPrecedents(
  lines: AsyncIterable<string> | Iterable<string>,
  {
    name,
    seeds,
    store,
    now = new Date(),
  }: { name: string; seeds: readonly KeptPrecedent[]; store: PrecedentStore; now?: Date },
): Promise<ImportedPrecedents> {
  const known = new Map<string, KeptPrecedent>();
  for await (const precedent of listPrecedents(seeds, store)) known.set(precedent.id, precedent);
  const byWords = new Map([...known.values()].map((precedent) => [wordsKey(precedent), precedent.id]));
  const fresh: KeptPrecedent[] = [];
  const present: string[] = [];
  const duplicates: { id: string; of: string }[] = [];
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const place = `Line ${number} of ${name}`;
    const precedent = readPrecedent(jsonOf(line, place), place, now);
    const same = known.get(precedent.id);
    const twin = byWords.get(wordsKey(precedent));
    if (same) {
      checkSame(same, precedent, place);
      present.push(precedent.id);
    } else if (twin !== undefined) duplicates.push({ id: precedent.id, of: twin });
    else {
      known.set(precedent.id, precedent);
      byWords.set(wordsKey(precedent), precedent.id);
      fresh.push(precedent);
    }
  }
  if (fresh.length > 0) await store.keepPrecedents(fresh);
  return { imported: fresh.map(({ id }) => id), present, duplicates };
}

/** Every precedent as a line; with a filter those it names. */
export async function* exportPrecedents(
  seeds: readonly KeptPrecedent[],
  store: PrecedentStore | null,
  filter: PrecedentFilter = {},
): AsyncGenerator<string, void, void> {
  for await (const precedent of listPrecedents(seeds, store, filter)) yield `${precedentLine(precedent)}\n`;
}

/** Takes a precedent out of use; it stays on record with the reason. A seed is retired by a row that stands over it. */
export async function retirePrecedent(
  id: string,
  why: string,
  seeds: readonly KeptPrecedent[],
  store: PrecedentStore,
): Promise<KeptPrecedent> {
  if (why.trim() === '')
    throw new AgonError('no-reason', `Retiring ${id} needs a reason.`, {
      library: 'Give a reason.',
      cli: 'Say why: --why TEXT.',
      api: 'Say why, in `why`.',
    });
  const found = await findPrecedent(id, seeds, store);
  if (found.state === 'retired')
    throw new AgonError('already-retired', `${id} is already retired: ${found.overruledBy ?? 'no reason was given'}.`, {
      library: 'Look at the precedent.',
      cli: '`agon precedents show` shows it.',
      api: 'GET /api/precedents/{id} shows it.',
    });
  const retired: KeptPrecedent = { ...found, state: 'retired', overruledBy: why.trim() };
  await store.keepPrecedents([retired]);
  return retired;
}

function wordsKey({ label, text }: KeptPrecedent): string {
  return `${label} ${wordingOf(text)
    .map(({ plain }) => plain)
    .join(' | ')}`;
}

/** An id stands for one text and one label for good: its vector, and the verdicts that cite it, depend on them. */
function checkSame(known: KeptPrecedent, given: KeptPrecedent, place: string): void {
  if (
    known.label === given.label &&
    (known.text === given.text || sameWords(wordingOf(known.text), wordingOf(given.text)))
  )
    return;
  throw new AgonError(
    'changed-precedent',
    `${place}: ${given.id} already exists with another text or label.`,
    'Give the new one an id of its own, and retire the old one. Nothing was imported.',
  );
}

function jsonOf(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new AgonError(
      'bad-precedent',
      `${place} is not JSON: ${(error as Error).message}.`,
      'Write one JSON object a line. Nothing was imported.',
      { cause: error },
    );
  }
}
