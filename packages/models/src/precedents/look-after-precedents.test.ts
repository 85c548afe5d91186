import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { precedent, wordEmbedder } from '@agonhq/test/support/precedents.ts';
import { openLedger, type Ledger } from '@agonhq/ledger';
import {
  addPrecedent,
  correctPrecedent,
  memoryPrecedentStore,
  openLibrary,
  pageOfPrecedents,
  retirePrecedent,
  type KeptPrecedent,
  type PrecedentStore,
  type WrittenPrecedent,
} from './index.ts';

let folder: string;
let ledger: Ledger;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-precedents-'));
  ledger = await openLedger({ file: path.join(folder, 'ledger.db') });
});
afterAll(async () => {
  await ledger.close();
  await rm(folder, { recursive: true });
});

const seed = precedent('seed-1', { text: 'a seed about knives', provenance: { kind: 'seed' }, confirmedBy: 'seed' });
const written: WrittenPrecedent = {
  label: 'unsafe',
  text: 'I will find you, Sam.',
  summary: 'A threat.',
  why: 'It names a victim.',
  cues: [],
  category: null,
  clause: null,
  policy: null,
  confirmedBy: 'Ada',
  expiresAt: null,
};

async function paged(
  seeds: readonly KeptPrecedent[],
  store: PrecedentStore,
  filter: Parameters<typeof pageOfPrecedents>[2],
  limit: number,
): Promise<KeptPrecedent[]> {
  const all: KeptPrecedent[] = [];
  for (let after: string | null = null; ;) {
    const { rows, next }: Awaited<ReturnType<typeof pageOfPrecedents>> = await pageOfPrecedents(seeds, store, filter, {
      limit,
      after,
    });
    all.push(...rows);
    if (next === null) return all;
    expect(rows).toHaveLength(limit);
    after = next;
  }
}

