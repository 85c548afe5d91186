import { ownJobs } from '../own-jobs.ts';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settingsFromEnvironment, mergeSettings } from './read-settings.ts';
import { settingsFromFile } from './settings-file.ts';

test('flags are stronger than the environment, and that is stronger than the file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-layers-'));
  await writeFile(
    path.join(folder, 'agon.config.yaml'),
    'seats: { default: "file:a", debaters: "file:b", arbiter: "file:c" }\nmoderation: { rounds: 1 }\n',
  );
  const settings = mergeSettings(
    await settingsFromFile({ jobs: ownJobs, folder }),
    settingsFromEnvironment(ownJobs, { AGON_DEBATERS: 'environment:b', AGON_ARBITER: 'environment:c' }),
    { seats: { arbiter: 'flag:c' }, moderation: { without: ['debate'] } },
  );
  expect(settings).toEqual({
    seats: { default: 'file:a', debaters: 'environment:b', arbiter: 'flag:c' },
    moderation: { rounds: 1, without: ['debate'] },
  });
});

test('lists and plain values are replaced, not mixed', () => {
  expect(
    mergeSettings({ moderation: { without: ['strict', 'loose'] } }, { moderation: { without: ['debate'] } }),
  ).toEqual({ moderation: { without: ['debate'] } });
  expect(mergeSettings({ cache: { directory: 'a' } }, { cache: false })).toEqual({ cache: false });
});

const layer = fc.record(
  {
    defaults: fc.record({ retries: fc.nat(), concurrency: fc.nat() }, { requiredKeys: [] }),
    policy: fc.string(),
    moderation: fc.record({ rounds: fc.nat() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

test('layering is associative, and an empty layer changes nothing', () => {
  fc.assert(
    fc.property(layer, layer, layer, (a, b, c) => {
      expect(mergeSettings(mergeSettings(a, b), c)).toEqual(mergeSettings(a, mergeSettings(b, c)));
      expect(mergeSettings({}, a, {})).toEqual(a);
    }),
  );
});
