import { defineConfig } from 'vitest/config';
import { LongestFirst } from '@agonhq/test/longest-first.ts';

/** Tests that hold processes against the clock: they run alone, after all others. */
const alone = ['test/cli/run-scale.test.ts'];

const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  maxConcurrency: 4,
  expect: { poll: { timeout: 10_000 } },
};

/** Node reads TypeScript by itself, in a fraction of the time. */
const experimental = { viteModuleRunner: false, nodeLoader: false };

/** What takes long is left for `npm run test:all`; test/README.md lists it. */
const left = process.env['AGON_TESTS'] === 'all' ? [] : ['**/*.long.test.ts'];

/** More than two processors: of every file about half is waiting. */
const atOnce = 4;

export default defineConfig({
  test: {
    globalSetup: ['test/temporary-folder.ts', 'test/build.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        // One process reads the files of the code one after the other: what they import, and the models, are loaded
        // once.
        test: {
          name: 'code',
          ...patience,
          experimental,
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/lab/bench/**/*.test.ts',
            'packages/console/test/**/*.test.ts',
          ],
          exclude: ['**/*.{browser,isolated}.test.ts', '**/node_modules/**', 'packages/console/src/**', ...left],
          isolate: false,
          maxWorkers: atOnce,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'program',
          ...patience,
          experimental,
          setupFiles: ['test/end-left-over.ts'],
          isolate: false,
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', '**/node_modules/**', ...alone, ...left],
          maxWorkers: atOnce,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // What Node does not read by itself (TSX), or is mocked.
          name: 'pages',
          ...patience,
          include: ['packages/console/src/**/*.test.ts', 'packages/*/src/**/*.isolated.test.ts'],
          maxWorkers: atOnce,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          ...patience,
          experimental,
          setupFiles: ['test/end-left-over.ts'],
          include: alone,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
