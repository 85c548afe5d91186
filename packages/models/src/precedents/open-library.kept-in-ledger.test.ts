import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { precedent, wordEmbedder } from '@agonhq/test/support/precedents.ts';
import { openLedger } from '@agonhq/ledger';
import { openLibrary } from './open-library.ts';

test('a library over a real ledger keeps its vectors there, seeds included when the model does not know them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agon-library-'));
  const vocabulary = ['knife', 'street', 'bread'];
  const seeds = [precedent('seed-1', { text: 'bread and a knife', label: 'safe', provenance: { kind: 'seed' } })];
  const query = { text: 'a knife in the street', limit: 3, signal: AbortSignal.timeout(10_000) };
  try {
    const ledger = await openLedger({ file: join(folder, 'ledger.sqlite') });
    const empty = await openLibrary({
      seeds,
      store: ledger.precedents,
      embedder: { ...wordEmbedder(vocabulary), knowsSeeds: true },
    });
    const alone = await openLibrary({
      seeds,
      store: null,
      embedder: { ...wordEmbedder(vocabulary), knowsSeeds: true },
    });
    expect(empty.version).toBe(alone.version);

    await ledger.precedents.keepPrecedents([precedent('k1', { text: 'knife street knife' })]);
    const first = wordEmbedder(vocabulary);
    const library = await openLibrary({ seeds, store: ledger.precedents, embedder: first });
    const found = await library.search(query);
    expect(found.precedents.map(({ id }) => id)).toEqual(['k1', 'seed-1']);
    expect(found.library).toEqual({ size: 2, problem: null });
    await ledger.close();

    const reopened = await openLedger({ file: join(folder, 'ledger.sqlite') });
    const second = wordEmbedder(vocabulary);
    const again = await openLibrary({ seeds, store: reopened.precedents, embedder: second });
    expect(again.version).toBe(library.version);
    expect((await again.search(query)).precedents).toEqual(found.precedents);
    expect(second.asked).toEqual([query.text]);
    await reopened.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
