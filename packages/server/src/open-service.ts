import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { reportEmbedding } from '@agonhq/core/app';
import { agonHome, sharedSecret, type Settings } from '@agonhq/core/settings';
import { createApp } from './create-app.ts';
import { openAccessGate, type AccessGate } from './auth/access-gate.ts';
import { openKeys } from './auth/keys.ts';
import { openOpenId } from './auth/openid.ts';
import { openPeople } from './auth/people.ts';
import { openSessions } from './auth/sessions.ts';
import type { ConsolePages } from './console/serve-console.ts';
import { openAuditLog } from './audit/audit-log.ts';
import { openItemAssigner } from './annotation/assign-items.ts';
import { openServerBenches } from './benches/server-benches.ts';
import { openAgonPool, type AgonPoolOptions } from './agon-pool.ts';
import { handlers } from './handlers/index.ts';
import { openLiveTrials } from './trials/live-trials.ts';
import { noTeamsHere, type ServerContext } from './server-context.ts';
import { toProblem } from './http/problem.ts';
import { rememberedMs } from './claim-idempotency-key.ts';
import { readServerLimits } from './limits.ts';
import { errorCode, type LogLine } from './log.ts';
import type { MetricFigures, Metrics } from './metrics.ts';
import { openEventFeed } from './event-feed.ts';
import { openOverviewCache } from './overview/overview-cache.ts';
import { createSequence } from '@agonhq/engine/concurrency-limit';
import { openOutbound, type Outbound } from './outbound/outbound.ts';
import { startCheckpoints } from './cases/checkpoint-schedule.ts';
import { applyRetention } from './cases/retention.ts';
import { openReviewLeases } from './queue/review-leases.ts';
import { openOverdueWatch } from './queue/watch-overdue.ts';
import { openServerRuns } from './runs/server-runs.ts';
import { openAlertWatch } from './watching/watch-alerts.ts';
import { rememberSteps } from './watching/remember-steps.ts';
import { shareFeed } from './share-feed.ts';
import { openShadowTrials } from './watching/shadow-trials.ts';
import { openModelTrials } from './settings/try-models.ts';
import { openWebhooks } from './webhooks/webhooks.ts';

export interface ServiceOptions {
  /** Whom it serves; null for the installation itself. */
  team: string | null;
  jobs: Jobs;
  settings: Settings;
  /** Closed by whoever opened it. */
  ledger: Ledger;
  environment: Record<string, string | undefined>;
  log: (line: LogLine) => void;
  console: ConsolePages;
  outbound?: Outbound | undefined;
  metrics: Metrics;
  /** Aborts when the server says that it will not be here for long, and still answers. */
  leaving: AbortSignal;
  /** Aborts when the server drains: nothing new is begun. */
  draining: AbortSignal;
  /** How long a client may take to send all of its request. */
  requestMs: number;
  /** The services of teams, where the installation has any. */
  teams?: TeamParts | undefined;
  queued?: MetricFigures['queued'];
  /** What limits calls of models: shared with others. */
  control: AgonPoolOptions['control'];
}

/** Everything that answers for one ledger: the HTTP API on it, and what goes on behind it. */
export interface Service {
  readonly context: ServerContext;
  readonly needsKey: AccessGate['needsKey'];
  answer(request: Request, env?: object): Response | Promise<Response>;
  /** Takes up runs and benches that an earlier server left. */
  resumeUnfinished(): Promise<void>;
  /** When nothing is being judged, and nothing that was sent here is known here alone. */
  whenIdle(signal: AbortSignal): Promise<void>;
  /** Whether something is under way that nobody else would go on with. */
  isBusy(): boolean;
  /** Does what is due once an hour: retention, and what is kept for a while. */
  tidy(): Promise<void>;
  /** Ends what is under way. */
  stop(): Promise<void>;
  /** Writes down what is left to write, and lets go of everything. */
  close(): Promise<void>;
}

/** How soon runs that another server left are gone on with. */
const takeOverMs = 5_000;

type TeamParts = Pick<ServerContext, 'addTeam' | 'findTeam' | 'listTeams'>;

const noTeams: TeamParts = {
  addTeam: () => Promise.reject(noTeamsHere()),
  findTeam: async () => null,
  listTeams: () => [],
};

