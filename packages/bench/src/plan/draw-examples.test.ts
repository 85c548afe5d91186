import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import { readDataset, type LabelledData } from '../datasets/read-dataset.ts';
import { moderationBench } from '../jobs/moderation/bench.ts';
import type { LabelledContent } from '../jobs/moderation/labelled-content.ts';
import { drawExamples } from './draw-examples.ts';

const nothing: LabelledData<LabelledContent> = { file: 'none', sha256: '', lines: [] };
const read = (file: string, options = {}) => readDataset(moderationBench, file, options);
const draw = (file: string | undefined, seed: number, measured: LabelledData<LabelledContent>) =>
  drawExamples({ file, seed, measured, read }, ({ subject, label }) =>
    AgonError.is(subject) ? null : { text: subject.text!, label },
  );

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-examples-'));
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
  const drawn = await draw(file, 1, nothing);
  expect(drawn.map(({ label }) => label).toSorted()).toEqual(['safe', 'safe', 'unsafe', 'unsafe']);
  expect(await draw(file, 1, nothing)).toEqual(drawn);
  const others = await Promise.all([2, 3, 4, 5].map((seed) => draw(file, seed, nothing)));
  expect(others.some((other) => JSON.stringify(other) !== JSON.stringify(drawn))).toBe(true);
});

test('without a file, or with too few of a label, there are none', async () => {
  await expect(draw(undefined, 1, nothing)).rejects.toMatchObject({
    code: 'no-shots',
    hint: expect.stringContaining('--shots'),
  });
  const few = path.join(folder, 'few.jsonl');
  await writeFile(few, '{"text":"a","label":"safe"}\n{"text":"b","label":"safe"}\n{"text":"c","label":"unsafe"}\n');
  await expect(draw(few, 1, nothing)).rejects.toMatchObject({
    code: 'no-shots',
    message: expect.stringContaining('unsafe'),
  });
});

test('what is measured is never shown', async () => {
  await expect(draw(file, 1, await read(file, {}))).rejects.toMatchObject({
    code: 'no-shots',
    message: expect.stringContaining('not measured'),
  });
  const some = await draw(file, 1, await read(file, { limit: 6 }));
  expect(some.every((shot) => Number(/\d+/.exec(shot.text)![0]) >= 6)).toBe(true);
});
