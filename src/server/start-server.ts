import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { AgonError } from '../errors.ts';
import type { Ledger } from '../ledger/index.ts';
import { listNamedModels, reportEmbedding } from '../app/index.ts';
import { agonHome, sharedSecret, type Settings } from '../settings/index.ts';
import { findPart, findPartFolder, packageParts } from '../parts/index.ts';
import { closeEars, closeEyes } from '../senses/index.ts';
import { createApp } from './create-app.ts';
import { openAccessGate } from './auth/access-gate.ts';
import { openKeys } from './auth/keys.ts';
import { isLoopback } from './auth/check-host.ts';
import { openOpenId } from './auth/openid.ts';
import { openPeople } from './auth/people.ts';
import { openSessions } from './auth/sessions.ts';
import { openConsole } from './console/serve-console.ts';
import { openAuditLog } from './audit/audit-log.ts';
import { openItemAssigner } from './annotation/assign-items.ts';
import { openServerBenches } from './benches/server-benches.ts';
import { openAgonPool } from './agon-pool.ts';
import { handlers } from './handlers/index.ts';
import { openLiveTrials } from './trials/live-trials.ts';
import type { ServerContext } from './server-context.ts';
import { toProblem } from './http/problem.ts';
import { rememberedMs } from './claim-idempotency-key.ts';
import { readServerLimits } from './limits.ts';
import { errorCode, type LogLine } from './log.ts';
import { openMetrics } from './metrics.ts';
import { openEventFeed } from './event-feed.ts';
import { openOverviewCache } from './overview/overview-cache.ts';
import { createSequence } from '../concurrency-limit.ts';
import { openOutbound, type Outbound } from './outbound/outbound.ts';
import { startCheckpoints } from './cases/checkpoint-schedule.ts';
import { applyRetention } from './cases/retention.ts';
import { openReviewLeases } from './queue/review-leases.ts';
import { openOverdueWatch } from './queue/watch-overdue.ts';
import { openServerRuns } from './runs/server-runs.ts';
import { openAlertWatch } from './watching/watch-alerts.ts';
import { rememberSteps } from './watching/remember-steps.ts';
import { openShadowTrials } from './watching/shadow-trials.ts';
import { openModelTrials } from './settings/try-models.ts';
import { openWebhooks } from './webhooks/webhooks.ts';

export interface ServerOptions {
  settings: Settings;
  /** Closed by whoever opened it. */
  ledger: Ledger;
  environment?: Record<string, string | undefined>;
  log?: (line: LogLine) => void;
  /** Where the built console lies; by default where the build of the package puts it. */
  console?: string;
  /** For tests: how the server reaches out. */
  outbound?: Outbound;
  /** For tests: how long a slow client may take to send its headers, and all of its request. */
  patience?: { headersMs: number; requestMs: number };
}

export interface RunningServer {
  /** `http://127.0.0.1:4100`. */
  url: string;
  /** Takes nothing new, ends what is under way (for `server.drainSeconds` at most), and closes. */
  drain(): Promise<void>;
  /** The same without waiting for anything. */
  close(): Promise<void>;
}

const tidyMs = 3_600_000;

/**
 * Serves the HTTP API.
 *
 * @example const server = await startServer({ settings: {}, ledger: await openLedger({ file: 'agon.db' }) })
 */
