import { hostname } from 'node:os';

/**
 * Whether a worker (`host:pid:…`) has surely ended: its process was on this machine, and is gone. Of other machines
 * nobody here knows.
 */
export function hasEnded(worker: string): boolean {
  const [, host, pid] = /^(.*):(\d+):[^:]*$/.exec(worker) ?? [];
  if (host !== hostname() || !pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
