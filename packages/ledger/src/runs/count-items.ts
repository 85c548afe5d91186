import { sql } from 'kysely';
import type { Db, Kind } from '../database/database.ts';
import type { RunCounts } from './runs.ts';

const minute = 60_000;

/** Where a run stands: how many are in each state, which an index knows, and what became of those that ended. */
export async function countItems(db: Db, kind: Kind, run: string): Promise<RunCounts> {
  const states = await db
    .selectFrom('run_items')
    .select(({ fn }) => ['state', fn.countAll().as('items')])
    .where('run', '=', run)
    .groupBy('state')
    .execute();
  const counts: RunCounts = {
    waiting: 0,
    running: 0,
    done: 0,
    failed: 0,
    same: 0,
    byLabel: {},
    byGuard: 0,
    escalated: 0,
    failuresByCode: {},
    usage: { calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0, latencyMs: 0 },
    expected: { right: 0, wrong: 0, guardRight: 0, guardWrong: 0 },
    lastEndedAt: null,
    endedLastMinute: 0,
  };
  for (const { state, items } of states) counts[state] = Number(items);
  for (const group of await readEndedGroups(db, kind, run)) addGroup(counts, group);
  return counts;
}

/** Of what was judged with a true label, by that and by what was said. */
export async function countOutcomes(
  db: Db,
  run: string,
): Promise<readonly { expected: string; label: string; items: number }[]> {
  const rows = await db
    .selectFrom('run_items')
    .select(({ fn }) => ['expected', 'label', fn.countAll().as('items')])
    .where('run', '=', run)
    .where('state', '=', 'done')
    .where('expected', 'is not', null)
    .where('label', 'is not', null)
    .groupBy(['expected', 'label'])
    .orderBy('expected')
    .orderBy('label')
    .execute();
  return rows.map(({ expected, label, items }) => ({ expected: expected!, label: label!, items: Number(items) }));
}

/** The code of the error that an item failed with. */
export function readErrorCode(kind: Kind) {
  return kind === 'sqlite' ? sql<string>`error ->> 'code'` : sql<string>`cast(error as json) ->> 'code'`;
}

/** Sums come as numbers or, from PostgreSQL, as text. */
type Sum = number | string | null;

interface Group {
  state: 'done' | 'failed';
  label: string | null;
  decided_by: 'debate' | 'guard' | null;
  escalate: number | null;
  as_expected: number | null;
  code: string | null;
  items: Sum;
  calls: Sum;
  input_tokens: Sum;
  output_tokens: Sum;
  cached_tokens: Sum;
  cost_usd: Sum;
  unpriced: Sum;
  latency_ms: Sum;
  last_ended_at: string | null;
  lately: Sum;
}

async function readEndedGroups(db: Db, kind: Kind, run: string): Promise<Group[]> {
  const since = new Date(Date.now() - minute).toISOString();
  const { rows } = await sql<Group>`
    select state, label, decided_by, escalate, 
      case when expected is null then null when expected = label then 1 else 0 end as as_expected,
      case when state = 'failed' then ${readErrorCode(kind)} end as code, count(*) as items, sum(calls) as calls,
        sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
      sum(cached_tokens) as cached_tokens, sum(cost_usd) as cost_usd, 
        sum(case when cost_usd is null then 1 else 0 end) as unpriced, sum(latency_ms) as latency_ms,
      max(ended_at) as last_ended_at, sum(case when ended_at >= ${since} then 1 else 0 end) as lately
    from run_items where run = ${run} and state in ('done', 'failed')
    group by 1, 2, 3, 4, 5, 6 order by 2, 6`.execute(db);
  return rows;
}

function addGroup(counts: RunCounts, group: Group): void {
  const items = Number(group.items);
  counts.endedLastMinute += Number(group.lately);
  const last = group.last_ended_at === null ? null : new Date(group.last_ended_at);
  if (last && (!counts.lastEndedAt || last > counts.lastEndedAt)) counts.lastEndedAt = last;
  if (group.state === 'failed') {
    const code = group.code ?? 'unknown';
    counts.failuresByCode[code] = (counts.failuresByCode[code] ?? 0) + items;
    return;
  }
  const { usage } = counts;
  if (group.label !== null) counts.byLabel[group.label] = (counts.byLabel[group.label] ?? 0) + items;
  if (group.escalate === 1) counts.escalated += items;
  const guard = group.decided_by === 'guard';
  if (guard) counts.byGuard += items;
  if (group.as_expected === 1) counts.expected[guard ? 'guardRight' : 'right'] += items;
  if (group.as_expected === 0) counts.expected[guard ? 'guardWrong' : 'wrong'] += items;
  usage.calls += Number(group.calls);
  usage.inputTokens += Number(group.input_tokens);
  usage.outputTokens += Number(group.output_tokens);
  usage.cachedTokens += Number(group.cached_tokens);
  usage.latencyMs += Number(group.latency_ms);
  usage.costUsd = usage.costUsd === null || Number(group.unpriced) > 0 ? null : usage.costUsd + Number(group.cost_usd);
}
