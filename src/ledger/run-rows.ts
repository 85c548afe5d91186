import type { Selectable } from 'kysely';
import { AgonError } from '../errors.ts';
import type { Kind, Trx } from './database.ts';
import type { RunRow, RunState } from './runs.ts';
import { fromStored } from './stored-json.ts';
import type { Tables } from './tables.ts';

export function runOf({
  id,
  version,
  name,
  job,
  configuration,
  settings,
  input,
  state,
  problem,
  total,
  started_at,
  ended_at,
}: Selectable<Tables['runs']>): RunRow {
  return {
    id,
    name,
    job,
    configuration,
    settings: fromStored('run', version, settings),
    input,
    state,
    problem,
    total,
    startedAt: new Date(started_at),
    endedAt: ended_at === null ? null : new Date(ended_at),
  };
}

/**
 * Whoever changes the items of a run as a whole does it alone: on PostgreSQL its row is the lock, SQLite has one
 * writer at a time.
 */
export async function lockRun(trx: Trx, kind: Kind, id: string): Promise<RunState> {
  const row = await trx
    .selectFrom('runs')
    .select('state')
    .where('id', '=', id)
    .$if(kind === 'postgresql', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (!row)
    throw new AgonError('unknown-run', `The ledger has no run ${id}.`, '`agon runs list` shows those that it has.');
  return row.state;
}
