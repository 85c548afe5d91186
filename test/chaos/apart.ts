import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { mountSmallDisk } from './small-disk.ts';

/* A world of its own for processes and mounts: when the command ends, however it ends, nothing of it is left. */

const inside = 'AGON_CHAOS_APART';
const flags = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc'];

export const isApart = () => process.env[inside] !== undefined;

/** Calls this very command apart from everything else, where that is allowed; false when it is to be done here. */
export async function callApart(): Promise<boolean> {
  if (isApart() || spawnSync('unshare', [...flags, 'true']).status !== 0) return false;
  // The shell stays, and takes care of processes whose parents were killed.
  const script = '"$@"; exit $?';
  const child = spawn(
    'unshare',
    [...flags, 'bash', '-c', script, 'chaos', process.execPath, ...process.argv.slice(1)],
    {
      env: { ...process.env, [inside]: '1' },
      stdio: 'inherit',
    },
  );
  process.on('SIGINT', () => undefined);
  // It takes no other signal while it waits, and everything in there ends with it.
  process.on('SIGTERM', () => child.kill('SIGKILL'));
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  process.exitCode = code;
  return true;
}

/** Whether a small disk can be had. */
export async function mayMount(folder: string): Promise<boolean> {
  try {
    const disk = await mountSmallDisk(path.join(folder, 'try'), 1);
    await disk.unmount();
    return true;
  } catch {
    return false;
  }
}
