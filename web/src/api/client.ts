import { createClient, type Client } from '../../../src/client/index.ts';

/** The server that this page came from; who asks is known by the session's cookie. */
export const client: Client = createClient({ baseUrl: location.origin, retries: 2 });
