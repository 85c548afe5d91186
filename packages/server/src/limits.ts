import type { Settings } from '@agonhq/core/settings';

/** What the server takes, and how much of it at once. */
export interface ServerLimits {
  /** Trials held at once, and how many may wait for a place. */
  concurrency: number;
  queue: number;
  /** Of a JSON body, and of an upload with all its files. */
  bodyBytes: number;
  uploadBytes: number;
  /** How long a trial may take. */
  timeoutSeconds: number;
  /** How long a debate whose listeners have all gone away is held on, for one of them to come back. */
  graceSeconds: number;
  /** How long it still answers after SIGTERM, while it says that it is not ready. */
  unreadySeconds: number;
  /** How long what is under way may take after that. */
  drainSeconds: number;
  /** Requests a minute of one key; null for no limit. */
  ratePerMinute: number | null;
  /** Open event streams, of all clients together. */
  streams: number;
}

export function readServerLimits({ server = {} }: Pick<Settings, 'server'>): ServerLimits {
  return {
    concurrency: server.concurrency ?? 16,
    queue: server.queue ?? 256,
    bodyBytes: server.bodyBytes ?? 32 * 2 ** 20,
    uploadBytes: server.uploadBytes ?? 256 * 2 ** 20,
    timeoutSeconds: server.timeoutSeconds ?? 600,
    graceSeconds: server.graceSeconds ?? 15,
    unreadySeconds: server.unreadySeconds ?? 0,
    drainSeconds: server.drainSeconds ?? 30,
    ratePerMinute: server.ratePerMinute ?? null,
    streams: server.streams ?? 2_000,
  };
}
