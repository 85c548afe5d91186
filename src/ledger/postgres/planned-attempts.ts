import { sql } from 'kysely';
import type { Trx } from '../database.ts';

/**
 * How often the items of a run are tried, as its plan says: a worker works on many runs. Null where the plan says
 * nothing.
 */
export const plannedAttempts = sql<number | null>`cast(cast(runs.settings as json) ->> 'attempts' as integer)`;

export async function attemptsFor(trx: Trx, run: string, usual: number): Promise<number> {
  const row = await trx
    .selectFrom('runs')
    .select(plannedAttempts.as('attempts'))
    .where('id', '=', run)
    .executeTakeFirst();
  return row?.attempts ?? usual;
}
