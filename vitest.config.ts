import { defineConfig } from 'vitest/config';

/** Tests that hold processes against the clock: they run alone, after all others. */
const alone = ['test/cli/run-scale.test.ts'];

const patience = { testTimeout: 60_000, hookTimeout: 60_000, maxConcurrency: 4, expect: { poll: { timeout: 10_000 } } };

/** More than two processors: part of every file is waiting. */
const atOnce = 3;

export default defineConfig({
  test: {
    globalSetup: ['test/temporary-folder.ts', 'test/build.ts'],
    projects: [
      {
        extends: true,
        // One process reads the files of the code one after the other: what they import, and the models, are loaded
        // once.
        test: {
          name: 'code',
          ...patience,
          include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'],
          exclude: ['**/*.{browser,isolated}.test.ts', '**/node_modules/**'],
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
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts', 'src/**/*.isolated.test.ts'],
          exclude: ['**/*.browser.test.ts', '**/node_modules/**', ...alone],
          maxWorkers: atOnce,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', ...patience, include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
