import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { precedent, wordEmbedder } from '@agonhq/test/support/precedents.ts';
import type { PrecedentQuery } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Embedder, KeptPrecedent } from './precedent.ts';
import { memoryPrecedentStore } from './memory-store.ts';
import { openLibrary, type LibraryOptions } from './open-library.ts';

const vocabulary = ['knife', 'street', 'chess', 'bread', 'bank', 'letter', 'dog'];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

const query = (text: string, more: Partial<PrecedentQuery> = {}): PrecedentQuery => ({
  text,
  limit: 3,
  signal: AbortSignal.timeout(10_000),
  ...more,
});
const open = (kept: readonly KeptPrecedent[], options: Partial<LibraryOptions> = {}) =>
  openLibrary({ seeds: [], store: memoryPrecedentStore(kept), embedder: wordEmbedder(vocabulary), ...options });
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id);

const cases = [
  precedent('k1', { text: 'a knife on the street' }),
  precedent('k2', { text: 'the knife and the street again and again, at night, by the river' }),
  precedent('k3', { text: 'knife knife street, said the man who sold apples in town' }),
  precedent('c1', { label: 'safe', text: 'a knife for bread on our street' }),
  precedent('d1', { label: 'safe', text: 'the dog and the letter' }),
];

describe('a search', () => {
  test('finds the most alike first, with cues and what made them so, and nothing that is not alike', async () => {
    const library = await open(cases);
    const { precedents, library: state } = await library.search(query('a knife was seen in our street', { limit: 4 }));
    expect(idsOf(precedents)).toEqual(['k1', 'k2', 'k3', 'c1']);
    expect(precedents[0]).toEqual({
      id: 'k1',
      label: 'unsafe',
      category: 'violence',
      summary: 'Summary of k1.',
      cues: ['cue of k1'],
      why: 'Why of k1.',
      confirmedBy: 'a person',
      similarity: expect.closeTo(1, 3),
    });
    expect(state).toEqual({ size: 5, problem: null });
  });

  test('shows both labels when both are alike, and only then', async () => {
    const library = await open(cases);
    expect(idsOf((await library.search(query('a knife was seen in our street'))).precedents)).toEqual([
      'k1',
      'k2',
      'c1',
    ]);
    const others = await open([...cases.slice(0, 3), cases[4]!]);
    expect(idsOf((await others.search(query('a knife was seen in our street'))).precedents)).toEqual([
      'k1',
      'k2',
      'k3',
    ]);
  });

  test('of cases that say the same keeps the best, and tells which it left out', async () => {
    const copy = precedent('copy', { text: 'A knife, on the street!' });
    const contrast = precedent('contrast', { label: 'safe', text: 'a knife on the street' });
    const { precedents, excluded } = await (
      await open([...cases, copy, contrast])
    ).search(query('street and knife', { limit: 5 }));
    expect(excluded).toEqual([{ id: 'copy', reason: 'collapsed', similarity: 1 }]);
    expect(idsOf(precedents).sort()).toEqual(['c1', 'contrast', 'k1', 'k2', 'k3']);
  });

  test('never shows what is retired, overruled, proposed or expired', async () => {
    const gone = (['retired', 'overruled', 'proposed'] as const).map((state) =>
      precedent(state, { state, text: `knife street ${state}` }),
    );
    const expired = precedent('expired', { expiresAt: '2026-06-01T00:00:00.000Z', text: 'knife street bygone' });
    let now = new Date('2026-05-01');
    const library = await open([...cases, ...gone, expired], { now: () => now });
    const found = async () => idsOf((await library.search(query('knife street', { limit: 9 }))).precedents);
    const before = { found: await found(), version: library.version };
    expect(before.found).toContain('expired');
    now = new Date('2026-07-01');
    expect(await found()).toEqual(['k1', 'k2', 'k3', 'c1']);
    expect(library.version).not.toBe(before.version);
  });
});

