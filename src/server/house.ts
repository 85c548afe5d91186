import type { Ledger } from '../ledger/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Courts } from './courts.ts';
import type { LogLine } from './log.ts';
import type { Hearings } from './hearings/hearings.ts';
import type { News } from './news.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { RunDesk } from './runs/run-desk.ts';
import type { ServerLimits } from './limits.ts';
import type { Webhooks } from './webhooks/webhooks.ts';
import type { Keys } from './auth/keys.ts';
import type { Meters } from './metrics.ts';

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
  webhooks: Webhooks;
  runs: RunDesk;
  /** How the server fetches what it is told to: hardly ever. */
  outbound: Outbound;
  meters: Meters;
  /** Aborts when the server drains: nothing new is begun. */
  draining: AbortSignal;
  /** Where it keeps its own files: uploads. */
  folder: string;
  log: (line: LogLine) => void;
}
