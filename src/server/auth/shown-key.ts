import type { z } from 'zod';
import type { schemas, Scope } from '../../api/index.ts';
import type { ApiKeyRow } from '../../ledger/index.ts';

/** A key as it is shown: of its secret, not even the hash. */
export function shownKey({
  id,
  name,
  scopes,
  reviewer,
  createdAt,
  lastUsedAt,
  expiresAt,
  revokedAt,
}: ApiKeyRow): z.output<typeof schemas.apiKey> {
  const moment = (at: Date | null) => at?.toISOString() ?? null;
  return {
    id,
    name,
    scopes: scopes as Scope[],
    reviewer,
    createdAt: createdAt.toISOString(),
    lastUsedAt: moment(lastUsedAt),
    expiresAt: moment(expiresAt),
    revokedAt: moment(revokedAt),
  };
}
