import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import type { WebhookRow, WebhookStore } from '@agonhq/ledger';
import type { ServerSettings } from '@agonhq/core/settings';

/** Somebody who is told. */
export interface Receiver {
  id: string;
  url: string;
  events: ReadonlySet<string>;
  secret: string;
  /** It stands in the configuration file. */
  trusted: boolean;
}

/** A webhook as it may be shown. */
export type ListedWebhook = Omit<WebhookRow, 'secret' | 'createdAt'> & { configured: boolean; createdAt: Date | null };

/** Who is told: from the configuration file, and from the ledger as it was read last. */
export interface WebhookRegistry {
  /** Those that are told now. */
  active(): readonly Receiver[];
  /** Any of them, told or not; throws `unknown-webhook`. */
  find(id: string): Promise<Receiver>;
  list(): Promise<readonly ListedWebhook[]>;
  disable(id: string, problem: string): Promise<void>;
  enable(id: string): Promise<void>;
  /** Reads the ledger again. */
  refresh(): Promise<void>;
}

interface Configured extends Receiver {
  disabledAt: Date | null;
  problem: string | null;
}

export function openWebhookRegistry(
  store: WebhookStore,
  { webhooks = [], fetch: allowed = {} }: Pick<ServerSettings, 'webhooks' | 'fetch'>,
): WebhookRegistry {
  const configured = new Map(
    webhooks.map(({ url, secret, events = ['verdict'] }): [string, Configured] => {
      const id = `config-${sha256(url).slice('sha256:'.length, 'sha256:'.length + 16)}`;
      return [id, { id, url, secret, events: new Set(events), trusted: true, disabledAt: null, problem: null }];
    }),
  );
  let onLedger: readonly Receiver[] = [];

  const registry: WebhookRegistry = {
    active: () => [...[...configured.values()].filter(({ disabledAt }) => disabledAt === null), ...onLedger],

    async find(id) {
      const found = configured.get(id) ?? (await store.findWebhook(id));
      if (!found) throw new AgonError('unknown-webhook', `There is no webhook ${id}.`, 'GET /api/webhooks lists them.');
      return 'trusted' in found ? found : toReceiver(found);
    },

    async list() {
      return [
        ...[...configured.values()].map(({ id, url, events, disabledAt, problem }): ListedWebhook => ({
          id,
          url: hideCredentials(url),
          events: [...events],
          configured: true,
          createdAt: null,
          disabledAt,
          problem,
        })),
        ...(await store.listWebhooks()).map(({ id, url, events, createdAt, disabledAt, problem }): ListedWebhook => ({
          id,
          url,
          events,
          configured: false,
          createdAt,
          disabledAt,
          problem: problem ?? (allowed.webhooks ? null : notAllowed),
        })),
      ];
    },

    async disable(id, problem) {
      const found = configured.get(id);
      // The file cannot be written: it is told again after the next start.
      if (found) Object.assign(found, { disabledAt: new Date(), problem });
      else await store.disableWebhook(id, problem);
      await store.abandonDeliveries(id, 'The webhook was disabled.');
      await registry.refresh();
    },

    async enable(id) {
      const found = configured.get(id);
      if (found) Object.assign(found, { disabledAt: null, problem: null });
      else await store.enableWebhook(id);
      await registry.refresh();
    },

    async refresh() {
      if (allowed.webhooks)
        onLedger = (await store.listWebhooks()).filter(({ disabledAt }) => disabledAt === null).map(toReceiver);
    },
  };
  return registry;
}

const notAllowed = 'It is told nothing: the server does not allow webhooks made by request (server.fetch.webhooks).';

function toReceiver({ id, url, events, secret }: WebhookRow): Receiver {
  return { id, url, events: new Set(events), secret, trusted: false };
}

function hideCredentials(words: string): string {
  const url = new URL(words);
  if (url.username === '' && url.password === '') return words;
  url.username = '';
  url.password = '';
  return url.href;
}
