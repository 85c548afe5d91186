import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import path from 'node:path';
import type { Ledger } from '@agonhq/ledger';

/**
 * Locks that this very process holds: its own number in a lock file may be that of a dead namesake (in a container,
 * every process is number 1).
 */
const held = new Set<string>();

/**
 * A lock file beside the output, which names the process that holds it; a dead holder's lock is taken over.
 * Returns what lets it go. Rejects with the error of the file system where no lock can be made.
 */
export async function lockOutput(file: string): Promise<() => Promise<void>> {
  const lockFile = `${file}.lock`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await writeFile(lockFile, String(process.pid), { flag: 'wx' });
      held.add(lockFile);
      return async () => {
        held.delete(lockFile);
        await rm(lockFile, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await takeAwayIfStale(lockFile, file);
    }
  }
  throw inUse(file, lockFile, 'another process');
}

async function takeAwayIfStale(lockFile: string, file: string): Promise<void> {
  const holder = await holderOf(lockFile);
  if (isAlive(holder, lockFile)) throw inUse(file, lockFile, `process ${holder}`);
  // By renaming, so that of two processes that found the same dead holder only one takes its lock away.
  const taken = `${lockFile}-${process.pid}`;
  await rename(lockFile, taken).catch(unlessGone);
  const really = await holderOf(taken);
  if (isAlive(really, lockFile)) await link(taken, lockFile);
  await rm(taken, { force: true });
}

/** The process that a lock file names; null when it is empty or gone. */
async function holderOf(lockFile: string): Promise<number | null> {
  const text = await readFile(lockFile, 'utf8').catch(unlessGone);
  const pid = Number.parseInt(text ?? '', 10);
  return Number.isNaN(pid) ? null : pid;
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

function isAlive(pid: number | null, lockFile: string): boolean {
  if (pid === null) return false;
  if (pid === process.pid) return held.has(lockFile);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function inUse(file: string, lockFile: string, holder: string): AgonError {
  return new AgonError(
    'output-in-use',
    `${file} is being written by ${holder}.`,
    `Wait for it, or give another --out. If that is not a run of Agon, remove ${lockFile}.`,
  );
}

/**
 * One learns at a time on a machine, so that nobody pays twice for the same lesson; across machines the library
 * itself sees to it that none is learnt twice. Returns what lets others go on; `home` is the installation's folder.
 */
export async function lockLearning(
  { kind, place }: Pick<Ledger, 'kind' | 'place'>,
  home: string,
): Promise<() => Promise<void>> {
  try {
    return await lockOutput(kind === 'sqlite' ? `${place}.learning` : path.join(home, 'learning'));
  } catch (error) {
    if (!AgonError.is(error) || error.code !== 'output-in-use') throw error;
    throw new AgonError(
      'learning-runs',
      'Somebody learns from these cases already.',
      'Wait until that has ended: what it learns need not be learnt again.',
      { cause: error },
    );
  }
}
