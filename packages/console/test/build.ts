import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..', '..');

/** Builds the console once, before the tests that open it, unless what is built is newer than the source. */
export default function setup(): void {
  rmSync(path.join(root, 'artifacts/console/figures.txt'), { force: true });
  const built = statSync(path.join(root, 'dist/console/verifier.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newest = Math.max(
    ...[
      'packages/console/src',
      'packages/console/public',
      'packages/console/verifier',
      'packages/server/src/client',
      'packages/ledger/src/bundle',
    ].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => statSync(path.join(root, folder, file)).mtimeMs,
      ),
    ),
  );
  if (newest > built)
    execFileSync('npm', ['run', 'build:console'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    });
}
