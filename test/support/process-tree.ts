import { readdirSync, readFileSync } from 'node:fs';

/* Processes as Linux tells of them in /proc. */

/** The processes that a process has started and that are still there. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) && parentOf(Number(name)) === pid ? [Number(name)] : [],
  );
}

export function isAlive(pid: number): boolean {
  return parentOf(pid) !== null;
}

/** Bytes of memory that a process and all that it started have now. */
export function residentBytesOf(pid: number): number {
  return residentBytes(pid) + childrenOf(pid).reduce((sum, child) => sum + residentBytesOf(child), 0);
}

const pageBytes = 4_096;

function residentBytes(pid: number): number {
  const pages = readOf(pid, 'statm')?.split(' ')[1];
  return Number(pages ?? 0) * pageBytes;
}

/** Null where there is no such process, or only what is left of it until it is asked for. */
function parentOf(pid: number): number | null {
  // The name stands in brackets, and may hold anything.
  const [state, parent] = readOf(pid, 'stat')?.split(') ').at(-1)!.split(' ') ?? [];
  return parent === undefined || state === 'Z' ? null : Number(parent);
}

function readOf(pid: number, what: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return null;
  }
}
