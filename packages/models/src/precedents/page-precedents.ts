import { AgonError } from '@agonhq/engine/agon-error';
import type { KeptPrecedent, PrecedentStore } from './precedent.ts';
import { fitsFilter, type PrecedentFilter } from './manage-precedents.ts';

export interface PrecedentPage {
  rows: readonly KeptPrecedent[];
  /** Where the next page starts; null at the end. */
  next: string | null;
}

/** The seeds and the store as one list by id, page by page; `search` is looked for in what a precedent says. */
export async function pageOfPrecedents(
  seeds: readonly KeptPrecedent[],
  store: PrecedentStore,
  filter: PrecedentFilter & { search?: string },
  { limit, after }: { limit: number; after: string | null },
): Promise<PrecedentPage> {
  const search = filter.search === undefined ? undefined : plainly(filter.search).trim();
  const rows: KeptPrecedent[] = [];
  for await (const precedent of byId(seeds, store, { ...filter, search }, after === null ? '' : placeIn(after))) {
    if (search !== undefined && !says(precedent, search)) continue;
    if (rows.length === limit) return { rows, next: Buffer.from(rows.at(-1)!.id).toString('base64url') };
    rows.push(precedent);
  }
  return { rows, next: null };
}

async function* byId(
  seeds: readonly KeptPrecedent[],
  store: PrecedentStore,
  filter: PrecedentFilter & { search: string | undefined },
  after: string,
): AsyncGenerator<KeptPrecedent, void, void> {
  const meant = seeds
    .filter((seed) => seed.id > after && fitsFilter(seed, filter))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const stored = await store.findKnownIds(meant.map(({ id }) => id));
  const shipped = meant.filter(({ id }) => !stored.has(id));
  let next = 0;
  for await (const precedent of store.listPrecedents({ ...filter, after })) {
    for (; next < shipped.length && shipped[next]!.id < precedent.id; next += 1) yield shipped[next]!;
    yield precedent;
  }
  yield* shipped.slice(next);
}

function says({ summary, text, cues }: KeptPrecedent, search: string): boolean {
  return [summary, text, ...cues].some((words) => plainly(words).includes(search));
}

function plainly(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function placeIn(after: string): string {
  const id = Buffer.from(after, 'base64url').toString('utf8');
  if (id !== '' && !id.includes('\0') && Buffer.from(id).toString('base64url') === after) return id;
  throw new AgonError(
    'bad-page',
    '`after` names no page of precedents.',
    'Pass what `next` of the page before says, or nothing for the first.',
  );
}
