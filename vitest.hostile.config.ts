import { defineConfig } from 'vitest/config';

/** The corpora of docs/security.md alone; nothing has to be built for them. */
export default defineConfig({
  test: {
    globalSetup: ['test/temporary-folder.ts'],
    include: ['test/hostile/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Node reads TypeScript by itself, in a fraction of the time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
