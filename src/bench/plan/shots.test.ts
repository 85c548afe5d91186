import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readContentData, type LabelledData } from '../datasets/read-dataset.ts';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import { drawShots } from './shots.ts';

const nothing: LabelledData<LabelledItem<unknown>> = { file: 'none', sha256: '', lines: [] };

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-shots-'));
  file = path.join(folder, 'examples.jsonl');
  const items = Array.from({ length: 12 }, (_, index) => ({
    id: `e${index}`,
    text: `Example ${index}`,
    label: index % 3 === 0 ? 'unsafe' : 'safe',
  }));
  await writeFile(file, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
});
afterAll(() => rm(folder, { recursive: true }));

test('four examples are drawn, two of either label, and the same again from the same seed', async () => {
  const drawn = await drawShots('moderation', file, 1, nothing);
  expect(drawn.map(({ label }) => label).toSorted()).toEqual(['safe', 'safe', 'unsafe', 'unsafe']);
  expect(await drawShots('moderation', file, 1, nothing)).toEqual(drawn);
  const others = await Promise.all([2, 3, 4, 5].map((seed) => drawShots('moderation', file, seed, nothing)));
  expect(others.some((other) => JSON.stringify(other) !== JSON.stringify(drawn))).toBe(true);
});

test('without a file, or with too few of a label, there are none', async () => {
  await expect(drawShots('moderation', undefined, 1, nothing)).rejects.toMatchObject({
    code: 'no-shots',
    hint: expect.stringContaining('--shots'),
  });
  const few = path.join(folder, 'few.jsonl');
  await writeFile(few, '{"text":"a","label":"safe"}\n{"text":"b","label":"safe"}\n{"text":"c","label":"unsafe"}\n');
  await expect(drawShots('moderation', few, 1, nothing)).rejects.toMatchObject({
    code: 'no-shots',
    message: expect.stringContaining('unsafe'),
  });
});

test('what is measured is never shown', async () => {
  await expect(drawShots('moderation', file, 1, await readContentData(file, {}))).rejects.toMatchObject({
    code: 'no-shots',
    message: expect.stringContaining('not measured'),
  });
  const some = await drawShots('moderation', file, 1, await readContentData(file, { limit: 6 }));
  expect(some.every((shot) => 'text' in shot && Number(/\d+/.exec(shot.text!)![0]) >= 6)).toBe(true);
});
