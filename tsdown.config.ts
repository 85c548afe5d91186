import path from 'node:path';
import { defineConfig } from 'tsdown';
import { bundled } from './scripts/package/bundled.ts';
import { optionalDependencies, publishedDependencies, publishedPeers } from './scripts/package/list-dependencies.ts';
import { licences } from './packages/console/vite-plugins.ts';

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
      index: 'packages/core/src/index.ts',
      ai: 'packages/core/src/integrations/ai/index.ts',
      http: 'packages/core/src/integrations/http/index.ts',
      langchain: 'packages/core/src/integrations/langchain/index.ts',
      promptfoo: 'packages/core/src/integrations/promptfoo/index.ts',
      cli: 'packages/cli/src/main.ts',
      'guard-worker': 'packages/models/src/reasoners/embedded/runtime/session-worker.ts',
      'image-models-worker': 'packages/models/src/senses/runtime/image-models-worker.ts',
      'speech-model-worker': 'packages/models/src/senses/speech/speech-model-worker.ts',
      'reading-process': 'packages/core/src/app/reading-process.ts',
      'reading-watch': 'packages/core/src/app/reading-watch.ts',
      'standstill-process': 'packages/core/src/app/standstill-process.ts',
      'figures-worker': 'packages/bench/src/figures/figures-worker.ts',
    },
    platform: 'node',
    target: 'node24',
    clean: true,
    deps: {
      alwaysBundle: bundled.map((name) => new RegExp(`^${name}(?:/|$)`)),
      neverBundle: Object.keys({
        ...publishedDependencies,
        ...optionalDependencies,
        ...publishedPeers.peerDependencies,
      })
        .filter((name) => !bundled.includes(name))
        .map((name) => new RegExp(`^${name}(?:/|$)`)),
    },
    plugins: [licences('licences.txt', [path.resolve('node_modules/swagger-ui-dist/swagger-ui-bundle.js')])],
    // What GET /docs loads: of Swagger UI's package the page needs a fifth.
    copy: {
      from: [
        'node_modules/swagger-ui-dist/{NOTICE,swagger-ui.css,swagger-ui-bundle.js*}',
        'assets/api-docs.*',
        '!**/*.map',
      ],
      to: 'dist/docs',
    },
  },
  {
    ...common,
    // One file for browsers too, with what it needs in it: nothing of Node, and none of the schemas.
    entry: { client: 'packages/server/src/client/index.ts' },
    platform: 'neutral',
    target: 'es2022',
    clean: false,
    deps: { alwaysBundle: [/^eventsource-parser/] },
    plugins: [licences('client-licences.txt')],
  },
]);
