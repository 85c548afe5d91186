import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { roomyMemory } from './support/roomy-memory.ts';

const prefix = 'agon-tests-';

/** Whatever tests leave in the temporary folder goes when they are over. One folder serves all projects. */
export default function setup(): (() => void) | undefined {
  if (path.basename(tmpdir()).startsWith(prefix)) return undefined;
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(path.join(roomyMemory(), prefix));
  // PostgreSQL does not run as root: its user must get through.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  // No test reads or writes what the one who runs it has on record.
  process.env['AGON_HOME'] = path.join(folder, 'home');
  // Many processes load the same code.
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'compiled');
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
