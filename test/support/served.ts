import { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { leftOver } from './left-over.ts';
import { startAgon, type Ran } from './run-agon.ts';

/** `agon serve` as a user starts it. */
export interface Served {
  url: string;
  child: ChildProcess;
  ended: Promise<Ran>;
  home: string;
}

/** A home of its own for a server, and for the ones after it. */
export async function newHome(): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'agon-serve-'));
  leftOver.ofTest.push(() => rm(home, { recursive: true, force: true }));
  return home;
}

/** Starts `agon serve` on a free port, and waits until it listens. Whatever is left is ended after the test. */
export async function serve(
  args: readonly string[] = [],
  { home, environment = {} }: { home?: string; environment?: Record<string, string> } = {},
): Promise<Served> {
  const place = home ?? (await newHome());
  const served = startServing(place, args, environment);
  leftOver.ofTest.unshift(served.end);
  return { ...served, url: await served.url };
}

/** The same in a home that is there; whoever starts it ends it. */
export function startServing(
  home: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Omit<Served, 'url'> & { url: Promise<string>; end(): Promise<void> } {
  const { child, ended } = startAgon(['serve', '--port', '0', ...args], {
    cwd: home,
    environment: { AGON_HOME: home, AGON_LEDGER: path.join(home, 'ledger.sqlite'), ...environment },
  });
  const url = new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout!.on('data', (text: string) => {
      said += text;
      const found = /listens on \S*?(http:\/\/\S+?:\d+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    void ended.then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)), reject);
  });
  return {
    url,
    child,
    ended,
    home,
    async end() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended.catch(() => undefined);
    },
  };
}

export function postJson(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal,
  });
}
