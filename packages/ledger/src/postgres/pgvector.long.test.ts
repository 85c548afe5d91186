import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { precedentOf } from '@agonhq/test/support/ledger-cases.ts';
import { openPglite } from '@agonhq/test/support/pglite-pool.ts';
import { similarityTo } from '@agonhq/engine/text/similarity';
import { buildLedger } from '../build-ledger.ts';
import type { Database } from '../database/database.ts';
import type { Ledger } from '../ledger.ts';
import { postgresDatabase } from './open-postgres.ts';

let database: Database;
let ledger: Ledger;
let close: () => Promise<void>;

beforeAll(async () => {
  const pglite = await openPglite();
  database = await postgresDatabase(await pglite.pool(), 'pglite');
  ledger = buildLedger(database);
  close = () => pglite.close();
}, 60_000);
afterAll(async () => {
  await ledger.close();
  await close();
});

/** Unit vectors, the same on every run. */
function vectorsOf(prefix: string, count: number, dimensions: number): Map<string, Float32Array> {
  let state = count * dimensions;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5;
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const raw = Float32Array.from({ length: dimensions }, random);
      const length = Math.hypot(...raw);
      return [`${prefix}-${index}`, raw.map((value) => value / length)];
    }),
  );
}

describe('precedents on PostgreSQL with pgvector', () => {
  const small = vectorsOf('p', 90, 16);
  const large = vectorsOf('p', 90, 24);

  beforeAll(async () => {
    await ledger.precedents.keepPrecedents(
      [...small.keys()].map((id, index) => precedentOf(id, { state: index % 3 === 0 ? 'retired' : 'active' })),
    );
    await ledger.precedents.keepVectors('small', small);
    await ledger.precedents.keepVectors("o'large; drop", large);
  }, 60_000);

  test('the nearest active ones are those that an exact search finds', async () => {
    const ids = [...small.keys()].filter((_, index) => index % 3 !== 0);
    for (const [model, vectors] of [
      ['small', small],
      ["o'large; drop", large],
    ] as const) {
      const wanted = vectors.get('p-3')!;
      const exact = similarityTo(ids.map((id) => vectors.get(id)!))(wanted);
      const best = ids
        .map((id, index) => ({ id, similarity: exact[index]! }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, 10);
      const found = await ledger.precedents.findNearest!(model, wanted, 10);
      expect(found.map(({ id }) => id)).toEqual(best.map(({ id }) => id));
      expect(found[0]!.similarity).toBeCloseTo(best[0]!.similarity, 5);
    }
    expect(await ledger.precedents.findNearest!('unheard of', new Float32Array(16), 3)).toEqual([]);
  });

  test('each model has an index of its own, and the search uses it', async () => {
    const { rows } = await sql<{
      indexdef: string;
    }>`select indexdef from pg_indexes where tablename = 'precedent_vectors' and indexdef like '%hnsw%'`.execute(
      database.db,
    );
    expect(rows).toHaveLength(2);
    // A few rows are sorted faster; many are not.
    await sql`set enable_sort = off`.execute(database.db);
    const plan = await sql<Record<string, string>>`
      explain select precedent from precedent_vectors where model = 'small' and vector_dims(embedding) = 16 order by embedding::vector(16) <=> ${JSON.stringify([...small.get('p-1')!])}::vector(16) limit 5`.execute(
      database.db,
    );
    expect(JSON.stringify(plan.rows)).toContain('Index Scan using precedent_vectors_');
  });

  test('seeds, which have no row, are found too; what is no vector, or has another length, is passed over', async () => {
    const seed = small.get('p-4')!;
    await ledger.precedents.keepVectors(
      'small',
      new Map([
        ['seed-1', seed],
        ['p-2', new Float32Array(16).fill(Number.NaN)],
      ]),
    );
    await ledger.precedents.keepVectors('small', new Map([['p-5', new Float32Array([1, 2, 3])]]));
    const found = (await ledger.precedents.findNearest!('small', seed, 60)).map(({ id }) => id);
    expect(found.slice(0, 2).sort()).toEqual(['p-4', 'seed-1']);
    expect(found).not.toContain('p-2');
    expect(found).not.toContain('p-5');
    await ledger.precedents.keepPrecedents([precedentOf('seed-1', { state: 'retired' })]);
    expect((await ledger.precedents.findNearest!('small', seed, 1)).map(({ id }) => id)).toEqual(['p-4']);
    await ledger.precedents.keepVectors('long', new Map([['p-1', new Float32Array(3_072).fill(0.5)]]));
    expect(await ledger.precedents.findNearest!('long', new Float32Array(3_072).fill(0.5), 1)).toMatchObject([
      { id: 'p-1' },
    ]);
  });

  test('a vector that changes is found at its new place, one that goes is found no more', async () => {
    const target = small.get('p-7')!;
    await ledger.precedents.keepVectors('small', new Map([['p-1', target]]));
    expect((await ledger.precedents.findNearest!('small', target, 2)).map(({ id }) => id).sort()).toEqual([
      'p-1',
      'p-7',
    ]);
    await ledger.precedents.keepPrecedents([precedentOf('p-1', { text: 'Other words' })]);
    expect((await ledger.precedents.findNearest!('small', target, 1)).map(({ id }) => id)).toEqual(['p-7']);
  });
});
