import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // An example imports Agon by its name: here as it is in this tree, built or not.
  resolve: { alias: [{ find: /^agon$/, replacement: path.join(import.meta.dirname, 'src/index.ts') }] },
  test: {
    globalSetup: ['test/temporary-folder.ts', 'test/build.ts', 'web/test/build.ts'],
    include: ['**/*.browser.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
  },
});
