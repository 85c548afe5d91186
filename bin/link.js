// npm links the commands of dependencies, not those of the package itself: without a link, npx in a clone packs and
// installs the clone before it starts it. Runs with `prepare`, so in a clone alone, never where Agon is installed.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const commands = path.join(root, 'node_modules', '.bin');
const link = path.join(commands, 'agon');

mkdirSync(commands, { recursive: true });
if (process.platform === 'win32') {
  // What npm itself writes there: links need rights that few users have.
  writeFileSync(`${link}.cmd`, '@node "%~dp0\\..\\..\\bin\\agon.js" %*\r\n');
  writeFileSync(link, '#!/bin/sh\nexec node "$(dirname "$0")/../../bin/agon.js" "$@"\n');
} else {
  chmodSync(path.join(root, 'bin', 'agon.js'), 0o755);
  rmSync(link, { force: true });
  symlinkSync('../../bin/agon.js', link);
}
