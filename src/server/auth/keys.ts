import type { Scope } from '../../api/index.ts';
import type { ApiKeyRow, Ledger } from '../../ledger/index.ts';
import type { Principal } from './principal.ts';

export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  reviewer?: string;
  expiresAt?: Date;
}

/** The keys of a server. */
export interface Keys {
  /** Who presents a key; throws an AgonError (`wrong-api-key`) when it is not known, revoked or expired. */
  principalOf(key: string): Promise<Principal>;
  create(key: NewKey): Promise<{ row: ApiKeyRow; key: string }>;
  list(): Promise<readonly ApiKeyRow[]>;
  revoke(id: string): Promise<ApiKeyRow>;
  /** Whether there is any that can be used. */
  any(): Promise<boolean>;
  /** Writes down which were used. */
  close(): Promise<void>;
}

export async function openKeys(_options: { ledger: Ledger; environment: Record<string, string | undefined> }): Promise<Keys> {
  throw new Error('not written yet');
}
