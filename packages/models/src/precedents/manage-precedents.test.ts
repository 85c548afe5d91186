import { expect, test } from 'vitest';
import { precedent } from '@agonhq/test/support/precedents.ts';
import {
  exportPrecedents,
  findPrecedent,
  importPrecedents,
  listPrecedents,
  retirePrecedent,
} from './manage-precedents.ts';
import { memoryPrecedentStore } from './memory-store.ts';

const seed = precedent('seed-1', { text: 'a seed about knives', provenance: { kind: 'seed' } });
const line = (given: object) =>
  JSON.stringify({
    id: 'mine-1',
    label: 'unsafe',
    summary: 'A threat.',
    why: 'It names a victim.',
    text: 'I will find you, Sam.',
    ...given,
  });
const all = async <Value>(values: AsyncIterable<Value>) => {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
};

test('an export that is imported again is the same library', async () => {
  const store = memoryPrecedentStore([
    precedent('a'),
    precedent('b', {
      label: 'safe',
      text: 'other',
      provenance: { kind: 'learnt', case: 'mod-1', subject: 'sha256:1', dataset: 'air', batch: 2, curator: 'm' },
    }),
  ]);
  const lines = await all(exportPrecedents([], store));
  const other = memoryPrecedentStore();
  await importPrecedents(lines, { name: 'export.jsonl', seeds: [], store: other });
  expect(await all(other.listPrecedents())).toEqual(await all(store.listPrecedents()));
});

test('an import needs little and tells what was there already', async () => {
  const store = memoryPrecedentStore([precedent('a', { text: 'Stay away from my door.' })]);
  const report = await importPrecedents(
    [
      line({}),
      '',
      line({}),
      line({ id: 'twin', text: 'I WILL find you — Sam' }),
      line({ id: 'a', text: 'stay away from my door' }),
      line({ id: 'seed-1', text: 'A seed about knives' }),
    ],
    { name: 'mine.jsonl', seeds: [seed], store, now: new Date('2026-11-15T00:00:00.000Z') },
  );
  expect(report).toEqual({
    imported: ['mine-1'],
    present: ['mine-1', 'a', 'seed-1'],
    duplicates: [{ id: 'twin', of: 'mine-1' }],
  });
  expect(await store.findPrecedent('mine-1')).toMatchObject({
    state: 'active',
    confirmedBy: 'import',
    provenance: { kind: 'imported' },
    cues: [],
    createdAt: '2026-11-15T00:00:00.000Z',
  });
});

test.each([
  ['is not JSON', '{"id":', /^Line 2 of mine\.jsonl is not JSON/],
  ['lacks a field', line({ why: undefined }), /^Line 2 of mine\.jsonl is no precedent: why: /],
  ['has a label that is none', line({ label: 'maybe' }), /^Line 2 of mine\.jsonl is no precedent: label: /],
  ['has a field that nobody knows', line({ verdict: 'unsafe' }), /^Line 2 of mine\.jsonl is no precedent: /],
  [
    'is nothing but a refusal',
    line({ text: "I'm sorry, but I can't describe this image." }),
    /^Line 2 of mine\.jsonl is no precedent: text: is nothing but a refusal/,
  ],
  ['has a modality that is none', line({ modality: 'sound' }), /^Line 2 of mine\.jsonl is no precedent: modality: /],
  ['is of a newer version', line({ version: 2 }), /^Line 2 of mine\.jsonl is no precedent: version: /],
  [
    'gives a known id another text',
    line({ id: 'a', text: 'Something else altogether.' }),
    /^Line 2 of mine\.jsonl: a already exists with another text or label/,
  ],
])('a line that %s is named, and nothing is written', async (_what, bad, message) => {
  const store = memoryPrecedentStore([precedent('a')]);
  await expect(importPrecedents([line({}), bad], { name: 'mine.jsonl', seeds: [], store })).rejects.toThrow(message);
  expect((await all(store.listPrecedents())).map(({ id }) => id)).toEqual(['a']);
});

test('a seed is retired by a row that stands over it, with the reason', async () => {
  const store = memoryPrecedentStore();
  await expect(retirePrecedent('seed-1', ' ', [seed], store)).rejects.toMatchObject({ code: 'no-reason' });
  await retirePrecedent('seed-1', 'too broad', [seed], store);
  expect(await findPrecedent('seed-1', [seed], store)).toMatchObject({ state: 'retired', overruledBy: 'too broad' });
  expect(await all(listPrecedents([seed], store, { state: 'active' }))).toEqual([]);
  await expect(retirePrecedent('seed-1', 'again', [seed], store)).rejects.toMatchObject({ code: 'already-retired' });
  await expect(findPrecedent('nobody', [seed], store)).rejects.toMatchObject({ code: 'no-such-precedent' });
});

test('a list can be narrowed by label and category', async () => {
  const store = memoryPrecedentStore([precedent('safe', { label: 'safe' }), precedent('hate', { category: 'hate' })]);
  expect(
    (await all(listPrecedents([seed], store, { label: 'unsafe', category: 'violence' }))).map(({ id }) => id),
  ).toEqual(['seed-1']);
});
