import { sql } from 'kysely';
import type { Kind, Trx } from '../database/database.ts';
import { rowsOf } from '../database/fixed-query.ts';
import { endSameItems } from './item-outcomes.ts';
import { makeResultColumns } from './run-rows.ts';
import type { Finished } from './finish-decided.ts';
import type { TakenItem } from './workers.ts';

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

const names = Object.keys(types) as (keyof typeof types)[];

/**
 * Many results in one statement a run, and the content of the items goes: it is the case's subject. Each stands or
 * falls by its own row: whether it is still this worker's, in this very attempt. Says of each whether it stands.
 */
export async function finishItems(
  trx: Trx,
  kind: Kind,
  worker: string,
  finished: readonly Finished[],
): Promise<boolean[]> {
  const stands = new Set<TakenItem>();
  for (const [run, ofRun] of Map.groupBy(finished, ({ item }) => item.run))
    for (const item of await finishItemsOfRun(trx, kind, worker, run, ofRun)) stands.add(item);
  // Of one that is told twice the first counts.
  return finished.map(({ item }) => stands.delete(item));
}

async function finishItemsOfRun(
  trx: Trx,
  kind: Kind,
  worker: string,
  run: string,
  finished: readonly Finished[],
): Promise<TakenItem[]> {
  const byPosition = new Map(finished.toReversed().map((one) => [one.item.position, one]));
  const given = [...byPosition.values()].map(({ item, result }) => {
    const columns = makeResultColumns(result);
    return [item.position, item.attempts, ...names.map((name) => columns[name])];
  });
  const columns = names.map(
    (name, index) => sql`cast(value ->> ${sql.lit(index + 2)} as ${sql.raw(types[name])}) as ${sql.ref(name)}`,
  );
  const set = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`held.${name}`)}`);
  const endedAt = new Date().toISOString();
  // Rows are locked in the order of positions, as whoever locks several does.
  const inOrder = sql`order by place ${kind === 'postgresql' ? sql`for no key update of run_items` : sql``}`;
  const { rows } = await sql<{ position: number }>`
    with given as (select cast(value ->> 0 as bigint) as place, cast(value ->> 1 as integer) as tries,
        ${sql.join(columns)} from ${rowsOf(kind, given)}),
    held as (select given.* from given cross join run_items
      where run_items.run = ${run} and run_items.position = given.place and run_items.state = 'running'
        and run_items.worker = ${worker} and run_items.attempts = given.tries ${inOrder})
    update run_items set state = 'done', input = null, due_at = null, error = null, ended_at = ${endedAt},
      ${sql.join(set)}
    from held where run_items.run = ${run} and run_items.position = held.place
    returning position`.execute(trx);
  const positions = rows.map(({ position }) => position);
  await endSameItems(trx, kind, run, positions, endedAt);
  return positions.map((position) => byPosition.get(position)!.item);
}