export async function openService(options: ServiceOptions): Promise<Service> {
  const { team, jobs, settings, ledger, environment, log, outbound, metrics, leaving, draining, requestMs } = options;
  const { teams = noTeams } = options;
  const server = settings.server ?? {};
  const limits = readServerLimits(settings);
  // A file serves one machine, and mostly one server.
  const rates = ledger.kind === 'postgresql' ? ledger.rates : null;
  const keys = await openKeys({ ledger, environment, team, log });
  // Servers that share a ledger share its secret, and so their sessions.
  const sessions = openSessions({
    keys,
    people: server.openid ? openPeople(server.openid, team) : null,
    secret: await sharedSecret(ledger, environment),
    team,
    rates,
    ended: ledger.sessions,
  });
  const stop = new AbortController();
  const folder = path.join(agonHome(environment), 'server', ...(team === null ? [] : ['teams', team]));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const agons = await openAgonPool({
    jobs,
    settings,
    ledger,
    environment,
    control: options.control,
    onEmbedding: reportEmbedding((progress) => log({ level: 'info', event: 'precedents', progress })),
  });
  const here = openEventFeed();
  const feed = ledger.notices ? shareFeed(here, { notices: ledger.notices, log }) : here;
  const trials = openLiveTrials({
    limits,
    signal: stop.signal,
    failed: (error) => ({ id: 'problem', type: 'problem', data: { type: 'problem', problem: toProblem(error) } }),
  });
  metrics.observe({
    held: () => trials.limit.held,
    waiting: () => trials.limit.waiting,
    ...(options.queued ? { queued: options.queued } : {}),
  });
  const reach = outbound ?? openOutbound(server);
  const reads = createSequence();
  const webhooks = await openWebhooks({ ledger, feed, outbound: reach, settings: server, log });
  const context: ServerContext = {
    team,
    ...teams,
    jobs,
    settings,
    environment,
    limits,
    ledger,
    agons,
    trials,
    feed,
    audit: openAuditLog(ledger.audit, log),
    modelTrials: openModelTrials(jobs, settings, environment),
    keys,
    sessions,
    longReads: reads,
    folder,
    log,
    outbound: reach,
    webhooks,
    runs: await openServerRuns({ jobs, ledger, settings, environment, agons, feed, folder, log }),
    benches: await openServerBenches({ jobs, ledger, settings, environment, agons, folder, log }),
    overview: openOverviewCache(ledger, { reads, feed }),
    watching: rememberSteps(ledger.watching, feed),
    alerts: openAlertWatch({ ledger, feed, reads, log }),
    shadows: await openShadowTrials({ jobs, ledger, agons, log }),
    leases: openReviewLeases(ledger),
    overdue: openOverdueWatch({ ledger, feed, webhooks, log }),
    annotations: openItemAssigner(ledger),
    metrics,
    leaving,
    draining,
    requestMs,
  };
  const gate = openAccessGate({ keys, sessions, host: server.host ?? '127.0.0.1', settings: server, limits, rates });
  const app = createApp({
    context,
    gate,
    handlers,
    openId: server.openid && team === null ? openOpenId(server.openid) : null,
    console: options.console,
  });
  void applyRetention(context);
  const checkpoints = startCheckpoints(context);
  // A file serves one server at a time; the next one takes up what is left when it starts.
  const takingOver =
    ledger.kind === 'sqlite'
      ? undefined
      : setInterval(() => {
          if (!leaving.aborted) void context.runs.takeOver().catch(() => undefined);
        }, takeOverMs).unref();
  let stopping: Promise<void> | null = null;

  async function stopAll(): Promise<void> {
    clearInterval(takingOver);
    await checkpoints.close();
    stop.abort(new AgonError('draining', 'The server was stopped.', 'Try again: arguments made so far are recalled.'));
    await context.runs.close();
    await context.benches.close();
    await trials.whenIdle();
    await context.shadows.close();
    await context.alerts.close();
    await context.overdue.close();
    await feed.close();
    await webhooks.close();
    await keys.close();
  }

  return {
    context,
    needsKey: gate.needsKey,
    answer: (request, env) => app.fetch(request, env),
    async resumeUnfinished() {
      await context.runs.resumeUnfinished();
      await context.benches.resumeUnfinished();
    },
    async whenIdle(signal) {
      await Promise.all([trials.whenIdle(), context.runs.drain(signal)]);
    },
    isBusy: () => trials.limit.held > 0 || context.runs.isAnyLive() || context.benches.isAnyLive(),
    tidy: () => tidy(context),
    stop: () => (stopping ??= stopAll()),
    async close() {
      await context.audit.flush();
      await agons.close();
    },
  };
}

async function tidy(context: ServerContext): Promise<void> {
  const { ledger, runs, benches, log } = context;
  await applyRetention(context);
  try {
    await runs.sweep();
    await benches.sweep();
    await ledger.idempotency.pruneKeys(rememberedMs);
    await ledger.rates.pruneRates(rememberedMs);
  } catch (error) {
    log({ level: 'warn', event: 'tidy', code: errorCode(error) });
  }
}
