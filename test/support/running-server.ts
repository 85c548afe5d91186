import { ownJobs } from '@agonhq/core/own-jobs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { locateTeam, openLedger, type Ledger } from '@agonhq/ledger';
import { startServer, type LogLine, type RunningServer, type ServerOptions } from '@agonhq/server';
import type { Settings } from '@agonhq/core/settings';
import { openNewLedger } from './new-ledger.ts';
import { panelSettings, startFakePanel, type PanelScript } from './fake-panel.ts';

/** A real server on a free port, with a ledger and a home of its own. */
export interface ServerUnderTest extends RunningServer, AsyncDisposable {
  ledger: Ledger;
  home: string;
  log: LogLine[];
  /** `fetch` with the path and, where it is given, a JSON body. */
  call(
    path: string,
    options?: {
      method?: string;
      json?: unknown;
      headers?: Record<string, string>;
      body?: RequestInit['body'];
      signal?: AbortSignal;
    },
  ): Promise<Response>;
}

export async function runningServer(
  settings: Settings = {},
  options: Partial<Omit<ServerOptions, 'settings'>> = {},
): Promise<ServerUnderTest> {
  const home = await mkdtemp(path.join(tmpdir(), 'agon-server-'));
  const place = { file: path.join(home, 'ledger.db') };
  const ledger = options.ledger ?? (await openNewLedger(place.file));
  const log: LogLine[] = [];
  const { server = {}, ...others } = settings;
  const running = await startServer({
    jobs: options.jobs ?? ownJobs,
    settings: { ...others, server: { port: 0, ...server } },
    ledger,
    openTeamLedger:
      options.openTeamLedger ?? (options.ledger ? undefined : (team) => openLedger(locateTeam(place, team))),
    environment: { AGON_HOME: home, ...options.environment },
    log: (line) => log.push(line),
    ...(options.outbound ? { outbound: options.outbound } : {}),
    ...(options.patience ? { patience: options.patience } : {}),
    ...(options.console === undefined ? {} : { console: options.console }),
  });
  return {
    ...running,
    ledger,
    home,
    log,
    call: (where, { method, json, headers = {}, body, signal } = {}) =>
      fetch(`${running.url}${where}`, {
        method: method ?? (json === undefined && body === undefined ? 'GET' : 'POST'),
        headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        body: json === undefined ? body : JSON.stringify(json),
        signal,
      }),
    async [Symbol.asyncDispose]() {
      await running.close();
      if (!options.ledger) await ledger.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A server whose seats are filled by a fake panel. */
export async function stagedServer(script: PanelScript, limits: NonNullable<Settings['server']> = {}) {
  const panel = await startFakePanel(script);
  const server = await runningServer({ ...panelSettings(panel), server: limits });
  return {
    panel,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await panel.close();
    },
  };
}
