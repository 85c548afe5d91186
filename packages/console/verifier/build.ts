import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { renderStyles } from '@agonhq/engine/reports/styles';
import { version } from '@agonhq/engine/version';
import { listTerms } from '../vite-plugins.ts';

/*
 * Builds verifier.html beside the console: the page that checks bundles, with its script and style in it, and nothing
 * fetched.
 */

const folder = import.meta.dirname;
const root = path.join(folder, '..', '..', '..');

/**
 * The checks of an answer lie beside code that judges, which needs Node and is never reached from here: the bundler
 * drops it. Of Node they need one function, for which there is another.
 */
const withoutNode: Plugin = {
  name: 'agon-without-node',
  enforce: 'pre',
  resolveId(id, importer) {
    if (!id.startsWith('node:')) return undefined;
    const isHash = id === 'node:crypto' && importer === path.join(root, 'packages/engine/src/hash.ts');
    return isHash ? path.join(folder, 'hash.ts') : { id, external: true };
  },
  resolveDynamicImport: () => ({ id: 'node:unreached', external: true }),
};

async function bundleScript(): Promise<{ script: string; terms: string }> {
  const built = (await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    plugins: [withoutNode],
    build: {
      write: false,
      target: 'es2024',
      modulePreload: false,
      rolldownOptions: {
        input: path.join(folder, 'main.ts'),
        treeshake: { moduleSideEffects: (id) => id.startsWith(folder) },
      },
    },
  })) as Rolldown.RolldownOutput;
  const [chunk, ...others] = built.output;
  const needed = [...chunk.code.matchAll(/["'`](node:[a-z/]+)["'`]/g)].map(([, name]) => name);
  if (needed.length + others.length > 0) throw new Error(`The verifier page would need ${needed.join(', ')}.`);
  // A text in it must not end the element that it stands in.
  const code = chunk.code.trim().replaceAll('</script', String.raw`<\/script`);
  const modules = Object.entries(chunk.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []));
  return { script: code, terms: listTerms(modules) };
}

const source = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const { script, terms } = await bundleScript();
const style = `${renderStyles()}${readFileSync(path.join(folder, 'page.css'), 'utf8')}`.trim();
const policy = `default-src 'none'; script-src ${source(script)}; style-src ${source(style)}; base-uri 'none'; form-action 'none'`;
const parts: Record<string, string> = { policy, style, script, terms, version };
const page = readFileSync(path.join(folder, 'page.html'), 'utf8').replaceAll(
  /%(policy|style|script|terms|version)%/g,
  (_, name: string) => parts[name]!,
);
const out = path.join(root, 'dist', 'console');
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, 'verifier.html'), page);
