import type { Precedent, PrecedentLibrary, Settings } from '@agonhq/core';
import type { PanelScript } from '@agonhq/test/support/fake-panel.ts';
import type { BenchCase } from './cases/index.ts';

/** The documented mix of models on the fake provider, both rounds held, and no limit that throttles. */
export function benchSettings(url: string, turns: 'together' | 'alternate' = 'together'): Settings {
  return {
    seats: { debaters: 'fake:gpt-4o-mini', arbiter: 'fake:gpt-4o' },
    providers: { fake: { baseUrl: `${url}/v1` } },
    defaults: { concurrency: 1_000, retries: 0 },
    moderation: { turns, earlyStop: false },
  };
}

export function scriptOf({ answers, briefWithPrecedents }: BenchCase, withPrecedents = false): PanelScript {
  return withPrecedents ? { ...answers, supporter: briefWithPrecedents } : answers;
}

export function libraryOf(precedents: readonly Precedent[]): PrecedentLibrary {
  return {
    version: 'bench',
    search: async ({ limit }) => ({
      precedents: precedents.slice(0, limit),
      excluded: [],
      library: { size: precedents.length, problem: null },
    }),
  };
}