export async function startServer({
  settings,
  ledger,
  environment: given = process.env,
  log = () => undefined,
  console,
  outbound,
  patience = { headersMs: 20_000, requestMs: 300_000 },
}: ServerOptions): Promise<RunningServer> {
  const server = settings.server ?? {};
  const host = server.host ?? '127.0.0.1';
  const limits = readServerLimits(settings);
  // Who asks over HTTP names models, and must not name any file of the machine: those of the settings are meant.
  const environment = { ...given, AGON_LOCAL_FILES: listLocalFiles(settings, given).join(path.delimiter) };
  const keys = await openKeys({ ledger, environment, log });
  if (!isLoopback(host) && !server.openid && !(await keys.hasUsableKey())) throw noKey(host);
  // Servers that share a ledger share its secret, and so their sessions.
  const sessions = openSessions({
    keys,
    people: server.openid ? openPeople(server.openid) : null,
    secret: await sharedSecret(ledger, environment),
  });
  const draining = new AbortController();
  const stop = new AbortController();
  const folder = path.join(agonHome(environment), 'server');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const agons = await openAgonPool({
    settings,
    ledger,
    environment,
    onEmbedding: reportEmbedding((progress) => log({ level: 'info', event: 'precedents', progress })),
  });
  const feed = openEventFeed();
  const trials = openLiveTrials({
    limits,
    signal: stop.signal,
    failed: (error) => ({ id: 'problem', type: 'problem', data: { type: 'problem', problem: toProblem(error) } }),
  });
  const reach = outbound ?? openOutbound(server);
  const reads = createSequence();
  const webhooks = await openWebhooks({ ledger, feed, outbound: reach, settings: server, log });
  const context: ServerContext = {
    settings,
    environment,
    limits,
    ledger,
    agons,
    trials,
    feed,
    audit: openAuditLog(ledger.audit, log),
    modelTrials: openModelTrials(settings, environment),
    keys,
    sessions,
    longReads: reads,
    folder,
    log,
    outbound: reach,
    webhooks,
    runs: await openServerRuns({ ledger, settings, environment, agons, feed, folder, log }),
    benches: await openServerBenches({ ledger, settings, environment, agons, folder, log }),
    overview: openOverviewCache(ledger, { reads, feed }),
    watching: rememberSteps(ledger.watching, feed),
    alerts: openAlertWatch({ ledger, feed, reads, log }),
    shadows: await openShadowTrials({ ledger, agons, log }),
    leases: openReviewLeases(),
    overdue: openOverdueWatch({ ledger, feed, webhooks, log }),
    annotations: openItemAssigner(ledger),
    metrics: openMetrics({ held: () => trials.limit.held, waiting: () => trials.limit.waiting }),
    draining: draining.signal,
  };
  const app = createApp({
    context,
    gate: openAccessGate({ keys, sessions, host, settings: server, limits }),
    handlers,
    openId: server.openid ? openOpenId(server.openid) : null,
    console: await openConsole(console ?? findBuiltConsole(environment)),
  });
  const http = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      requestTimeout: patience.requestMs,
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: Math.min(5_000, patience.headersMs),
      keepAliveTimeout: 65_000,
    },
  }) as Server;
  void applyRetention(context);
  const tidying = setInterval(() => void tidy(context), tidyMs).unref();
  const checkpoints = startCheckpoints(context);
  try {
    await listen(http, host, server.port ?? 4100);
  } catch (error) {
    await shut();
    throw error;
  }
  await context.runs.resumeUnfinished();
  await context.benches.resumeUnfinished();

  async function shut(): Promise<void> {
    clearInterval(tidying);
    await checkpoints.close();
    stop.abort(new AgonError('draining', 'The server was stopped.', 'Try again: arguments made so far are recalled.'));
    await context.runs.close();
    await context.benches.close();
    await trials.whenIdle();
    await context.shadows.close();
    await context.alerts.close();
    await context.overdue.close();
    feed.close();
    await context.webhooks.close();
    await keys.close();
    if (http.listening) await closeHttp(http);
    await context.audit.flush();
    await agons.close();
    await Promise.all([closeEyes(), closeEars()]);
  }

  let ending: Promise<void> | null = null;
  const patienceOver = Promise.withResolvers<void>();
  /** Whoever asks again with fewer seconds is heeded. */
  const end = (seconds: number) => {
    const clock = setTimeout(patienceOver.resolve, seconds * 1000);
    ending ??= (async () => {
      draining.abort();
      await Promise.race([trials.whenIdle(), patienceOver.promise]);
      await shut();
    })();
    return ending.finally(() => clearTimeout(clock));
  };

  const { port } = http.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    drain: () => end(limits.drainSeconds),
    close: () => end(0),
  };
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

async function tidy(context: ServerContext): Promise<void> {
  const { ledger, runs, benches, log } = context;
  await applyRetention(context);
  try {
    await runs.sweep();
    await benches.sweep();
    await ledger.idempotency.pruneKeys(rememberedMs);
  } catch (error) {
    log({ level: 'warn', event: 'tidy', code: errorCode(error) });
  }
}

function listLocalFiles(settings: Settings, environment: Record<string, string | undefined>): string[] {
  return listNamedModels(settings, environment).flatMap(({ model }) =>
    model.startsWith('local:') ? [model.slice('local:'.length)] : [],
  );
}
