import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

/** Builds the command line once, before the tests that spawn it, unless what is built is newer than the source. */
export default function setup(): void {
  const asked = process.argv.slice(2).filter((argument) => /[./]/.test(argument) && !argument.startsWith('-'));
  const needed =
    asked.length === 0 || asked.some((file) => !/^packages.\w+.src\b/.test(path.relative(root, path.resolve(file))));
  if (!needed || newest('packages') <= builtAt()) return;
  // As it is shipped: by the environment of tests, the console would be built for those who develop React.
  execFileSync('npm', ['run', 'build'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

function newest(folder: string): number {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!lab|console)(?!.*\.test\.ts$).*\.ts$/.test(file),
  );
  return Math.max(...files.map((file) => statSync(path.join(root, folder, file)).mtimeMs));
}

function builtAt(): number {
  return Math.min(
    ...['dist/cli.js', 'dist/types/core/src/index.d.ts'].map(
      (file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  );
}
