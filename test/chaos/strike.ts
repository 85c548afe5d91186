import { setTimeout as pause } from 'node:timers/promises';
import type { Blow, ProviderMode } from './plan-blows.ts';
import type { StruckBlow, TownRecord } from './record.ts';
import type { Town } from './town.ts';

/** Whether something that a process needs is struck, or was a moment ago; and the process itself. */
export function isStruck({ blows }: TownRecord, process: string): boolean {
  const momentAgo = performance.now() - momentMs;
  return blows.some(
    ({ target, to, missed }) =>
      missed === null &&
      (to ?? Infinity) > momentAgo &&
      (target === process || target.startsWith(`${process}>`) || (target === 'postgres' && process !== 'three')),
  );
}

const momentMs = 8_000;

/** Strikes, and heals when its time is over. */
export async function strike(town: Town, record: TownRecord, blow: Blow, healNow: AbortSignal): Promise<void> {
  const struck: StruckBlow = { ...blow, from: performance.now(), to: null, missed: whyMissed(town, record, blow) };
  record.blows.push(struck);
  if (struck.missed !== null) return;
  const wait = () => pause(blow.forMs, undefined, { signal: healNow }).catch(() => undefined);
  try {
    await deal(town, blow, wait);
  } finally {
    struck.to = performance.now();
  }
}

async function deal(town: Town, { kind, target, forMs, detail }: Blow, wait: () => Promise<void>): Promise<void> {
  const process = town.processes.get(target);
  const link = town.links.get(target);
  switch (kind) {
    case 'kill':
      return process!.strike('SIGKILL', forMs);
    case 'terminate':
      return process!.strike('SIGTERM', forMs);
    case 'clock':
      return process!.strike('SIGTERM', 0, detail);
    case 'stop': {
      process!.freeze(true);
      await wait();
      return process!.freeze(false);
    }
    case 'cut':
      return link!.cut();
    case 'slow':
    case 'black-hole':
    case 'half-open':
    case 'refuse': {
      link!.setMode(kind === 'slow' ? { kind, delayMs: Number(detail) } : { kind });
      await wait();
      return link!.setMode({ kind: 'pass' });
    }
    case 'provider': {
      town.provider.mode = target as ProviderMode;
      await wait();
      town.provider.mode = 'well';
      return;
    }
    case 'postgres-restart':
      return town.postgres.restart(forMs);
    case 'postgres-backend':
      town.postgres.killBackend();
      return;
    case 'full-disk': {
      const disk = town.disks.get(target)!;
      await disk.fill();
      await wait();
      return disk.free();
    }
  }
}

/** Two blows may meet; what is down, or struck in the same way, is left to the first. */
function whyMissed(town: Town, { blows }: TownRecord, { kind, target }: Blow): string | null {
  const process = town.processes.get(target);
  if (process && !process.isReady()) return `${target} was down`;
  if (kind.startsWith('postgres') && town.postgres.pid() === null) return 'postgres was down';
  const group = groupOf(kind);
  const running = blows.some(
    (other) => other.to === null && other.missed === null && groupOf(other.kind) === group && sameTarget(other, target),
  );
  return running ? `${target} was struck already` : null;

  function sameTarget(other: StruckBlow, own: string): boolean {
    return group === 'provider' || other.target === own;
  }
}

/** What would be healed by the end of another. */
function groupOf(kind: Blow['kind']): string {
  if (['kill', 'terminate', 'clock', 'stop'].includes(kind)) return 'process';
  if (['slow', 'black-hole', 'half-open', 'refuse'].includes(kind)) return 'link';
  if (kind.startsWith('postgres')) return 'postgres';
  return kind;
}

/** Everything as it should be: nothing is slow, full, stopped or believes another time. */
export async function healTown(town: Town, record: TownRecord): Promise<void> {
  town.provider.mode = 'well';
  for (const link of town.links.values()) link.setMode({ kind: 'pass' });
  for (const disk of town.disks.values()) await disk.free();
  const moved = new Set(
    record.blows.filter(({ kind, missed }) => kind === 'clock' && missed === null).map((b) => b.target),
  );
  await Promise.all(
    [...town.processes.values()].map(async (process) => {
      process.freeze(false);
      if (!moved.has(process.name)) return;
      const from = performance.now();
      const restart: StruckBlow = {
        at: 0,
        kind: 'clock',
        target: process.name,
        forMs: 0,
        detail: 'set right',
        from,
        to: null,
        missed: null,
      };
      record.blows.push(restart);
      await process.strike('SIGTERM', 0, null);
      restart.to = performance.now();
    }),
  );
}
