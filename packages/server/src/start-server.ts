import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { AgonError } from '@agonhq/engine/agon-error';
import { packageFolder } from '@agonhq/engine/package-folder';
import type { Jobs } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { listNamedModels, watchStandstill, type StandstillLimits } from '@agonhq/core/app';
import type { Settings } from '@agonhq/core/settings';
import { findPart, findPartFolder, packageParts } from '@agonhq/engine/parts';
import { closeSpeechModel, closeImageModels } from '@agonhq/models/senses';
import { openKeys } from './auth/keys.ts';
import { isLoopback } from './auth/check-host.ts';
import { openConsole } from './console/serve-console.ts';
import { readServerLimits } from './limits.ts';
import type { LogLine } from './log.ts';
import type { Outbound } from './outbound/outbound.ts';
import { openInstallation } from './teams/open-installation.ts';

export interface ServerOptions {
  /** What it can be asked to judge. */
  jobs: Jobs;
  settings: Settings;
  /** Closed by whoever opened it. */
  ledger: Ledger;
  /** Opens the ledger of a team, where the installation has teams. */
  openTeamLedger?: ((team: string) => Promise<Ledger>) | undefined;
  environment?: Record<string, string | undefined>;
  log?: (line: LogLine) => void;
  /** Where the built console lies; by default where the build of the package puts it. */
  console?: string;
  /** Whether another process answers when this one stands still, and ends it when it does not go on, and when. */
  watched?: boolean | Partial<StandstillLimits>;
  /** For tests: how the server reaches out. */
  outbound?: Outbound;
  /** For tests: how long a slow client may take to send its headers, and all of its request. */
  patience?: { headersMs: number; requestMs: number };
}

export interface RunningServer {
  /** `http://127.0.0.1:4100`. */
  url: string;
  /**
   * Says that it is not ready, and still answers for `server.unreadySeconds`; then takes nothing new, ends what is
   * under way (for `server.drainSeconds` at most), and closes.
   */
  drain(): Promise<void>;
  /** The same without waiting for anything. */
  close(): Promise<void>;
}

const tidyMs = 3_600_000;
const idleLookMs = 60_000;

/**
 * Serves the HTTP API.
 *
 * @example const server = await startServer({ jobs, settings: {}, ledger: await openLedger({ file: 'agon.db' }) })
 */
export async function startServer({
  jobs,
  settings,
  ledger,
  openTeamLedger,
  environment: given = process.env,
  log = () => undefined,
  console,
  watched = false,
  outbound,
  patience = { headersMs: 20_000, requestMs: 300_000 },
}: ServerOptions): Promise<RunningServer> {
  const server = settings.server ?? {};
  const host = server.host ?? '127.0.0.1';
  const limits = readServerLimits(settings);
  // Who asks over HTTP names models, and must not name any file of the machine: those of the settings are meant.
  const environment = { ...given, AGON_LOCAL_FILES: listLocalFiles(jobs, settings, given).join(path.delimiter) };
  if (!isLoopback(host) && !server.openid && !(await isSomebodyLetIn(ledger, environment))) throw noKey(host);
  const leaving = new AbortController();
  const draining = new AbortController();
  const installation = await openInstallation({
    jobs,
    settings,
    ledger,
    openTeamLedger,
    environment,
    log,
    console: await openConsole(
      console ?? findBuiltConsole(environment),
      path.join(packageFolder(import.meta.dirname), 'dist', 'docs'),
    ),
    outbound,
    leaving: leaving.signal,
    draining: draining.signal,
    requestMs: patience.requestMs,
  });
  const http = createAdaptorServer({
    fetch: async (request, env) => closeAfterwards(await installation.answer(request, env), leaving.signal),
    serverOptions: {
      requestTimeout: patience.requestMs,
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: Math.min(5_000, patience.headersMs),
      keepAliveTimeout: 65_000,
    },
  }) as Server;
  let watch: ReturnType<typeof watchStandstill> | null = null;
  const clocks = [
    setInterval(() => void installation.tidy(), tidyMs).unref(),
    setInterval(() => void installation.closeIdle(), idleLookMs).unref(),
  ];
  try {
    await listen(http, host, server.port ?? 4100);
  } catch (error) {
    await shut();
    throw error;
  }
  if (watched)
    watch = watchStandstill(http, {
      ...(watched === true ? {} : watched),
      onStood: (ms) => log({ level: 'warn', event: 'stood-still', ms }),
    });
  await installation.resumeUnfinished();

  async function shut(): Promise<void> {
    for (const clock of clocks) clearInterval(clock);
    await installation.stop();
    await watch?.close();
    if (http.listening) await closeHttp(http);
    await installation.close();
    await Promise.all([closeImageModels(), closeSpeechModel()]);
  }

  let ending: Promise<void> | null = null;
  const atOnce = Promise.withResolvers<void>();
  /** Whoever asks again with fewer seconds is heeded. */
  const end = (unreadySeconds: number, drainSeconds: number) => {
    if (unreadySeconds + drainSeconds === 0) atOnce.resolve();
    ending ??= (async () => {
      leaving.abort();
      await waitFor(atOnce.promise, unreadySeconds);
      draining.abort();
      const patience = new AbortController();
      await waitFor(Promise.race([installation.whenIdle(patience.signal), atOnce.promise]), drainSeconds);
      patience.abort();
      await shut();
    })();
    return ending;
  };

  const { port } = http.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    drain: () => end(limits.unreadySeconds, limits.drainSeconds),
    close: () => end(0, 0),
  };
}

/** Waits for something, but no longer than so many seconds. */
async function waitFor(done: Promise<void>, seconds: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const clock = setTimeout(resolve, seconds * 1000);
  await Promise.race([done, over]);
  clearTimeout(clock);
}

/** Whoever kept a connection to a server that leaves finds another one for what comes next. */
function closeAfterwards(response: Response, leaving: AbortSignal): Response {
  if (leaving.aborted) response.headers.set('connection', 'close');
  return response;
}

/** By a key of the installation, or of one of its teams. */
async function isSomebodyLetIn(ledger: Ledger, environment: Record<string, string | undefined>): Promise<boolean> {
  return (
    (await (await openKeys({ ledger, environment })).hasUsableKey()) || (await ledger.teams.listTeams()).length > 0
  );
}

/** Null where the part is not there: the server answers programs without it. */
function findBuiltConsole(environment: Record<string, string | undefined>): string | null {
  const folder = findPartFolder(findPart('console', packageParts), environment);
  return folder === null ? null : path.join(folder, 'dist', 'console');
}

function noKey(host: string): AgonError {
  return new AgonError(
    'no-api-key',
    `A server on ${host} can be reached from other machines, but there is no key.`,
    'Create one: agon keys create --name admin --scope admin; or set AGON_API_KEY; or bind to 127.0.0.1.',
  );
}

async function listen(http: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new AgonError(
          'address-in-use',
          `The server cannot listen on ${host}:${port}: ${error.code ?? error.message}.`,
          'Give another --port or --host.',
          { cause: error },
        ),
      ),
    );
    http.listen(port, host, resolve);
  });
}

/** Event streams never end by themselves. */
async function closeHttp(http: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    http.close(() => resolve());
    http.closeIdleConnections();
    setTimeout(() => http.closeAllConnections(), 1_000).unref();
  });
}

function listLocalFiles(jobs: Jobs, settings: Settings, environment: Record<string, string | undefined>): string[] {
  return listNamedModels(jobs, settings, environment).flatMap(({ model }) =>
    model.startsWith('local:') ? [model.slice('local:'.length)] : [],
  );
}