describe('hygiene of a measurement', () => {
  const item =
    'There is a man with a knife on the street in front of the bakery and he is shouting at everybody who walks by.';

  test('the item itself is never its own precedent: by its hash, or by its words', async () => {
    const library = await open([
      ...cases,
      precedent('same-hash', {
        text: 'knife street, told in other words',
        provenance: { kind: 'learnt', subject: 'sha256:1' },
      }),
      precedent('same-words', { text: item.toUpperCase() }),
    ]);
    const { precedents, excluded } = await library.search(query(item, { subject: 'sha256:1', limit: 9, copies: true }));
    expect(excluded.map(({ id, reason }) => `${id}: ${reason}`).sort()).toEqual([
      'same-hash: itself',
      'same-words: itself',
    ]);
    expect(idsOf(precedents)).toEqual(['k1', 'k2', 'k3', 'c1']);
  });

  test('elsewhere both are seen: what was decided of the same words is what is looked for', async () => {
    const library = await open([
      ...cases,
      precedent('same-words', { text: item.toUpperCase() }),
      precedent('edited', { text: item.replace('bakery', 'butcher'), label: 'safe' }),
    ]);
    const { precedents, excluded } = await library.search(query(item, { limit: 9 }));
    expect(excluded).toEqual([]);
    expect(idsOf(precedents)).toEqual(expect.arrayContaining(['same-words', 'edited']));
  });

  test('nor is a copy of it with a few changes, nor an excerpt; likeness of topic is none', async () => {
    const library = await open([
      ...cases,
      precedent('edited', { text: item.replace('bakery', 'butcher') }),
      precedent('excerpt', { text: item.slice(0, 80) }),
    ]);
    const { excluded, precedents } = await library.search(query(item, { limit: 9, copies: true }));
    expect(excluded.map(({ id, reason }) => `${id}: ${reason}`).sort()).toEqual([
      'edited: near-duplicate',
      'excerpt: near-duplicate',
    ]);
    expect(precedents).toHaveLength(4);
  });

  test('what comes from the set that is scored is left out, but for earlier batches', async () => {
    const batches = [1, 2, 3].map((batch) =>
      precedent(`batch-${batch}`, {
        text: ['knife, street, apples', 'a knife and some street', 'who brings a knife to the street in May'][
          batch - 1
        ],
        provenance: { kind: 'learnt', dataset: 'air', batch },
      }),
    );
    const library = await open([
      ...cases,
      ...batches,
      precedent('whole', { text: 'knife street everywhere today', provenance: { kind: 'imported', dataset: 'air' } }),
    ]);
    const excluded = async (more: Partial<PrecedentQuery>) =>
      idsOf((await library.search(query('knife street now', { limit: 9, ...more }))).excluded).sort();
    expect(await excluded({})).toEqual([]);
    expect(await excluded({ datasets: ['other'] })).toEqual([]);
    expect(await excluded({ datasets: ['air'] })).toEqual(['batch-1', 'batch-2', 'batch-3', 'whole']);
    expect(await excluded({ datasets: ['air'], beforeBatch: 2 })).toEqual(['batch-2', 'batch-3', 'whole']);
  });

  test('a trial can be held without one precedent', async () => {
    const { precedents, excluded } = await (await open(cases)).search(query('knife street', { precedents: ['k1'] }));
    expect(idsOf(precedents)).not.toContain('k1');
    expect(excluded).toEqual([{ id: 'k1', reason: 'left-out', similarity: 1 }]);
  });

  test('many exclusions are counted, and the most alike of them named', async () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      precedent(`m${index}`, {
        text: `knife street number ${'x'.repeat(index + 1)}`,
        provenance: { kind: 'learnt', dataset: 'air' },
      }),
    );
    const { excluded, furtherExcluded } = await (
      await open([...cases, ...many])
    ).search(query('knife street', { datasets: ['air'] }));
    expect(excluded).toHaveLength(25);
    expect(furtherExcluded).toBe(15);
  });
});

describe('vectors', () => {
  test('are made once and kept; another model makes its own', async () => {
    const store = memoryPrecedentStore(cases);
    const first = wordEmbedder(vocabulary);
    const progress: string[] = [];
    await (
      await openLibrary({
        seeds: [],
        store,
        embedder: first,
        onProgress: ({ done, total }) => progress.push(`${done}/${total}`),
      })
    ).search(query('knife street'));
    expect(first.asked).toHaveLength(6);
    expect(progress).toEqual(['5/5']);
    const again = wordEmbedder(vocabulary);
    await (await openLibrary({ seeds: [], store, embedder: again })).search(query('knife street'));
    expect(again.asked).toEqual(['knife street']);
    const other = wordEmbedder([...vocabulary, 'river'], 'words:2');
    const found = await (await openLibrary({ seeds: [], store, embedder: other })).search(query('knife street'));
    expect(other.asked).toHaveLength(6);
    expect(found.library.problem).toBeNull();
    expect(
      [...(await store.readVectors('words:1')).values()].every(({ length }) => length === vocabulary.length + 1),
    ).toBe(true);
  });

  test('that are broken are made anew', async () => {
    const store = memoryPrecedentStore(cases);
    await store.keepVectors(
      'words:1',
      new Map([
        ['k1', Float32Array.from({ length: 8 }, () => Number.NaN)],
        ['k2', new Float32Array(3)],
        ['k3', new Float32Array(8)],
      ]),
    );
    const { precedents } = await (
      await openLibrary({ seeds: [], store, embedder: wordEmbedder(vocabulary) })
    ).search(query('knife street', { limit: 4 }));
    expect(idsOf(precedents)).toEqual(['k1', 'k2', 'k3', 'c1']);
  });

  test(
    'of the seeds are not kept when they ship with the model; otherwise they are, in rows that are not counted ' +
      'twice',
    async () => {
      const seeds = [
        precedent('seed-1', { text: 'street knife', provenance: { kind: 'seed' } }),
        precedent('seed-2', { label: 'safe', text: 'bread knife', provenance: { kind: 'seed' } }),
      ];
      for (const knowsSeeds of [true, false]) {
        const store = memoryPrecedentStore();
        const { library } = await (
          await openLibrary({ seeds, store, embedder: { ...wordEmbedder(vocabulary), knowsSeeds } })
        ).search(query('knife'));
        expect(library).toEqual({ size: 2, problem: null });
        expect((await store.readVectors('words:1')).size).toBe(knowsSeeds ? 0 : 2);
      }
    },
  );
});

