import { describe, expect, test } from 'vitest';
import { documentOf, quarterlyReport } from '@agonhq/test/support/analysis-setup.ts';
import { openClaim } from './open-claim.ts';
import { retrieveBlocks } from './retrieve-blocks.ts';

const dossier = {
  documents: [
    documentOf('a.md', [
      '# Staff',
      'We hired forty engineers.',
      '# Market',
      'Prices were rising everywhere.',
      [
        ['Region', 'Revenue'],
        ['APAC', '4.6'],
        ['EMEA', '2.7'],
      ],
    ]),
    documentOf('b.md', ['Engineers left in the spring.', 'The weather was fine.']),
  ],
};
const claim = {
  id: 'claim-01',
  text: 'Engineers were hired.',
  kind: 'assertion' as const,
  domain: '',
  importance: 1,
  origin: null,
};
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id);

describe('retrieval', () => {
  test('finds by words in any form, over all files', async () => {
    expect(idsOf(await retrieveBlocks({ text: 'hiring of an engineer' }, dossier)).slice(0, 2)).toEqual([
      'a.md#b2',
      'b.md#b1',
    ]);
    expect(idsOf(await retrieveBlocks({ text: 'The price rises' }, dossier))[0]).toBe('a.md#b4');
  });

  test('a block is also about what its headings say; headings themselves are not found', async () => {
    const found = idsOf(await retrieveBlocks({ text: 'market' }, dossier));
    expect(found.slice(0, 2).toSorted()).toEqual(['a.md#b4', 'a.md#b5']);
    expect(found).not.toContain('a.md#b3');
  });

  test('finds by meaning where embeddings are handed in', async () => {
    const embed = async (text: string) => Float32Array.from(/weather|sunshine/.test(text) ? [1, 0] : [0, 1]);
    expect(idsOf(await retrieveBlocks({ text: 'sunshine' }, dossier, { embed }))[0]).toBe('b.md#b2');
    expect(idsOf(await retrieveBlocks({ text: 'sunshine' }, dossier))[0]).toBe('a.md#b2');
  });

  test('a block is embedded once for all claims', async () => {
    const fresh = { documents: [...dossier.documents] };
    let calls = 0;
    const embed = async () => {
      calls += 1;
      return Float32Array.from([1, 0]);
    };
    await retrieveBlocks({ text: 'one' }, fresh, { embed });
    await retrieveBlocks({ text: 'two' }, fresh, { embed });
    expect(calls).toBe(5 + 2);
  });

  test('of a long dossier only the blocks that share most words are embedded', async () => {
    const long = {
      documents: [
        documentOf(
          'long.md',
          Array.from({ length: 300 }, (_, index) => `Sentence ${index} speaks of engineers.`),
        ),
      ],
    };
    let calls = 0;
    const embed = async () => {
      calls += 1;
      return Float32Array.from([1, 0]);
    };
    expect(await retrieveBlocks(claim, long, { embed })).toHaveLength(300);
    expect(calls).toBe(24 + 1);
  });
});

describe('the case of a claim', () => {
  test('is the whole dossier when it is short, in reading order', () => {
    const { sources } = openClaim(claim, dossier, [], [], { blocks: 2, characters: 5_000 });
    expect(idsOf(sources.filter((source) => !('tool' in source)))).toEqual([
      'a.md#b1',
      'a.md#b2',
      'a.md#b3',
      'a.md#b4',
      'a.md#b5',
      'b.md#b1',
      'b.md#b2',
    ]);
  });

  test('is what was retrieved, within the limits, when it is long; and always what the claim stands on', async () => {
    const ranked = await retrieveBlocks(claim, dossier);
    expect(idsOf(openClaim(claim, dossier, [], ranked, { blocks: 2, characters: 80 }).sources)).toEqual([
      'a.md#b2',
      'b.md#b1',
    ]);
    const origin = {
      block: 'b.md#b2',
      start: dossier.documents[1]!.blocks[1]!.start,
      end: dossier.documents[1]!.blocks[1]!.end,
    };
    expect(idsOf(openClaim({ ...claim, origin }, dossier, [], ranked, { blocks: 2, characters: 80 }).sources)).toEqual([
      'a.md#b2',
      'b.md#b2',
    ]);
  });

  test('of a long table shows headers and the rows that matter', async () => {
    const rows = Array.from({ length: 800 }, (_, row) => [`Item ${row}`, String(row * 3)]);
    const long = { documents: [documentOf('long.csv', [[['Name', 'Amount'], ...rows]])] };
    const about = { ...claim, text: 'Item 417 amounts to 1251.' };
    const { sources } = openClaim(about, long, [], await retrieveBlocks(about, long), {
      blocks: 4,
      characters: 10_000,
    });
    const shown = sources.map(({ text }) => text).join('\n');
    expect(shown).toContain('Name | Amount');
    expect(shown).toContain('Item 417 | 1251');
    expect(shown.length).toBeLessThan(6_000);
  });

  test('rows that have to do with the claim are told as sentences', () => {
    const about = { ...claim, text: 'Revenue in APAC was 4.6 in Q3 2024.' };
    const told = openClaim(about, quarterlyReport, [], [], { blocks: 20, characters: 60_000 }).sources.filter(
      (source) => 'tool' in source,
    );
    expect(told[0]).toMatchObject({
      id: 'report.md#b4/row-1',
      tool: 'table-row',
      of: 'report.md#b4',
      text: expect.stringContaining('APAC'),
    });
  });
});
