import type { Generated } from 'kysely';

/* What a server keeps. */

export interface Activations {
  position: Generated<number>;
  policy: string;
  activated_by: string | null;
  activated_at: string;
}

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

export interface IdempotencyKeys {
  owner: string;
  key: string;
  request: string;
  location: string | null;
  state: 'running' | 'done';
  claimed_at: string;
}

export interface Webhooks {
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
