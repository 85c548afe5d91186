import { defineConfig } from 'vitest/config';

/** Tests that hold several processes against the clock: they run alone, after all others. */
const alone = ['test/cli/fleet.test.ts', 'test/cli/run-scale.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/build.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'side by side',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', '**/node_modules/**', ...alone],
          testTimeout: 60_000,
          maxConcurrency: 4,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: alone, testTimeout: 60_000, maxConcurrency: 4, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
