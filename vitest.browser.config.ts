import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/temporary-folder.ts', 'web/test/build.ts'],
    include: ['**/*.browser.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
  },
});
