import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { externalSystems } from '../../systems/external/open-external-system.ts';
import type { OpenSystemsOptions } from '../../systems/open-systems.ts';
import type { LabelledContent } from './labelled-content.ts';
import { moderationAblations, moderationSystemNames, openModerationSystems } from './systems.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-systems-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options: OpenSystemsOptions<LabelledContent> = {
  repeats: 1,
  rounds: [],
  agents: [],
  datasets: [],
  root: '.',
  parts: { environment: { AGON_HOME: folder } },
  drawExamples: async () => [],
};
const own = moderationSystemNames.filter(
  (name) => !/[A-Z]|provider:model|4-shot/.test(name) && !externalSystems.some((external) => external === name),
);

test('every system of a bench is of its kind, and judges by a configuration of its own', async () => {
  const { systems, notes, close } = await openModerationSystems(own, {}, options);
  const kinds = Object.fromEntries(systems.map(({ name, kind }) => [name, kind]));
  for (const name of own)
    expect([name, kinds[name]]).toEqual([
      name,
      name.startsWith('without-')
        ? 'ablation'
        : /^(?:full|debate|rounds-\d|all-.*)$/.test(name)
          ? 'debate'
          : name === 'control'
            ? undefined
            : 'baseline',
    ]);
  expect(notes).toEqual([expect.stringContaining('control does not apply')]);
  // Ablations are held against the debate that comes first.
  expect(new Set(systems.filter(({ kind }) => kind === 'ablation').map(({ of }) => of))).toEqual(new Set(['full']));
  expect(systems.filter(({ name }) => name.startsWith('rounds-')).map(({ rounds }) => rounds)).toEqual([1, 2, 3]);
  // With one model in all seats these are the debate as it is, which has two rounds; retrieval is that of precedents.
  const others = systems.filter(({ name }) => !/^(?:debate|rounds-2|all-.*)$/.test(name));
  const alike = Map.groupBy(others, ({ repeats }) => repeats[0]!.configuration)
    .values()
    .filter((same) => same.length > 1)
    .map((same) => same.map(({ name }) => name));
  expect([...alike]).toEqual([['without-precedents', 'without-retrieval']]);
  await close();
}, 60_000);

test('an ablation of seats leaves each in turn to the embedded model, beside the whole debate', () => {
  expect(moderationAblations['seats']!({}).systems.map(({ name }) => name)).toEqual([
    'full',
    'supporter embedded',
    'strict-debater embedded',
    'loose-debater embedded',
    'arbiter embedded',
  ]);
  const names = (settings: object) => moderationAblations['table3']!(settings).systems.map(({ name }) => name);
  expect(names({}).some((name) => name.startsWith('all-'))).toBe(false);
  expect(names({ seats: { arbiter: 'openai:gpt-5' } })).toContain('all-arbiter');
});
