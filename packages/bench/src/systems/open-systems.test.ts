import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startFakeProvider, text } from '@agonhq/test/fake-provider/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { noUsage } from '@agonhq/engine/debate';
import { listJobBenches } from '../jobs/index.ts';
import { readContentAsText } from '../jobs/moderation/labelled-content.ts';
import { openExternalSystems } from './external/open-external-system.ts';
import { openSystems, type OpenSystemsOptions } from './open-systems.ts';
import type { MeasuredSystem } from './system.ts';
import type { SystemEntry } from './system-entry.ts';

const options: OpenSystemsOptions = {
  repeats: 1,
  rounds: [],
  agents: [],
  datasets: [],
  root: '.',
  drawExamples: async () => [],
};

/** Opens systems that do nothing but be closed; one called `broken` cannot be opened. */
function opening(entries: readonly SystemEntry[], closed: string[] = [], called?: string) {
  const open = async ({ name }: SystemEntry): Promise<MeasuredSystem> => {
    if (name === 'broken') throw new AgonError('bad-flag', 'There is no such system.', '');
    const close = async () => void closed.push(name);
    return {
      name: called ?? name,
      kind: 'baseline',
      models: [],
      of: null,
      rounds: null,
      repeats: [{ name, configuration: name, spent: () => noUsage, close }],
    };
  };
  return openSystems(entries, { settings: {}, unnamed: false, open }, async () => void closed.push('the library'));
}

const named = (name: string, system = name): SystemEntry => ({ name, system });

describe('the systems of a bench', () => {
  test('are opened once each, however often they are named', async () => {
    const { systems } = await opening([named('guard'), named('vote'), { ...named('guard'), settings: {} }]);
    expect(systems.map(({ name }) => name)).toEqual(['guard', 'vote']);
  });

  test.each([
    ['another system', [named('mine', 'guard'), named('mine', 'vote')]],
    ['other settings', [{ ...named('full'), settings: { moderation: { rounds: 3 } } }, named('full')]],
  ])('have names of their own: two of one name with %s are refused', async (_difference, entries) => {
    await expect(opening(entries)).rejects.toMatchObject({
      code: 'bad-flag',
      message: expect.stringContaining('Two systems are called'),
    });
  });

  test('have names of their own in tables too, whatever they were called when they were named', async () => {
    await expect(opening([named('guard'), named('vote')], [], 'theirs')).rejects.toMatchObject({
      code: 'bad-flag',
      message: 'Two systems are called theirs.',
    });
  });

  test('are closed with all they share when one of them cannot be opened', async () => {
    const closed: string[] = [];
    await expect(opening([named('guard'), named('broken')], closed)).rejects.toMatchObject({ code: 'bad-flag' });
    expect(closed).toEqual(['guard', 'the library']);
  });

  test('of others are asked anew in every repeat, whatever a cache has', async () => {
    const provider = await startFakeProvider(() => text('safe'));
    const directory = await mkdtemp(path.join(tmpdir(), 'agon-repeats-'));
    const settings = { providers: { vllm: { baseUrl: `${provider.url}/v1` } }, cache: { directory } };
    for (let attempt = 0; attempt < 2; attempt++) {
      const { repeats } = await openExternalSystems(named('llama-guard:vllm:guard'), {
        reader: readContentAsText(),
        settings,
        repeats: 2,
      });
      for (const system of repeats)
        await system.judge({ text: 'Ducks swim.' }, new AbortController().signal, { line: 1 });
    }
    expect(provider.requests).toHaveLength(2);
    await rm(directory, { recursive: true });
    await provider.close();
  });
});

test.each(listJobBenches().map((bench) => [bench.job, bench] as const))(
  'the debate of %s is called full, or debate',
  async (_job, bench) => {
    const { systems, close } = await bench.openSystems(
      ['full', 'debate'],
      { seats: { default: 'embedded:guard-2' } },
      options,
    );
    expect(systems.map(({ name, kind }) => [name, kind])).toEqual([
      ['full', 'debate'],
      ['debate', 'debate'],
    ]);
    await close();
  },
);
