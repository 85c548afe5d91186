import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../package.json' with { type: 'json' };

/*
 * Puts the package together as it is published, in a folder of its own (or the one that is named): what `files` says,
 * and a package.json with the command and without what only developers need. See link-command.ts for why the
 * repository's own package.json has no `bin`.
 */

const root = path.join(import.meta.dirname, '..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'artifacts', 'package'));
const {
  private: _,
  publishConfig,
  scripts: _scripts,
  devDependencies: _dev,
  overrides: _overrides,
  allowScripts: _allow,
  ...published
} = manifest;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of [...manifest.files, 'README.md', 'LICENSE'])
  cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({ ...published, ...publishConfig }, null, 2)}\n`);
console.log(folder);
