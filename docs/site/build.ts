import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/* `npm run docs`: installs what the site is built with, where it is not there yet, and builds it into artifacts/docs. */

const site = import.meta.dirname;
const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: site, stdio: 'inherit' });

if (!existsSync(path.join(site, 'node_modules', 'vitepress')))
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
rmSync(path.join(site, 'pages'), { recursive: true, force: true });
for (const name of readdirSync(path.join(site, '..')))
  if (name !== 'site' && !name.endsWith('.ts'))
    cpSync(path.join(site, '..', name), path.join(site, 'pages', name), { recursive: true });
run(path.join(site, 'node_modules', '.bin', 'typedoc'), '--options', 'typedoc.json', '--logLevel', 'Error');
run(path.join(site, 'node_modules', '.bin', 'vitepress'), 'build', site);
