import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

/**
 * A file system in memory, where there is one with room in which programs may be started: tests make hundreds of
 * ledgers and databases, each of whose writes waits for the disk.
 */
export function roomyMemory(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === memory);
  return mount?.includes('noexec') !== true && Math.min(bavail * bsize, freemem()) > 6e9 ? memory : tmpdir();
}
