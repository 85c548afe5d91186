import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import { isNoReplay } from '../cases/case-figures.ts';
import { enlargePageCache, holdsText } from '../cases/list-cases.ts';
import type { WatchGroup } from './watched.ts';
import type { Database, Db, Kind } from '../database/database.ts';
import { toStorable } from '../database/stored-json.ts';
import { isLabelledData } from '../reviews/review-stage.ts';

/** A mean and how far values lie from it, as it is added up. */
export interface Measured {
  count: number;
  sum: number;
  squares: number;
}

/** What some cases came to. */
export interface WatchCounts {
  cases: number;
  flagged: number;
  undecided: number;
  escalated: number;
  degraded: number;
  /** By a person; overridden where the last one said something else than the verdict. */
  decided: number;
  overridden: number;
  cost: Measured;
  latency: Measured;
  risk: Measured;
  /** Cases by tenths of the risk. */
  tenths: readonly number[];
}

export interface WatchQuestion {
  from: Date;
  to: Date;
  job?: string | undefined;
  /** Without it there is one group, of all cases. */
  by?: WatchGroup | undefined;
  /** Only this group. */
  value?: string | undefined;
}

/** What cases came to: all of them, and by group. */
export interface WatchAnswer {
  all: WatchCounts;
  groups: ReadonlyMap<string, WatchCounts>;
}

export interface WatchFigures {
  /**
   * Finished cases that were opened from one moment up to another, by group; the empty name is for those that say
   * nothing. A case with several clauses counts in each of them. Without replays and what was judged in the shadow.
   */
  readCounts(question: WatchQuestion): Promise<WatchAnswer>;
}

export function watchFigures({ db, kind }: Database): WatchFigures {
  return {
    async readCounts(question) {
      if (kind === 'sqlite') await enlargePageCache(db);
      const all = createTally();
      const groups = new Map<string, Tally>();
      const listTallies = (name: string) => [
        all,
        ...splitNames(question, name).map((value) => findTally(groups, value)),
      ];
      for (const row of await readRows(db, kind, question))
        for (const tally of listTallies(row.name)) addRow(tally, row);
      for (const { name, overridden } of await readDecided(db, kind, question))
        for (const tally of listTallies(name)) {
          tally.decided += 1;
          tally.overridden += Number(overridden);
        }
      await nextTurn();
      return { all, groups };
    },
  };
}

function findTally(groups: Map<string, Tally>, name: string): Tally {
  const known = groups.get(name) ?? createTally();
  groups.set(name, known);
  return known;
}

interface Tally extends WatchCounts {
  tenths: number[];
}

interface Row {
  name: string;
  label: string;
  /** PostgreSQL tells counts as texts. */
  tenth: number | string | null;
  cases: number | string;
  escalated: number | string;
  degraded: number | string;
  [measured: string]: number | string | null;
}

const risk = sql.ref('risk');
const measures = { cost: sql.ref('cost_usd'), latency: sql.ref('latency_ms'), risk };

/** The group of a row: clauses are a list, and stay together until they are counted. */
function nameOf(by: WatchGroup | undefined): RawBuilder<unknown> {
  if (by === undefined) return sql`''`;
  return by === 'clause' ? sql.ref('listing.clauses') : sql`coalesce(${sql.ref(`listing.${by}`)}, '')`;
}

function conditions(kind: Kind, { from, to, job, by, value }: WatchQuestion) {
  const given = [
    sql`listing.opened_at >= ${from.toISOString()} and listing.opened_at < ${to.toISOString()}`,
    sql`listing.label is not null and ${isNoReplay}`,
    ...(job === undefined ? [] : [sql`listing.job = ${job}`]),
  ];
  if (by !== undefined && value !== undefined) {
    if (by !== 'clause') given.push(sql`${nameOf(by)} = ${toStorable(value)}`);
    else if (value === '') given.push(sql`listing.clauses = '[]'`);
    else given.push(sql`${holdsText(kind, sql.ref('listing.clauses'), JSON.stringify(toStorable(value)))}`);
  }
  return sql.join(given, sql` and `);
}

async function readRows(db: Db, kind: Kind, question: WatchQuestion): Promise<readonly Row[]> {
  const sums = Object.entries(measures).map(
    ([name, value]) => sql`count(${value}) as ${sql.ref(`${name}_count`)},
      coalesce(sum(${value}), 0) as ${sql.ref(`${name}_sum`)},
      coalesce(sum(${value} * ${value}), 0) as ${sql.ref(`${name}_squares`)}`,
  );
  const { rows } = await sql<Row>`
    select ${nameOf(question.by)} as name, label, cast(floor(${risk} * 10) as integer) as tenth,
      count(*) as cases, sum(escalate) as escalated, sum(degraded) as degraded, ${sql.join(sums)}
    from listing where ${conditions(kind, question)} group by 1, 2, 3`.execute(db);
  return rows;
}

function addRow(tally: Tally, row: Row): void {
  const cases = Number(row.cases);
  tally.cases += cases;
  if (row.label === 'unsafe') tally.flagged += cases;
  if (row.label === 'undecided') tally.undecided += cases;
  tally.escalated += Number(row.escalated);
  tally.degraded += Number(row.degraded);
  for (const measure of ['cost', 'latency', 'risk'] as const) {
    tally[measure].count += Number(row[`${measure}_count`]);
    tally[measure].sum += Number(row[`${measure}_sum`]);
    tally[measure].squares += Number(row[`${measure}_squares`]);
  }
  if (row.tenth !== null) tally.tenths[Math.min(9, Math.max(0, Number(row.tenth)))]! += cases;
}

function splitNames({ by, value }: WatchQuestion, name: string): string[] {
  if (by !== 'clause') return [name];
  const clauses = JSON.parse(name) as string[];
  const all = clauses.length === 0 ? [''] : clauses;
  return value === undefined ? all : all.filter((clause) => clause === value);
}

export function createTally(): Tally {
  const nothing = () => ({ count: 0, sum: 0, squares: 0 });
  return {
    cases: 0,
    flagged: 0,
    undecided: 0,
    escalated: 0,
    degraded: 0,
    decided: 0,
    overridden: 0,
    cost: nothing(),
    latency: nothing(),
    risk: nothing(),
    tenths: Array.from({ length: 10 }, () => 0),
  };
}

/** Few are decided: the last person who did so stands. Labelled data is no person. */
async function readDecided(db: Db, kind: Kind, question: WatchQuestion) {
  const { rows } = await sql<{ id: string; name: string; verdict: string; label: string; decided_by: string }>`
    select listing.id, ${nameOf(question.by)} as name, listing.label as verdict, decisions.label, decisions.decided_by
    from listing inner join decisions on decisions.case_id = listing.id
    where listing.decided = 1 and ${conditions(kind, question)}
    order by decisions.decided_at, decisions.position`.execute(db);
  const last = new Map<string, { name: string; overridden: boolean }>();
  for (const { id, name, verdict, label, decided_by } of rows)
    if (!isLabelledData(decided_by)) last.set(id, { name, overridden: label !== verdict });
  return [...last.values()];
}
