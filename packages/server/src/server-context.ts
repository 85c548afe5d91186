import type { Jobs } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import type { Settings } from '@agonhq/core/settings';
import type { AuditLog } from './audit/audit-log.ts';
import type { AgonPool } from './agon-pool.ts';
import type { ItemAssigner } from './annotation/assign-items.ts';
import type { ServerBenches } from './benches/server-benches.ts';
import type { LogLine } from './log.ts';
import type { LiveTrials } from './trials/live-trials.ts';
import type { EventFeed } from './event-feed.ts';
import type { Sequence } from '@agonhq/engine/concurrency-limit';
import type { OverviewCache } from './overview/overview-cache.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { OverdueWatch } from './queue/watch-overdue.ts';
import type { ReviewLeases } from './queue/review-leases.ts';
import type { ServerRuns } from './runs/server-runs.ts';
import type { ModelTrials } from './settings/try-models.ts';
import type { ServerLimits } from './limits.ts';
import type { AlertWatch } from './watching/watch-alerts.ts';
import type { ShadowTrials } from './watching/shadow-trials.ts';
import type { Webhooks } from './webhooks/webhooks.ts';
import type { Keys } from './auth/keys.ts';
import type { Sessions } from './auth/sessions.ts';
import type { Metrics } from './metrics.ts';
import { AgonError } from '@agonhq/engine/agon-error';

/** What handlers work with: put together once, when the server starts. */
export interface ServerContext {
  /** Whom it serves; null for the installation itself. */
  team: string | null;
  /** What another team works with, where it is for the installation to say; null where there is no such team. */
  findTeam(team: string): Promise<ServerContext | null>;
  /** Adds a team, and says what it works with. */
  addTeam(team: string, settings: Settings): Promise<ServerContext>;
  /** What teams that are open work with; none for a team. */
  listTeams(): readonly ServerContext[];
  jobs: Jobs;
  settings: Settings;
  environment: Record<string, string | undefined>;
  limits: ServerLimits;
  ledger: Ledger;
  agons: AgonPool;
  trials: LiveTrials;
  feed: EventFeed;
  /** Who did what. */
  audit: AuditLog;
  modelTrials: ModelTrials;
  keys: Keys;
  sessions: Sessions;
  webhooks: Webhooks;
  runs: ServerRuns;
  /** Who looks at which case of the queue. */
  leases: ReviewLeases;
  /** Tells of what became overdue. */
  overdue: OverdueWatch;
  benches: ServerBenches;
  overview: OverviewCache;
  /** Figures over time; past steps are remembered. */
  watching: Ledger['watching'];
  /** Looks whether what is watched drifts. */
  alerts: AlertWatch;
  /** Candidates that judge what was judged. */
  shadows: ShadowTrials;
  /** Reads that walk through thousands of cases. */
  longReads: Sequence;
  annotations: ItemAssigner;
  /** How the server fetches what it is told to: hardly ever. */
  outbound: Outbound;
  metrics: Metrics;
  /** Aborts when the server says that it will not be here for long, and still answers. */
  leaving: AbortSignal;
  /** Aborts when the server drains: nothing new is begun. */
  draining: AbortSignal;
  /** How long a client may take to send all of its request. */
  requestMs: number;
  /** Where it keeps its own files: uploads. */
  folder: string;
  log: (line: LogLine) => void;
}

/** Throws when the server is about to stop: nothing new is begun. */
export function assertNotDraining({ draining }: Pick<ServerContext, 'draining'>): void {
  if (draining.aborted)
    throw new AgonError('draining', 'The server is shutting down.', 'Try again: another server will answer.');
}

/** Only the installation has teams, and only where whoever started the server opens their ledgers. */
export function noTeamsHere(): AgonError {
  return new AgonError(
    'no-teams-here',
    'Teams are looked after by the installation itself.',
    'Use a key of the installation: agon keys create --name admin --scope admin.',
  );
}