describe('the version', () => {
  test('names content, model and settings, and changes with each of them', async () => {
    const store = memoryPrecedentStore(cases);
    const versions = [
      (await openLibrary({ seeds: [], store, embedder: wordEmbedder(vocabulary) })).version,
      (await openLibrary({ seeds: [], store, embedder: wordEmbedder(vocabulary, 'words:2') })).version,
      (await openLibrary({ seeds: [], store, embedder: wordEmbedder(vocabulary), leastSimilarity: 0.6 })).version,
      (await openLibrary({ seeds: [precedent('seed')], store: null, embedder: wordEmbedder(vocabulary) })).version,
    ];
    expect(new Set(versions).size).toBe(4);
    expect((await openLibrary({ seeds: [], store, embedder: wordEmbedder(vocabulary) })).version).toBe(versions[0]);
  });

  test('holds until the library is refreshed, and so does what it shows', async () => {
    const store = memoryPrecedentStore(cases);
    const library = await openLibrary({ seeds: [], store, embedder: wordEmbedder(vocabulary) });
    const { version } = library;
    await store.keepPrecedents([precedent('new', { text: 'street knife street knife' })]);
    const wanted = query('knife street', { limit: 9 });
    expect(idsOf((await library.search(wanted)).precedents)).not.toContain('new');
    expect(library.version).toBe(version);
    expect(await library.refresh()).toBe(true);
    expect(library.version).not.toBe(version);
    expect(idsOf((await library.search(wanted)).precedents)).toContain('new');
    expect(await library.refresh()).toBe(false);
  });

  test('a row of the store stands over the seed of its id', async () => {
    const seed = precedent('seed-1', { text: 'street knife', provenance: { kind: 'seed' } });
    const store = memoryPrecedentStore([{ ...seed, state: 'retired' }, ...cases]);
    const { precedents } = await (
      await openLibrary({ seeds: [seed], store, embedder: { ...wordEmbedder(vocabulary), knowsSeeds: true } })
    ).search(query('knife street', { limit: 9 }));
    expect(idsOf(precedents)).not.toContain('seed-1');
  });
});

describe('an unhealthy library says so', () => {
  const problemOf = async (kept: readonly KeptPrecedent[], options: Partial<LibraryOptions> = {}) => {
    const library = await open(kept, options);
    const { library: state } = await library.search(query('a knife on the street'));
    expect((await library.health()).problem).toBe(state.problem);
    return state.problem;
  };
  const failing = (error: Error): Embedder => ({ ...wordEmbedder(vocabulary), embed: () => Promise.reject(error) });

  test.each([
    ['empty', [], {}, 'The library is empty: there is no precedent.'],
    [
      'all expired',
      [precedent('p', { expiresAt: '2020-01-01T00:00:00.000Z' })],
      {},
      'The library is empty: all of its 1 precedents have expired.',
    ],
    ['one label', cases.slice(0, 3), {}, 'The library is one-sided: all of its 3 precedents are unsafe.'],
  ] as const)('%s', async (_name, kept, options, problem) => {
    expect(await problemOf(kept, options)).toBe(problem);
  });

  test('when its model cannot be asked', async () => {
    expect(await problemOf(cases, { embedder: failing(new Error('HTTP 503: overloaded')) })).toBe(
      'None of the 5 precedents can be looked for. words:1 could not be asked: HTTP 503: overloaded',
    );
    await expect(
      problemOf(cases, { embedder: failing(new AgonError('wrong-key', 'The key is wrong.', 'Set it.')) }),
    ).rejects.toMatchObject({ code: 'wrong-key' });
  });

  test('when vectors are missing', async () => {
    const words = wordEmbedder(vocabulary);
    const broken: Embedder = {
      ...words,
      embed: async (text) => (text.includes('dog') ? new Float32Array(8).fill(Number.NaN) : words.embed(text)),
    };
    expect(await problemOf(cases, { embedder: broken })).toContain('1 precedent has no usable vector by words:1');
  });

  test('and is well when it is', async () => {
    expect(await (await open(cases)).health()).toEqual({
      size: 5,
      safe: 2,
      unsafe: 3,
      expired: 0,
      withoutVector: 0,
      model: 'words:1',
      search: 'exact',
      problem: null,
    });
  });
});

