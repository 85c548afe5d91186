import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nobody, prepareCluster, type RunningPostgres } from '../support/postgres.ts';
import { childrenOf } from '../support/process-tree.ts';
import type { ProcessProblem } from './record.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

/** PostgreSQL on a disk of its own, started again whenever it was struck. */
export interface TownPostgres {
  port: number;
  /** Straight to it, for whoever looks after the town. */
  url: string;
  /** Null where nothing may be mounted here. */
  disk: SmallDisk | null;
  pid(): number | null;
  /** Ends it as a machine would that is switched off, and starts it again after a while. */
  restart(awayMs: number): Promise<void>;
  /** Kills the process of one connection: PostgreSQL then drops them all, and recovers. */
  killBackend(): boolean;
  end(): Promise<void>;
}

const diskMegabytes = 1_024;
const againMs = 500;

/**
 * What is on its disk outlives its processes, so nothing has to be waited for; its log is kept small, since it shares
 * the disk.
 */
const settings = { fsync: 'off', max_wal_size: '96MB', min_wal_size: '32MB', max_connections: '120' };

export async function startTownPostgres(
  folder: string,
  mayMount: boolean,
  onProblem: (problem: ProcessProblem) => void,
): Promise<TownPostgres> {
  const programs = path.join(folder, 'programs');
  await mkdir(programs, { recursive: true });
  await chmod(folder, 0o711);
  const disk = mayMount ? await mountSmallDisk(path.join(folder, 'disk'), diskMegabytes, nobody) : null;
  const data = path.join(disk?.folder ?? folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const cluster = await prepareCluster(programs, data, settings);
  let server: RunningPostgres | null = null;
  let wanted = true;

  async function start(): Promise<void> {
    const own = cluster.start();
    server = own;
    own.child.once('exit', (code) => {
      if (server === own) server = null;
      // Out of room for its log it gives up, and comes back when there is some.
      if (wanted && code !== 0 && server === null) void startAgain();
    });
    await own.answering().catch((error: unknown) => {
      if (wanted && server === own)
        onProblem({ process: 'postgres', what: `does not answer: ${String(error)}`, stderr: own.log() });
    });
  }

  async function startAgain(): Promise<void> {
    await pause(againMs);
    if (wanted && !server) await start();
  }

  await start();
  return {
    port: cluster.port,
    url: cluster.url,
    disk,
    pid: () => server?.child.pid ?? null,
    async restart(awayMs) {
      const own = server;
      server = null;
      wanted = false;
      await own?.stopAtOnce();
      await pause(awayMs);
      wanted = true;
      if (!server) await start();
    },
    killBackend() {
      const backend = server?.child.pid === undefined ? undefined : childrenOf(server.child.pid).at(-1);
      if (backend === undefined) return false;
      process.kill(backend, 'SIGKILL');
      return true;
    },
    async end() {
      wanted = false;
      await server?.stopAtOnce();
      await disk?.unmount();
    },
  };
}
