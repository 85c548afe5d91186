import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/index.ts', cli: 'src/cli/main.ts', 'guard-worker': 'src/reasoners/embedded/runtime/session-worker.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node24',
  dts: false, // tsc writes them: the bundler needs a compiler API that TypeScript 7 does not have.
  fixedExtension: false,
  sourcemap: false,
  clean: true,
  // A hundred small files take longer to open than one: it is loaded at every start that keeps a record. Its notice is in NOTICES.md.
  deps: { alwaysBundle: [/^kysely/] },
});
