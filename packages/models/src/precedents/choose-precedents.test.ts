import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { precedent } from '@agonhq/test/support/precedents.ts';
import { choosePrecedents, type Candidate } from './choose-precedents.ts';
import type { KeptPrecedent } from './precedent.ts';

const scale = { background: 0, least: 0.8, copy: 0.965, otherModality: 0.03 };
const choose = (candidates: readonly Candidate[], limit: number, modality?: 'text' | 'image' | 'text+image') =>
  choosePrecedents(candidates, { text: 'the case', limit, ...(modality ? { modality } : {}) }, scale);
const idsOf = ({ chosen }: ReturnType<typeof choose>) => chosen.map(({ kept }) => kept.id);
const candidate = (id: string, similarity: number, given: Partial<KeptPrecedent> = {}): Candidate => ({
  kept: precedent(id, { text: `about ${id} alone`, ...given }),
  similarity,
});
const many = (name: string, count: number, best: number, given: Partial<KeptPrecedent> = {}) =>
  Array.from({ length: count }, (_, index) =>
    candidate(`${name}-${index}`, best - index / 1_000, { label: index % 2 ? 'safe' : 'unsafe', ...given }),
  );
const seeds = (count: number, best: number) => many('seed', count, best, { confirmedBy: 'seed' });
const countOf = (choice: ReturnType<typeof choose>) =>
  Map.groupBy(choice.chosen, ({ kept }) => kept.confirmedBy)
    .entries()
    .map(([by, of]) => [by, of.length])
    .toArray();

describe('of thirty places', () => {
  test('ten are for seeds and twenty for confirmed cases, however much more alike one kind is', () => {
    expect(countOf(choose([...seeds(50, 0.95), ...many('own', 50, 0.87)], 30))).toEqual([
      ['seed', 10],
      ['a person', 20],
    ]);
    expect(countOf(choose([...seeds(50, 0.87), ...many('own', 50, 0.95)], 30))).toEqual([
      ['a person', 20],
      ['seed', 10],
    ]);
  });

  test('those that one kind leaves are filled from the other', () => {
    expect(countOf(choose([...seeds(50, 0.95), ...many('own', 4, 0.87)], 30))).toEqual([
      ['seed', 26],
      ['a person', 4],
    ]);
    expect(countOf(choose([...seeds(3, 0.95), ...many('own', 50, 0.87)], 30))).toEqual([
      ['seed', 3],
      ['a person', 27],
    ]);
    expect(countOf(choose(seeds(50, 0.95), 30))).toEqual([['seed', 30]]);
  });

  test('each kind has one for its other label', () => {
    const oneSided = [...many('own', 40, 0.95, { label: 'unsafe' }), candidate('own-safe', 0.81, { label: 'safe' })];
    const chosen = idsOf(choose([...seeds(20, 0.9), ...oneSided], 30));
    expect(chosen).toHaveLength(30);
    expect(chosen).toContain('own-safe');
  });
});

test('three are one seed and two confirmed cases, and of both labels even when each kind has but one', () => {
  const candidates = [
    candidate('s', 0.95, { confirmedBy: 'seed' }),
    ...many('own', 5, 0.9, { label: 'unsafe' }),
    candidate('other', 0.85, { confirmedBy: 'seed', label: 'safe' }),
  ];
  expect(idsOf(choose(candidates, 3))).toEqual(['s', 'own-0', 'other']);
});

test('as many are shown as there are, and never more than asked for', () => {
  const kinds = fc.record({ seeds: fc.nat(40), own: fc.nat(40), limit: fc.integer({ min: 1, max: 40 }) });
  fc.assert(
    fc.property(kinds, ({ seeds: some, own, limit }) => {
      const ids = idsOf(choose([...seeds(some, 0.95), ...many('own', own, 0.94)], limit));
      expect(new Set(ids).size).toBe(Math.min(limit, some + own));
    }),
  );
});

test('says of which kind it could use more', () => {
  expect(choose([...seeds(2, 0.9), ...many('own', 40, 0.9)], 30).missing).toEqual(['seed']);
  expect(choose([...seeds(20, 0.9), ...many('own', 40, 0.9, { label: 'safe' })], 30).missing).toEqual(['confirmed']);
  expect(choose([...seeds(20, 0.9), ...many('own', 40, 0.9)], 30).missing).toEqual([]);
});

describe('a case of another modality', () => {
  const candidates = [
    candidate('text', 0.92, { modality: 'text' }),
    candidate('image', 0.9, { modality: 'image' }),
    candidate('untold', 0.88),
    candidate('remote', 0.82, { modality: 'text' }),
  ];

  test('must be more alike where an image is judged, and is told as alike as it is', () => {
    const choice = choose(candidates, 9, 'image');
    expect(idsOf(choice)).toEqual(['image', 'text', 'untold']);
    expect(choice.chosen[1]!.similarity).toBe(0.92);
  });

  test('is one like any other where a text is judged, or nobody says what is', () => {
    expect(idsOf(choose(candidates, 9, 'text'))).toEqual(['text', 'image', 'untold', 'remote']);
    expect(idsOf(choose(candidates, 9))).toEqual(['text', 'image', 'untold', 'remote']);
  });
});

describe('what is being measured', () => {
  const from = (dataset: string, batch?: number): Partial<KeptPrecedent> => ({
    provenance: { kind: 'learnt', dataset, ...(batch === undefined ? {} : { batch }) },
  });
  const shown = (given: Partial<KeptPrecedent>, wanted: object) => {
    const { chosen, excluded } = choosePrecedents(
      [candidate('k', 0.9, given)],
      { text: 'the case', limit: 3, ...wanted },
      scale,
    );
    return chosen.length > 0 ? 'shown' : excluded[0]!.reason;
  };

  test('sees nothing of its own data set but what was learnt in batches before', () => {
    expect(shown(from('a'), { datasets: ['a'] })).toBe('evaluation-set');
    expect(shown(from('a'), { datasets: ['b'] })).toBe('shown');
    expect(shown({}, { datasets: ['a'] })).toBe('shown');
    const batches = [1, 2, 3].map((batch) => shown(from('a', batch), { datasets: ['a'], beforeBatch: 2 }));
    expect(batches).toEqual(['shown', 'evaluation-set', 'evaluation-set']);
    expect(shown(from('a', 1), { datasets: ['a'] })).toBe('evaluation-set');
  });

  test('sees neither itself nor copies where it asks so, and never what is left out by name', () => {
    expect(shown({}, { precedents: ['k'] })).toBe('left-out');
    expect(shown({ text: 'The case!' }, { copies: true })).toBe('itself');
    expect(shown({ text: 'The case!' }, {})).toBe('shown');
    const own = { provenance: { kind: 'learnt', subject: 'sha256:1' } as KeptPrecedent['provenance'] };
    expect(shown(own, { copies: true, subject: 'sha256:1' })).toBe('itself');
    expect(shown(own, { copies: true, subject: 'sha256:2' })).toBe('shown');
    expect(shown(own, { subject: 'sha256:1' })).toBe('shown');
  });
});
