import { defineConfig } from 'vitest/config';

/** What a release is held to by installing it: `npm run release:check`. Needs npm's registry, and minutes. */
export default defineConfig({
  test: {
    globalSetup: ['test/temporary-folder.ts', 'test/build.ts'],
    include: ['test/release/*.check.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    // Node reads TypeScript by itself, in a fraction of the time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
