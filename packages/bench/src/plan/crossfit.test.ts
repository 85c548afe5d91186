import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { blockToMarkdown } from '../report/render-markdown.ts';
import { crossfitBlocks, setCrossfitBlock } from '../report/blocks/crossfit.ts';
import { loadCrossfits, parseCrossfit } from './crossfit.ts';

const crossfit = {
  version: 1,
  model: 'guard-9',
  source: 'packages/lab/training/README.md',
  sets: [
    {
      job: 'moderation',
      set: 'AIR-Bench text',
      items: 410,
      heldOut: { by: 'folds', folds: 5 },
      systems: [
        { system: 'full', f1: { value: 0.889, interval: [0.857, 0.918] }, falseAlarms: { value: 0.021 } },
        { system: 'guard', accuracy: { value: 0.887 } },
      ],
    },
    {
      job: 'moderation',
      set: 'ToxicChat',
      items: 100,
      heldOut: { by: 'source' },
      systems: [{ system: 'full', f1: { value: 0.7 } }],
    },
  ],
};

describe('cross-fitted figures', () => {
  test('are read from a file that training writes', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agon-crossfit-'));
    try {
      await mkdir(path.join(folder, 'guard-9'));
      await mkdir(path.join(folder, 'without'));
      await writeFile(path.join(folder, 'guard-9', 'crossfit.json'), JSON.stringify(crossfit));
      const [read, ...others] = await loadCrossfits(folder);
      expect(others).toEqual([]);
      expect(read!.sets[0]!.systems[0]!.f1).toEqual({ value: 0.889, interval: [0.857, 0.918] });
      expect(read!.sets[1]!.systems[0]!.f1).toEqual({ value: 0.7, interval: null });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    ['no JSON', '{'],
    [
      'a share above one',
      JSON.stringify({ ...crossfit, sets: [{ ...crossfit.sets[1], systems: [{ system: 'full', f1: { value: 7 } }] }] }),
    ],
    [
      'no word on how items were held out',
      JSON.stringify({ ...crossfit, sets: [{ ...crossfit.sets[1], heldOut: {} }] }),
    ],
  ])('with %s are refused with a hint', (_, content) => {
    expect(() => parseCrossfit(content, 'models/guard-9/crossfit.json')).toThrowError(
      /models\/guard-9\/crossfit\.json/,
    );
  });

  test('stand under a heading that says how items were held out', () => {
    const read = parseCrossfit(JSON.stringify(crossfit), 'crossfit.json');
    const [block, ...others] = crossfitBlocks(
      [read],
      [
        { id: 'moderation', title: 'Moderation' },
        { id: 'evaluation', title: 'Evaluation' },
      ],
    );
    expect(others).toEqual([]);
    const markdown = blockToMarkdown(block!, 2).join('\n');
    expect(markdown).toContain('## Moderation, cross-fitted: folds and whole sources held out');
    expect(markdown).toContain('| AIR-Bench text | 5 folds | `full` | 410 | 88.9 (85.7–91.8) | – | 2.1 |');
    expect(markdown).toContain('| ToxicChat | whole source | `full` | 100 | 70.0 | – | – |');
    expect(markdown).toContain('guard-9: packages/lab/training/README.md.');
  });

  test('of one set stand in its section', () => {
    const read = parseCrossfit(JSON.stringify(crossfit), 'crossfit.json');
    const own = setCrossfitBlock([read], { job: 'moderation', title: 'ToxicChat' });
    expect(own!.title).toBe('Cross-fitted: whole sources held out');
    expect(own!.table!.rows).toHaveLength(1);
    expect(setCrossfitBlock([read], { job: 'evaluation', title: 'ToxicChat' })).toBeNull();
  });

  test('of the shipped models can be read', async () => {
    const shipped = await loadCrossfits();
    expect(shipped.length).toBeGreaterThan(0);
    expect(shipped.flatMap(({ sets }) => sets.map(({ set }) => set))).toContain('AIR-Bench text');
  });
});
