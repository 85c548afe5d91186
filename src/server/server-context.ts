import type { Ledger } from '../ledger/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Courts } from './agon-pool.ts';
import type { AnnotationDesk } from './annotation/assign-items.ts';
import type { BenchDesk } from './benches/bench-cache.ts';
import type { LogLine } from './log.ts';
import type { Hearings } from './trials/live-trials.ts';
import type { News } from './event-feed.ts';
import type { OneByOne } from './concurrency-limit.ts';
import type { OverviewDesk } from './overview/overview-cache.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { Holds } from './queue/review-leases.ts';
import type { RunDesk } from './runs/server-runs.ts';
import type { ServerLimits } from './limits.ts';
import type { Webhooks } from './webhooks/webhooks.ts';
import type { Keys } from './auth/keys.ts';
import type { Sessions } from './auth/sessions.ts';
import type { Meters } from './metrics.ts';
import { AgonError } from '../errors.ts';

/** What handlers work with: put together once, when the server starts. */
export interface House {
  settings: Settings;
  environment: Record<string, string | undefined>;
  limits: ServerLimits;
  ledger: Ledger;
  courts: Courts;
  hearings: Hearings;
  news: News;
  keys: Keys;
  sessions: Sessions;
  webhooks: Webhooks;
  runs: RunDesk;
  /** Who looks at which case of the queue. */
  holds: Holds;
  benches: BenchDesk;
  overview: OverviewDesk;
  /** Reads that walk through thousands of cases. */
  reads: OneByOne;
  annotations: AnnotationDesk;
  /** How the server fetches what it is told to: hardly ever. */
  outbound: Outbound;
  meters: Meters;
  /** Aborts when the server drains: nothing new is begun. */
  draining: AbortSignal;
  /** Where it keeps its own files: uploads. */
  folder: string;
  log: (line: LogLine) => void;
}

/** Throws when the server is about to stop: nothing new is begun. */
export function assertOpen({ draining }: Pick<House, 'draining'>): void {
  if (draining.aborted)
    throw new AgonError('draining', 'The server is about to stop.', 'Ask again: another will answer.');
}
