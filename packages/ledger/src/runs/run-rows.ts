import { sql, type Selectable } from 'kysely';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Db, Kind, Trx } from '../database/database.ts';
import { fromStored, readMoment } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';
import type { ItemError, ItemResult, RunItem, RunRow, RunState } from './runs.ts';

export function readRun({ version, settings, started_at, ended_at, ...row }: Selectable<Tables['runs']>): RunRow {
  return {
    ...row,
    settings: fromStored('run', version, settings),
    startedAt: new Date(started_at),
    endedAt: readMoment(ended_at),
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
    throw new AgonError('unknown-run', `The ledger has no run ${id}.`, {
      library: 'List the runs on record.',
      cli: '`agon runs list` lists them.',
      api: 'GET /api/runs lists them.',
    });
  return row.state;
}

const errorSchema = z.object({ code: z.string(), message: z.string(), hint: z.string() });

/** The condition of the index by content, to the letter: both databases use the index only so. */
export const isJudged = sql<boolean>`run_items.state <> 'same'
  and (run_items.input is not null or run_items.state <> 'failed')`;

/** An item, with what came of the one that was judged in its place. */
export function selectItems(db: Db) {
  return db
    .selectFrom('run_items')
    .leftJoin('run_items as judged', (join) =>
      join.onRef('judged.run', '=', 'run_items.run').onRef('judged.position', '=', 'run_items.same_as'),
    )
    .select([
      'run_items.run',
      'run_items.position',
      'run_items.key',
      'run_items.hash',
      'run_items.expected',
      'run_items.state',
      'run_items.same_as',
      'run_items.ended_at',
    ])
    .select(({ fn }) => [
      fn.coalesce('judged.attempts', 'run_items.attempts').as('attempts'),
      fn.coalesce('judged.worker', 'run_items.worker').as('worker'),
      fn.coalesce('judged.case_id', 'run_items.case_id').as('case_id'),
      fn.coalesce('judged.label', 'run_items.label').as('label'),
      fn.coalesce('judged.risk', 'run_items.risk').as('risk'),
      fn.coalesce('judged.escalate', 'run_items.escalate').as('escalate'),
      fn.coalesce('judged.decided_by', 'run_items.decided_by').as('decided_by'),
      fn.coalesce('judged.calls', 'run_items.calls').as('calls'),
      fn.coalesce('judged.input_tokens', 'run_items.input_tokens').as('input_tokens'),
      fn.coalesce('judged.output_tokens', 'run_items.output_tokens').as('output_tokens'),
      fn.coalesce('judged.cached_tokens', 'run_items.cached_tokens').as('cached_tokens'),
      fn.coalesce('judged.cost_usd', 'run_items.cost_usd').as('cost_usd'),
      fn.coalesce('judged.latency_ms', 'run_items.latency_ms').as('latency_ms'),
      fn.coalesce('judged.error', 'run_items.error').as('error'),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectItems>['execute']>>[number];

export function readItem(row: Row): RunItem {
  const { run, key, hash, expected, state, attempts, worker } = row;
  return {
    run,
    position: row.position,
    key,
    hash,
    expected,
    state,
    sameAs: row.same_as,
    attempts: attempts ?? 0,
    worker,
    result: readItemResult(row),
    error: row.error === null ? null : readItemError(row.error),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  };
}

type ResultColumns = Pick<
  Row,
  | 'case_id'
  | 'label'
  | 'risk'
  | 'escalate'
  | 'decided_by'
  | 'calls'
  | 'input_tokens'
  | 'output_tokens'
  | 'cached_tokens'
  | 'cost_usd'
  | 'latency_ms'
>;

export function readItemResult(row: ResultColumns): ItemResult | null {
  if (row.case_id === null || row.label === null) return null;
  return {
    case: row.case_id,
    label: row.label,
    risk: row.risk,
    escalate: row.escalate === 1,
    by: row.decided_by ?? 'debate',
    usage: {
      calls: Number(row.calls),
      inputTokens: Number(row.input_tokens),
      outputTokens: Number(row.output_tokens),
      cachedTokens: Number(row.cached_tokens),
      costUsd: row.cost_usd,
      latencyMs: Number(row.latency_ms),
    },
  };
}

/** The columns of a result: what `readItemResult` reads. */
export function makeResultColumns({ case: case_id, label, risk, escalate, by, usage }: ItemResult): ResultColumns {
  return {
    case_id,
    label,
    risk,
    escalate: Number(escalate),
    decided_by: by,
    calls: usage.calls,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cachedTokens,
    cost_usd: usage.costUsd,
    latency_ms: usage.latencyMs,
  };
}

export function readItemError(json: string): ItemError {
  try {
    return errorSchema.parse(JSON.parse(json));
  } catch (error) {
    throw new AgonError(
      'damaged-ledger',
      'The stored error of an item cannot be read.',
      'Restore the ledger from an export or a backup.',
      { cause: error },
    );
  }
}