describe('the pages of a library', () => {
  test('are all of it, each once and in order, whatever is asked for and however large they are', async () => {
    const word = fc.constantFrom('Knife', 'knife', 'bread "white"', 'ÄRGER', 'line\nbreak', 'ﬁre', 'back\\slash');
    const some = (prefix: string, kind: 'seed' | 'learnt') =>
      fc
        .uniqueArray(
          fc.record({
            id: fc.integer({ min: 0, max: 30 }).map((number) => `${prefix}${number}`),
            label: fc.constantFrom('safe' as const, 'unsafe' as const),
            state: fc.constantFrom('active' as const, 'retired' as const),
            category: fc.constantFrom('a', 'b', null),
            summary: word,
            text: word,
            cues: fc.array(word, { maxLength: 2 }),
          }),
          { selector: ({ id }) => id, maxLength: 12 },
        )
        .map((rows) =>
          rows.map(({ id, ...given }) =>
            precedent(id, { ...given, ...(kind === 'seed' ? { state: 'active' } : {}), provenance: { kind } }),
          ),
        );
    const filters = fc.record(
      {
        label: fc.constantFrom('safe' as const, 'unsafe' as const),
        state: fc.constantFrom('active' as const, 'retired' as const),
        category: fc.constantFrom('a', 'b'),
        search: fc.constantFrom('knife', 'KNIFE', 'ärger', 'fire', '"white"', 'line\nbreak', 'k\\s', 'nowhere'),
      },
      { requiredKeys: [] },
    );
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        some('m', 'seed'),
        some('m', 'learnt'),
        filters,
        fc.integer({ min: 1, max: 5 }),
        async (seeds, rows, filter, limit) => {
          round += 1;
          const own = await openLedger({ file: path.join(folder, `round-${round}.db`) });
          try {
            await own.precedents.keepPrecedents(rows);
            const plainly = (text: string) => text.normalize('NFKC').toLowerCase();
            const meant = [...new Map([...seeds, ...rows].map((row) => [row.id, row])).values()]
              .filter(
                ({ label, state, category, summary, text, cues }) =>
                  (filter.label ?? label) === label &&
                  (filter.state ?? state) === state &&
                  (filter.category ?? category) === category &&
                  [summary, text, ...cues].some((words) => plainly(words).includes(plainly(filter.search ?? ''))),
              )
              .toSorted((a, b) => (a.id < b.id ? -1 : 1));
            expect(await paged(seeds, own.precedents, filter, limit)).toEqual(meant);
            expect(await paged(seeds, memoryPrecedentStore(rows), filter, limit)).toEqual(meant);
          } finally {
            await own.close();
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('others get their turn while a large library is searched', async () => {
    await ledger.precedents.keepPrecedents(Array.from({ length: 3_000 }, (_, number) => precedent(`many-${number}`)));
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    expect(
      (await pageOfPrecedents([], ledger.precedents, { search: 'nothing says this' }, { limit: 10, after: null })).rows,
    ).toEqual([]);
    clearInterval(count);
    expect(turns).toBeGreaterThan(1);
  });
});

describe('a precedent that a person adds', () => {
  test(
    'is refused when its words are there, in a seed, a row, or one that is retired, and has the same id ' +
      'whenever it is written',
    async () => {
      const store = memoryPrecedentStore([precedent('row-1', { text: 'Stay away from my door!' })]);
      const made = await addPrecedent(written, [seed], store);
      expect(made).toMatchObject({
        id: expect.stringMatching(/^imported-[0-9a-f]{12}$/),
        state: 'active',
        provenance: { kind: 'imported' },
        confirmedBy: 'Ada',
      });
      expect((await addPrecedent({ ...written, text: 'i will FIND you, sam' }, [], memoryPrecedentStore())).id).toBe(
        made.id,
      );
      for (const text of ['A seed; about KNIVES', 'stay away from my door', 'I will find you... Sam'])
        await expect(addPrecedent({ ...written, text }, [seed], store)).rejects.toMatchObject({
          code: 'known-precedent',
        });
      await retirePrecedent(made.id, 'No longer.', [seed], store);
      await expect(addPrecedent(written, [seed], store)).rejects.toMatchObject({
        code: 'known-precedent',
        message: expect.stringContaining('retired'),
      });
    },
  );

  test('does not contradict one in force; where that was retired, it takes its place', async () => {
    const store = memoryPrecedentStore();
    const contrary: WrittenPrecedent = { ...written, text: seed.text, label: 'safe' };
    await expect(addPrecedent(contrary, [seed], store)).rejects.toMatchObject({ code: 'contradicting-precedent' });
    await retirePrecedent(seed.id, 'No longer.', [seed], store);
    expect(await addPrecedent(contrary, [seed], store)).toMatchObject({ label: 'safe', state: 'active' });
  });

  test('may be of signs alone, each its own', async () => {
    const store = memoryPrecedentStore();
    const [one, other] = [
      await addPrecedent({ ...written, text: '🔪🔪' }, [], store),
      await addPrecedent({ ...written, text: '🔥' }, [], store),
    ];
    expect(one.id).not.toBe(other.id);
    await expect(addPrecedent({ ...written, text: '🔥' }, [], store)).rejects.toMatchObject({
      code: 'known-precedent',
    });
  });

  test('is added once by many at once', async () => {
    const added = await Promise.allSettled(
      Array.from({ length: 5 }, () =>
        addPrecedent({ ...written, text: 'All of us at once.' }, [seed], ledger.precedents),
      ),
    );
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('a precedent that is corrected', () => {
  test('is shown in its new words, also when it ships with Agon', async () => {
    const store = memoryPrecedentStore();
    const corrected = await correctPrecedent('seed-1', () => ({ why: 'Since it is so.' }), {
      seeds: [seed],
      store,
      by: 'Ada',
    });
    expect(corrected).toEqual({
      ...seed,
      why: 'Since it is so.',
      confirmedBy: 'Ada',
      provenance: { kind: 'imported' },
    });
    const library = await openLibrary({
      seeds: [seed],
      store,
      embedder: { ...wordEmbedder(['seed', 'about', 'knives', 'forks']), knowsSeeds: true },
    });
    const { precedents } = await library.search({
      text: 'seed about knives and forks',
      limit: 3,
      signal: new AbortController().signal,
    });
    expect(precedents).toMatchObject([{ id: 'seed-1', why: 'Since it is so.' }]);
  });

  test('keeps what is said at the same time about something else of it', async () => {
    await ledger.precedents.keepPrecedents([precedent('both')]);
    const correct = (correction: object) =>
      correctPrecedent('both', () => correction, { seeds: [], store: ledger.precedents, by: 'Ada' });
    await Promise.all([correct({ why: 'One.' }), correct({ summary: 'Two.' }), correct({ cues: ['three'] })]);
    expect(await ledger.precedents.findPrecedent('both')).toMatchObject({
      why: 'One.',
      summary: 'Two.',
      cues: ['three'],
      state: 'active',
    });
  });
});