describe('many precedents', () => {
  const many = Array.from({ length: 600 }, (_, index) =>
    precedent(`p${index}`, {
      label: index % 2 ? 'safe' : 'unsafe',
      text:
        vocabulary.map((word, place) => `${word} `.repeat((index * (place + 3)) % 7)).join('') + 'z'.repeat(index + 1),
    }),
  );
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'agon-index-'));
    folders.push(made);
    return made;
  };

  test('are searched by an index that finds what looking at each finds, at once and after it was saved', async () => {
    const indexFolder = await folder();
    const store = memoryPrecedentStore(many);
    const exact = await openLibrary({ seeds: [], store, embedder: wordEmbedder(vocabulary) });
    const options = { seeds: [], store, embedder: wordEmbedder(vocabulary), indexFrom: 500, indexFolder };
    const found = async (library: Awaited<ReturnType<typeof open>>) =>
      (await library.search(query('knife knife street bread dog', { limit: 5 }))).precedents.map(
        ({ similarity }) => Math.round(similarity * 100) / 100,
      );
    const built = await openLibrary(options);
    const wanted = await found(exact);
    expect(await found(built)).toEqual(wanted);
    expect(await built.health()).toMatchObject({ search: 'index', problem: null });
    expect(await found(built)).toEqual(wanted);
    expect((await readdir(indexFolder)).map((name) => name.replace(/.*\./, '')).sort()).toEqual(['json', 'usearch']);

    await store.keepPrecedents([precedent('late', { text: 'dog, bread, street, and a knife in a knife block' })]);
    const reopened = await openLibrary(options);
    expect(idsOf((await reopened.search(query('knife knife street bread dog', { limit: 5 }))).precedents)).toContain(
      'late',
    );
    await store.keepPrecedents([
      precedent('late', { text: 'dog, bread, street, and a knife in a knife block', state: 'retired' }),
    ]);
    await reopened.refresh();
    expect(
      idsOf((await reopened.search(query('knife knife street bread dog', { limit: 5 }))).precedents),
    ).not.toContain('late');
  });

  test('an index that was cut short is built anew', async () => {
    const indexFolder = await folder();
    const options = {
      seeds: [],
      store: memoryPrecedentStore(many),
      embedder: wordEmbedder(vocabulary),
      indexFrom: 500,
      indexFolder,
    };
    await (await openLibrary(options)).health();
    const file = join(
      indexFolder,
      (await readdir(indexFolder)).find((name) => name.endsWith('.usearch'))!,
    );
    await truncate(file, 1_000);
    expect(await (await openLibrary(options)).health()).toMatchObject({ size: 600, problem: null });
  });

  test('a database with an index of its own is asked instead, and what it returns is held to the same rules', async () => {
    const store = memoryPrecedentStore(cases);
    const exact = await openLibrary({ seeds: [], store, embedder: wordEmbedder(vocabulary) });
    const asked: number[] = [];
    const database = {
      ...store,
      async findNearest(model: string, wanted: Float32Array, limit: number) {
        asked.push(limit);
        const dot = (vector: Float32Array) => vector.reduce((sum, value, at) => sum + value * wanted[at]!, 0);
        return [...(await store.readVectors(model))]
          .map(([id, vector]) => ({ id, similarity: dot(vector) }))
          .sort((a, b) => b.similarity - a.similarity)
          .slice(0, limit);
      },
    };
    const library = await openLibrary({ seeds: [], store: database, embedder: wordEmbedder(vocabulary) });
    const wanted = query('a knife was seen in our street');
    expect((await library.search(wanted)).precedents).toEqual((await exact.search(wanted)).precedents);
    expect(await library.health()).toMatchObject({ search: 'database', size: 5 });
    expect(asked.length).toBeGreaterThan(0);
  });
});
