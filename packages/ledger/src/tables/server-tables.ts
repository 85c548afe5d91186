/* What a server keeps. */

export interface ApiKeys {
  id: string;
  version: number;
  name: string;
  secret_hash: string;
  scopes: string;
  reviewer: string | null;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

/** Sessions that were signed out of, by the hash of their token, until they would have ended; in milliseconds. */
export interface EndedSessionRows {
  token: string;
  ends_at: number;
  ended_at: number;
}

/** What is left of a limit that servers share: so many at a moment, in milliseconds. */
export interface RatePortions {
  owner: string;
  tokens: number;
  filled_at: number;
}

export interface Teams {
  name: string;
  version: number;
  settings: string;
  created_at: string;
}

export interface IdempotencyKeys {
  owner: string;
  key: string;
  request: string;
  location: string | null;
  state: 'running' | 'done';
  claimed_at: string;
}

export interface StreamPositions {
  stream: string;
  version: number;
  position: string;
  moved_at: string;
}

export interface WebhookRows {
  id: string;
  version: number;
  url: string;
  events: string;
  secret: string;
  created_at: string;
  disabled_at: string | null;
  problem: string | null;
}

export interface Deliveries {
  id: string;
  version: number;
  webhook: string;
  event: string;
  payload: string;
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  status: number | null;
  error: string | null;
  due_at: string | null;
  created_at: string;
  ended_at: string | null;
}

export interface AuditRows {
  id: string;
  version: number;
  at: string;
  who: string | null;
  key: string | null;
  operation: string;
  target: string | null;
  what: string;
  status: number;
  request: string;
}
