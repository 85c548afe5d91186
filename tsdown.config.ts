import { defineConfig } from 'tsdown';
import { bundled } from './scripts/package/bundled.ts';
import { licences } from './web/vite-plugins.ts';

const common = {
  format: 'esm',
  dts: false, // tsc writes them: the bundler needs a compiler API that TypeScript 7 does not have.
  fixedExtension: false,
  sourcemap: false,
} as const;

export default defineConfig([
  {
    ...common,
    entry: {
      index: 'src/index.ts',
      ai: 'src/integrations/ai/index.ts',
      http: 'src/integrations/http/index.ts',
      langchain: 'src/integrations/langchain/index.ts',
      promptfoo: 'src/integrations/promptfoo/index.ts',
      cli: 'src/cli/main.ts',
      'guard-worker': 'src/reasoners/embedded/runtime/session-worker.ts',
      'eyes-worker': 'src/senses/runtime/eyes-worker.ts',
      'ears-worker': 'src/senses/hearing/ears-worker.ts',
      'reading-process': 'src/app/reading-process.ts',
      'reading-watch': 'src/app/reading-watch.ts',
      'standstill-process': 'src/app/standstill-process.ts',
      'figures-worker': 'src/bench/figures/figures-worker.ts',
    },
    platform: 'node',
    target: 'node24',
    clean: true,
    deps: { alwaysBundle: bundled.map((name) => new RegExp(`^${name}(?:/|$)`)) },
    plugins: [licences()],
  },
  {
    ...common,
    // One file for browsers too, with what it needs in it: nothing of Node, and none of the schemas.
    entry: { client: 'src/client/index.ts' },
    platform: 'neutral',
    target: 'es2022',
    clean: false,
    deps: { alwaysBundle: [/^eventsource-parser/] },
    plugins: [licences('client-licences.txt')],
  },
]);
