import { sql, type RawBuilder } from 'kysely';
import type { Kind } from './database.ts';

/**
 * This moment by the clock of the database, or one so many milliseconds later, as moments are stored. Leases and pauses
 * are measured by it: clocks of machines that share a database need not agree, and one that is wrong holds up nobody.
 *
 * @example trx.updateTable('idempotency_keys').set({ claimed_at: momentOf(kind) })
 */
export function momentOf(kind: Kind, laterMs = 0): RawBuilder<string> {
  return kind === 'postgresql'
    ? sql<string>`to_char((clock_timestamp() + ${laterMs} * interval '1 millisecond') at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${laterMs / 1_000} seconds`})`;
}
