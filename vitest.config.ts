import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts', '**/node_modules/**'],
    globalSetup: ['test/build.ts'],
    testTimeout: 30_000,
    maxConcurrency: 4,
  },
});
