import path from 'node:path';
import { defineConfig } from 'vitest/config';

const patience = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 10_000 } }, maxWorkers: 3 };
const example = 'packages/console/test/own-job.browser.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/temporary-folder.ts', 'test/build.ts', 'packages/console/test/build.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'browser',
          ...patience,
          include: ['packages/*/src/**/*.browser.test.ts', 'packages/console/**/*.browser.test.ts'],
          exclude: ['**/node_modules/**', 'dist/**', example],
          // Node reads TypeScript by itself, in a fraction of the time, and what the files import is loaded once.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          isolate: false,
        },
      },
      {
        extends: true,
        // The example imports Agon by its name: here as it is in this tree, built or not.
        resolve: {
          alias: [
            { find: /^@agonhq\/agon$/, replacement: path.join(import.meta.dirname, 'packages/core/src/index.ts') },
          ],
        },
        test: { name: 'example', ...patience, setupFiles: ['test/end-left-over.ts'], include: [example] },
      },
    ],
  },
});
