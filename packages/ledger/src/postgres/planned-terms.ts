import { z } from 'zod';
import type { Db } from '../database/database.ts';

/** What the plan of a run says of its queue: a worker works on many runs. */
interface PlannedTerms {
  /** Items of a slice. */
  slice?: number | undefined;
  /** How often an item is tried. */
  attempts?: number | undefined;
}

const termsSchema = z.object({
  slice: z.int().positive().optional().catch(undefined),
  attempts: z.int().positive().optional().catch(undefined),
});

/** Undefined where there is no such run. Read here: PostgreSQL takes no JSON in which a text has a NUL. */
export async function readPlannedTerms(db: Db, run: string): Promise<PlannedTerms | undefined> {
  const row = await db.selectFrom('runs').select('settings').where('id', '=', run).executeTakeFirst();
  return row && (termsSchema.safeParse(JSON.parse(row.settings)).data ?? {});
}
