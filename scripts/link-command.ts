import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../package.json' with { type: 'json' };

/*
 * Runs with `prepare`, so in a clone alone: leaves the command in node_modules/.bin, where npx starts it at once. Were
 * it among `bin` of package.json, npx would install the clone into its cache, and build it again, before each start.
 */

const root = path.join(import.meta.dirname, '..');
const commands = path.join(root, 'node_modules', '.bin');
mkdirSync(commands, { recursive: true });
for (const [name, file] of Object.entries(manifest.publishConfig.bin)) {
  const link = path.join(commands, name);
  rmSync(link, { force: true });
  if (process.platform === 'win32') {
    // What npm itself writes there: links need rights that few users have.
    writeFileSync(`${link}.cmd`, `@node "%~dp0\\..\\..\\${file.replaceAll('/', '\\')}" %*\r\n`);
    writeFileSync(link, `#!/bin/sh\nexec node "$(dirname "$0")/../../${file}" "$@"\n`);
  } else {
    chmodSync(path.join(root, file), 0o755);
    symlinkSync(path.join('..', '..', file), link);
  }
}
