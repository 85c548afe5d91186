import type { DeliveryRow, Ledger, WebhookRow } from '../../ledger/index.ts';
import type { ServerSettings } from '../../settings/index.ts';
import type { LogLine } from '../house.ts';
import type { News } from '../news.ts';
import type { Outbound } from '../outbound/outbound.ts';

/** Who is told of verdicts: from the configuration file, and from the ledger. */
export interface Webhooks {
  list(): Promise<readonly (Omit<WebhookRow, 'secret' | 'createdAt'> & { configured: boolean; createdAt: Date | null })[]>;
  create(webhook: { url: string; events: readonly string[] }): Promise<WebhookRow>;
  remove(id: string): Promise<void>;
  /** Sends a test at once, and says what came of it. */
  test(id: string, signal: AbortSignal): Promise<DeliveryRow>;
  deliveries(id: string, options: { state?: DeliveryRow['state']; limit: number; after?: string | null }): Promise<{ rows: readonly DeliveryRow[]; next: string | null }>;
  /** Ends the deliveries after those that are on their way. What waits is delivered by the next server. */
  close(): Promise<void>;
}

export interface WebhooksOptions {
  ledger: Ledger;
  news: News;
  outbound: Outbound;
  settings: ServerSettings;
  log: (line: LogLine) => void;
}

export async function openWebhooks(_options: WebhooksOptions): Promise<Webhooks> {
  throw new Error('not written yet');
}
