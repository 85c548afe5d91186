import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/*
 * `node test/choose-tests.ts long|browser`: of the files that `npm test` leaves, or of those in the browser, the ones
 * that a commit runs: those of packages that it changed, and of the others a quarter, in turn.
 */

const root = path.join(import.meta.dirname, '..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const list = (pattern: string) =>
  globSync([`packages/${pattern}`, `test/${pattern}`], { cwd: root, exclude: ['**/node_modules/**'] }).toSorted();

/** Some need what `npm ci` does not bring (test/support/programs.ts): `npm test` has run them without it. */
const needPrograms = (file: string) => /support\/programs\.ts'/.test(readFileSync(path.join(root, file), 'utf8'));
const files =
  process.argv[2] === 'browser'
    ? list('**/*.browser.test.ts')
    : [...new Set([...list('**/*.long.test.ts'), ...list('**/*.test.ts').filter(needPrograms)])].toSorted();

/** The commands and servers of test/ are those of two packages. */
const packageOf = (file: string) =>
  /^packages\/(\w+)\//.exec(file)?.[1] ?? (file.startsWith('test/server/') ? 'server' : 'cli');
const hasParent = git('rev-list', '--count', '--max-count=2', 'HEAD') === '2';
const changed = new Set(
  hasParent ? git('diff', '--name-only', 'HEAD~1', '--', 'packages').split('\n').filter(Boolean).map(packageOf) : [],
);
const turn = Number(git('rev-list', '--count', 'HEAD')) % 4;

console.log(files.filter((file, index) => index % 4 === turn || changed.has(packageOf(file))).join('\n'));
