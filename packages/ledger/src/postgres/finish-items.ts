import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { makeResultColumns } from '../runs/run-rows.ts';
import type { Finished } from '../runs/finish-decided.ts';
import type { TakenItem } from '../runs/workers.ts';

/** Types of the columns of a result. */
const types = {
  case_id: 'text',
  label: 'text',
  risk: 'double precision',
  escalate: 'integer',
  decided_by: 'text',
  calls: 'bigint',
  input_tokens: 'bigint',
  output_tokens: 'bigint',
  cached_tokens: 'bigint',
  cost_usd: 'double precision',
  latency_ms: 'double precision',
} satisfies Record<keyof ReturnType<typeof makeResultColumns>, string>;

/**
 * What `finishItem` does, for many items in one statement a run. Each stands or falls by its own row: whether it is
 * still this worker's, in this very attempt. Says of each whether its result stands.
 */
export async function finishItems(db: Db, worker: string, finished: readonly Finished[]): Promise<boolean[]> {
  const stands = new Set<TakenItem>();
  for (const [run, ofRun] of Map.groupBy(finished, ({ item }) => item.run))
    for (const item of await finishItemsOfRun(db, worker, run, ofRun)) stands.add(item);
  // Of one that is told twice the first counts.
  return finished.map(({ item }) => stands.delete(item));
}

async function finishItemsOfRun(
  db: Db,
  worker: string,
  run: string,
  finished: readonly Finished[],
): Promise<TakenItem[]> {
  const byPosition = new Map(finished.toReversed().map((one) => [one.item.position, one]));
  const given = [...byPosition.values()].sort((a, b) => a.item.position - b.item.position);
  const columns = given.map(({ result }) => makeResultColumns(result));
  const names = Object.keys(types) as (keyof typeof types)[];
  const arrays = names.map((name) => sql`${columns.map((row) => row[name])}::${sql.raw(types[name])}[]`);
  const set = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`);
  const endedAt = new Date().toISOString();
  // Rows are locked in the order of positions, as whoever locks several does.
  const { rows } = await sql<{ position: number }>`
    with given as materialized (
      select * from unnest(${given.map(({ item }) => item.position)}::bigint[],
        ${given.map(({ item }) => item.attempts)}::integer[], ${sql.join(arrays)})
      as given (position, attempts, ${sql.join(names.map((name) => sql.ref(name)))})),
    held as materialized (
      select run_items.position from given join run_items on run_items.run = ${run}
        and run_items.position = given.position
      where run_items.state = 'running' and run_items.worker = ${worker} and run_items.attempts = given.attempts
      order by run_items.position for no key update of run_items),
    done as (
      update run_items set state = 'done', input = null, due_at = null, error = null, ended_at = ${endedAt},
        ${sql.join(set)}
      from held join given on given.position = held.position
      where run_items.run = ${run} and run_items.position = held.position
      returning run_items.position),
    same as (
      update run_items set ended_at = ${endedAt}
      from done cross join lateral (select position from run_items as copy
        where copy.run = ${run} and copy.same_as = done.position offset 0) as copies
      where run_items.run = ${run} and run_items.position = copies.position)
    select position from done`.execute(db);
  return rows.map(({ position }) => byPosition.get(position)!.item);
}
