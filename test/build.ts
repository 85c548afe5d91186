import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

/** Builds the command line once, before the tests that spawn it, unless what is built is newer than the source. */
export default function setup(): void {
  const asked = process.argv.slice(2).filter((argument) => /[./]/.test(argument) && !argument.startsWith('-'));
  const needed =
    asked.length === 0 || asked.some((file) => !/^packages.\w+.src\b/.test(path.relative(root, path.resolve(file))));
  if (!needed) return;
  const command = newest(/^(?!lab|console)(?!.*\.test\.ts$).*\.ts$/) > builtAt('cli.js', 'types/core/src/index.d.ts');
  if (command) run('build');
  // What draws reports is of the console, and of what its views are made of.
  else if (
    newest(/^(?:console|engine|judges|documents|bench)\/src(?!.*\.test\.ts$).*\.(?:tsx?|css)$/) > builtAt(reportViews)
  )
    run('build:report');
}

const reportViews = 'report/render-report.js';

/** As it is shipped: by the environment of tests, the console would be built for those who develop React. */
function run(script: string): void {
  execFileSync('npm', ['run', script], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

function newest(named: RegExp): number {
  const files = readdirSync(path.join(root, 'packages'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => named.test(file));
  return Math.max(...sources.map((file) => statSync(path.join(root, 'packages', file)).mtimeMs));
}

function builtAt(...files: string[]): number {
  return Math.min(
    ...files.map((file) => statSync(path.join(root, 'dist', file), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
}
