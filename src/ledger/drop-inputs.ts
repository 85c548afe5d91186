import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Trx } from './database.ts';
import { endSame } from './item-outcomes.ts';
import type { ItemError } from './runs.ts';
import { toStored } from './stored-json.ts';
import type { Tables } from './tables.ts';

/**
 * Takes the content of items away that were not judged: they cannot be any more, and say why. What came of others
 * stays. Says how many.
 */
export async function dropInputs(
  trx: Trx,
  error: ItemError,
  which: (items: ExpressionBuilder<Tables, 'run_items'>) => Expression<SqlBool>,
): Promise<number> {
  const ended_at = new Date().toISOString();
  const rows = await trx
    .updateTable('run_items')
    .set({ input: null, state: 'failed', error: toStored(error), due_at: null, ended_at })
    .where('input', 'is not', null)
    .where(which)
    .returning(['run', 'position'])
    .execute();
  for (const { run, position } of rows) await endSame(trx, run, position, ended_at);
  return rows.length;
}
