import { sql } from 'kysely';
import { findCompact, readCompact, type CompactRow } from '../compact/read-compact.ts';
import type { Database, Db, Kind } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import type { Tables } from '../schema/tables.ts';

/** What a case came to, by the machine and by people, without what was said. */
export interface CaseOutcome {
  id: string;
  openedAt: Date;
  /** When the machine was done. */
  closedAt: Date;
  /** Of the verdict. */
  label: string;
  action: string | null;
  categories: readonly string[];
  clauses: readonly string[];
  language: string | null;
  channel: string | null;
  modality: string | null;
  seal: string;
  stage: Tables['listing']['stage'];
  /** Whether the machine was sure, and a quality sample drew it. */
  sampled: boolean;
  /** The case that it hears again on appeal; null for a first trial. */
  appealOf: string | null;
  /** By people, in the order they were made; labelled data is none. */
  decisions: readonly {
    id: string;
    label: 'safe' | 'unsafe';
    action: string | null;
    clause: string | null;
    at: Date;
  }[];
}

export interface Outcomes {
  /**
   * The cases of a job that the machine or a person decided from one moment up to another, without replays and shadows,
   * in the order of their ids, page by page.
   */
  readOutcomes(time: { from: Date; to: Date; job: string }): AsyncIterable<readonly CaseOutcome[]>;
  findOutcomes(ids: readonly string[]): Promise<readonly CaseOutcome[]>;
}

const pageSize = 500;

export function outcomeStore({ db, kind }: Database): Outcomes {
  return {
    async *readOutcomes({ from, to, job }) {
      for (let last = ''; ;) {
        const ids = await findDecided(db, from.toISOString(), to.toISOString(), last);
        if (ids.length > 0) yield (await findOutcomes(db, kind, ids)).filter((one) => one.job === job);
        if (ids.length < pageSize) return;
        last = ids.at(-1)!;
      }
    },
    findOutcomes: (ids) => findOutcomes(db, kind, ids),
  };
}

async function findDecided(db: Db, from: string, to: string, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select debate as id from verdicts where closed_at >= ${from} and closed_at < ${to} and debate > ${after}
    union select id from listing
      where packed is not null and opened_at >= ${from} and opened_at < ${to} and id > ${after}
    union select case_id as id from decisions where decided_at >= ${from} and decided_at < ${to} and case_id > ${after}
    order by id limit ${sql.lit(pageSize)}`.execute(db);
  return rows.map(({ id }) => id);
}

function makeOutcomeRow(row: CompactRow) {
  const { verdict } = readCompact(row);
  return {
    ...row,
    label: verdict.label,
    seal: verdict.seal,
    closed_at: verdict.closed_at,
    again_of: null,
    again_how: null,
  };
}

async function findOutcomes(db: Db, kind: Kind, ids: readonly string[]): Promise<(CaseOutcome & { job: string })[]> {
  const rows = await db
    .selectFrom('debates')
    .innerJoin('verdicts', 'verdicts.debate', 'debates.id')
    .innerJoin('listing', (join) =>
      join.onRef('listing.opened_at', '=', 'debates.opened_at').onRef('listing.id', '=', 'debates.id'),
    )
    .select([
      'debates.id',
      'debates.job',
      'debates.opened_at',
      'debates.again_of',
      'debates.again_how',
      'verdicts.closed_at',
      'verdicts.label',
      'verdicts.action',
      'verdicts.categories',
      'verdicts.modality',
      'verdicts.seal',
      'listing.clauses',
      'listing.language',
      'listing.channel',
      'listing.stage',
      'listing.sampled',
    ])
    .where(oneOf(kind, 'debates.id', ids))
    .where(({ or, eb }) => or([eb('debates.again_how', 'is', null), eb('debates.again_how', '=', 'appeal')]))
    .orderBy('debates.id')
    .execute();
  const decisions = await db
    .selectFrom('decisions')
    .select(['id', 'case_id', 'label', 'action', 'clause', 'decided_at'])
    .where(oneOf(kind, 'case_id', ids))
    .where('decided_by', 'not like', 'dataset:%')
    .orderBy('decided_at')
    .orderBy('position')
    .execute();
  const byCase = Map.groupBy(decisions, ({ case_id }) => case_id);
  const found = new Set(rows.map(({ id }) => id));
  const single = await findCompact(
    db,
    kind,
    ids.filter((id) => !found.has(id)),
  );
  const all = [...rows, ...single.map(makeOutcomeRow)].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return all.map((row) => ({
    id: row.id,
    job: row.job,
    openedAt: new Date(row.opened_at),
    closedAt: new Date(row.closed_at),
    label: row.label,
    action: row.action,
    categories: JSON.parse(row.categories) as string[],
    clauses: JSON.parse(row.clauses) as string[],
    language: row.language,
    channel: row.channel,
    modality: row.modality,
    seal: row.seal,
    stage: row.stage,
    sampled: row.sampled === 1,
    appealOf: row.again_how === 'appeal' ? row.again_of : null,
    decisions: (byCase.get(row.id) ?? []).map(({ id, label, action, clause, decided_at }) => ({
      id,
      label,
      action,
      clause,
      at: new Date(decided_at),
    })),
  }));
}
