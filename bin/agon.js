#!/usr/bin/env node
// Parses on old versions of Node, to say what is missing or to hand over to a newer one nearby.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const required = 24;
const here = path.dirname(fileURLToPath(import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= required) {
  const entry = path.join(here, '..', 'dist', 'cli.js');
  if (existsSync(entry)) void import(new URL('../dist/cli.js', import.meta.url).href);
  else fail('Agon is not built.', 'Run `npm ci` in its folder, or `npm run build`.', 'not-built');
} else {
  const node = nearbyNode();
  if (node) handOver(node);
  else
    fail(
      `Agon needs Node ${required} or newer; this is ${process.version}.`,
      `Install Node ${required}, or \`npm install node@${required}\` beside it.`,
      'old-node',
    );
}

/** The `node` package of npm, in a node_modules above this file or above the working folder. */
function nearbyNode() {
  for (const start of [here, process.cwd()]) {
    for (let folder = start; ; folder = path.dirname(folder)) {
      const candidate = path.join(
        folder,
        'node_modules',
        'node',
        'bin',
        process.platform === 'win32' ? 'node.exe' : 'node',
      );
      if (existsSync(candidate)) return candidate;
      if (folder === path.dirname(folder)) break;
    }
  }
  return null;
}

function handOver(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) =>
    fail(`Node ${required} could not be started: ${error.message}.`, `Install Node ${required}.`, 'old-node'),
  );
  // As a shell says it: a Ctrl-C that comes a second time, while the child ends by the first, ends it by the signal.
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function fail(message, hint, code) {
  process.stderr.write(`agon: ${message} ${hint} (${code})\n`);
  process.exit(1);
}
