import { type Client, createClient } from '../../../src/client/index.ts';

/** The server that this page came from; who asks is known by the session's cookie. */
export const client: Client = createClient({ baseUrl: location.origin, retries: 2 });

/** Whether the server is there. */
export async function isServerUp(signal?: AbortSignal): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', ...(signal ? { signal } : {}) })).ok;
  } catch {
    return false;
  }
}

/** How it stands with the connection of a trial: `full` while the server has no place for it. */
export type Connection = 'steady' | 'reconnecting' | 'full';

/** A client that tells how its connection stands while it recovers by itself. */
export function watchedClient(tell: (connection: Connection) => void): Client {
  let asked = 0;
  let full = false;
  return createClient({
    baseUrl: location.origin,
    retries: 5,
    async fetch(...request) {
      asked += 1;
      if (asked > 1 && !full) tell('reconnecting');
      const response = await globalThis.fetch(...request);
      full = response.status === 429;
      if (response.ok) tell('steady');
      if (full) tell('full');
      return response;
    },
  });
}

/** Where a file that a case is about can be had. */
export function attachmentUrl(id: string, hash: string): string {
  return `/api/cases/${encodeURIComponent(id)}/attachments/${encodeURIComponent(hash)}`;
}
