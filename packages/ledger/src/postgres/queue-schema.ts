import { sql } from 'kysely';
import { sha256 } from '@agonhq/engine/hash';
import type { Db } from '../database/database.ts';

/** The name of pg-boss's schema beside a ledger's. */
export async function chooseQueueSchema(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
  const { name } = rows[0]!;
  if (name === 'public') return 'agon_queue';
  // pg-boss takes at most 50 letters.
  return /^[a-z_][a-z0-9_]{0,43}$/.test(name) ? `${name}_queue` : `agon_queue_${sha256(name).slice(7, 23)}`;
}

/** The queue of a run's slices. */
export function nameQueue(run: string): string {
  return `${run}.slices`;
}

/** Active jobs of a group have an index in pg-boss, so that those in somebody's hands are found among any number. */
export const sliceGroup = 'slice';
