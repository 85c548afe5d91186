import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Db, Kind } from '../database/database.ts';
import { enlargePageCache } from './list-cases.ts';

/** Finished cases with the same label, action, categories and models, in figures. */
export interface CaseFigures {
  label: string;
  /** What was proposed; null where nothing was. */
  action: string | null;
  categories: readonly string[];
  models: readonly string[];
  cases: number;
  escalated: number;
  degraded: number;
  /** Of those whose price is known. */
  costUsd: number;
  priced: number;
  /** Of those that have one, to four digits, in no order. */
  disagreements: readonly number[];
  /** Likewise, to the millisecond. */
  latenciesMs: readonly number[];
}

/** A case that was decided by people or by labelled data. */
export interface DecidedCase {
  id: string;
  verdict: string;
  /** What was proposed; null where nothing was. */
  action: string | null;
  risk: number | null;
  bar: number | null;
  /** Whether the machine was sure, and a quality sample drew it. */
  sampled: boolean;
  /** In the order they were made: the last one stands. */
  decisions: readonly { label: 'safe' | 'unsafe'; action: string | null; by: string }[];
}

/** Some of the cases of a time. */
export interface FigureSlice {
  groups: readonly CaseFigures[];
  decided: readonly DecidedCase[];
}

export interface Figures {
  /**
   * What finished cases that were opened from one moment up to another came to, without replays, a few thousand cases
   * at a time: between two of them others have their turn.
   */
  readFigures(time: { from: Date; to: Date; job?: string }): AsyncIterable<FigureSlice>;
}

/** SQLite takes about ten milliseconds for so many. */
const casesAtOnce = 4_000;

export function figuresStore({ db, kind }: Database): Figures {
  return {
    async *readFigures({ from, to, job = null }) {
      if (kind === 'sqlite') await enlargePageCache(db);
      const end = to.toISOString();
      for (let start = from.toISOString(); start < end;) {
        const next = await findSliceEnd(db, start, end);
        const slice = { start, next, job };
        const found = await readColumns(db, kind, slice);
        if (found.label.length > 0)
          yield {
            groups: groupCases(found),
            decided: found.marks.some((marks) => marks >= 4) ? await readDecided(db, slice) : [],
          };
        start = next;
        await nextTurn();
      }
    },
  };
}

interface Slice {
  start: string;
  next: string;
  job: string | null;
}

/**
 * A replay asks what would have been: it is no verdict on anything. There are few of them, and an index that finds
 * them.
 */
export const isNoReplay = sql<boolean>`listing.shadow = 0 and listing.id not in (
  select id from debates where again_of is not null and again_how = 'replay')`;

/** Where the next slice begins. */
async function findSliceEnd(db: Db, start: string, end: string): Promise<string> {
  const row = await db
    .selectFrom('listing')
    .select('opened_at')
    .where('opened_at', '>=', start)
    .where('opened_at', '<', end)
    .orderBy('opened_at')
    .orderBy('id')
    .offset(casesAtOnce)
    .limit(1)
    .executeTakeFirst();
  if (!row) return end;
  // Cases of the same moment stay together, however many.
  return row.opened_at > start ? row.opened_at : `${start} `;
}

/** Fractions as whole numbers, which are written much faster, in units that nobody misses anything of. */
const parts = { disagreement: 1e4, cost_usd: 1e9, latency_ms: 1 };

const roundToWhole = (name: keyof typeof parts) =>
  sql`cast(round(${sql.ref(name)} * ${sql.lit(parts[name])}) as bigint)`;

const listColumns = () => ({
  label: sql.ref('label'),
  action: sql.ref('action'),
  categories: sql.ref('categories'),
  models: sql.ref('models'),
  marks: sql`escalate + 2 * degraded + 4 * decided`,
  disagreement: roundToWhole('disagreement'),
  cost_usd: roundToWhole('cost_usd'),
  latency_ms: roundToWhole('latency_ms'),
});

type Columns = Record<'label' | 'categories' | 'models', readonly string[]> & {
  marks: readonly number[];
  action: readonly (string | null)[];
} & Record<keyof typeof parts, readonly (number | null)[]>;

/** Column by column, each as one text: neither rows nor a sorting of them are made for every case. */
async function readColumns(db: Db, kind: Kind, { start, next, job }: Slice): Promise<Columns> {
  const all = Object.entries(listColumns()).map(([name, value]) =>
    kind === 'sqlite'
      ? sql`json_group_array(${value}) as ${sql.ref(name)}`
      : sql`cast(json_agg(${value}) as text) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<keyof Columns, string | null>>`
    select ${sql.join(all)} from listing where opened_at >= ${start} and opened_at < ${next} and label is not null
    and ${isNoReplay} ${job === null ? sql`` : sql`and job = ${job}`}`.execute(db);
  return Object.fromEntries(
    Object.entries(rows[0]!).map(([name, values]) => [name, JSON.parse(values ?? '[]') as unknown]),
  ) as unknown as Columns;
}

interface Group extends CaseFigures {
  disagreements: number[];
  latenciesMs: number[];
}

function groupCases(of: Columns): CaseFigures[] {
  const groups = new Map<string, Group>();
  for (const [row, label] of of.label.entries()) {
    const [categories, models, action] = [of.categories[row]!, of.models[row]!, of.action[row]!];
    const key = `${label} ${action} ${categories} ${models}`;
    let group = groups.get(key);
    if (!group)
      groups.set(
        key,
        (group = {
          label,
          action,
          categories: JSON.parse(categories) as string[],
          models: JSON.parse(models) as string[],
          cases: 0,
          escalated: 0,
          degraded: 0,
          costUsd: 0,
          priced: 0,
          disagreements: [],
          latenciesMs: [],
        }),
      );
    addCase(group, of, row);
  }
  return [...groups.values()];
}

function addCase(group: Group, of: Columns, row: number): void {
  const [marks, cost, disagreement, latency] = [
    of.marks[row]!,
    of.cost_usd[row]!,
    of.disagreement[row]!,
    of.latency_ms[row]!,
  ];
  group.cases += 1;
  group.escalated += marks & 1;
  group.degraded += (marks >> 1) & 1;
  if (cost !== null) {
    group.costUsd += cost / parts.cost_usd;
    group.priced += 1;
  }
  if (disagreement !== null) group.disagreements.push(disagreement / parts.disagreement);
  if (latency !== null) group.latenciesMs.push(latency);
}

async function readDecided(db: Db, { start, next, job }: Slice): Promise<DecidedCase[]> {
  const rows = await db
    .selectFrom('listing')
    .innerJoin('decisions', 'decisions.case_id', 'listing.id')
    .select([
      'listing.id',
      'listing.label as verdict',
      'listing.action as proposed',
      'listing.risk',
      'listing.bar',
      'listing.sampled',
      'decisions.label',
      'decisions.action',
      'decisions.decided_by',
    ])
    .where('listing.opened_at', '>=', start)
    .where('listing.opened_at', '<', next)
    .where('listing.label', 'is not', null)
    .where('listing.decided', '=', 1)
    .where(isNoReplay)
    .$if(job !== null, (query) => query.where('listing.job', '=', job!))
    .orderBy('decisions.decided_at')
    .orderBy('decisions.position')
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((own) => {
    const { id, verdict, proposed, risk, bar, sampled } = own[0]!;
    return {
      id,
      verdict: verdict!,
      action: proposed,
      risk,
      bar,
      sampled: sampled === 1,
      decisions: own.map(({ label, action, decided_by }) => ({ label, action, by: decided_by })),
    };
  });
}
