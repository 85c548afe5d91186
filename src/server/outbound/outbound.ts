import type { ServerSettings } from '../../settings/index.ts';

/** How the server reaches out: only where it is allowed to, and never to a private address on somebody else's word. */
export interface Outbound {
  /** The bytes of an image that a request names by its URL. Refused unless `server.fetch.images` allows it. */
  image(url: string, signal: AbortSignal): Promise<{ bytes: Uint8Array; mediaType: string | null }>;
  /** Throws when webhooks may not be made by request, or not to this URL. */
  assertWebhook(url: string): Promise<void>;
  /** Posts to a webhook; `trusted` when it stands in the configuration file. No redirect is followed. */
  post(url: string, options: { body: string; headers: Record<string, string>; trusted: boolean; signal: AbortSignal }): Promise<{ status: number }>;
}

export function openOutbound(_settings: ServerSettings): Outbound {
  throw new Error('not written yet');
}
