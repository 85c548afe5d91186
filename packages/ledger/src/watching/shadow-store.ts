import { sql, type Selectable } from 'kysely';
import { candidateSchema, type WatchedCandidate } from './watched.ts';
import { unfoldCases } from '../compact/unfold-case.ts';
import type { Database, Db } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { fromStored, readMoment, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { readNewest } from '../database/pages.ts';
import type { Tables } from '../schema/tables.ts';

export interface ShadowRow {
  id: string;
  candidate: WatchedCandidate;
  createdBy: string | null;
  startedAt: Date;
  endedAt: Date | null;
  /** Why it ended. */
  why: string | null;
  /** Cases that it should have judged, and did not: it was behind, or the trial failed. */
  dropped: number;
  failed: number;
  spentUsd: number;
}

/** A difference of what the two need for the same case: the candidate's less that of what is in force. */
export interface PairedDifference {
  pairs: number;
  inForce: number;
  candidate: number;
  difference: number;
  deviation: number;
}

export interface ShadowComparison {
  /** Cases by what was said in force and in the shadow. */
  labels: readonly { inForce: string; candidate: string; cases: number }[];
  cost: PairedDifference;
  latency: PairedDifference;
  /** Of cases that a person decided: how often each said the same. */
  decided: { cases: number; inForce: number; candidate: number };
}

/** One case, judged twice. */
export interface ComparedCase {
  case: string;
  shadowCase: string;
  excerpt: string | null;
  inForce: { label: string; risk: number | null };
  candidate: { label: string; risk: number | null };
  judgedAt: Date;
}

export interface ShadowStore {
  startShadow(shadow: Pick<ShadowRow, 'id' | 'candidate' | 'createdBy'>): Promise<void>;
  /** The newest first. */
  listShadows(options?: { running: true }): Promise<readonly ShadowRow[]>;
  findShadow(id: string): Promise<ShadowRow | undefined>;
  endShadow(id: string, why: string): Promise<void>;
  count(id: string, counted: { dropped?: number; failed?: number; spentUsd?: number }): Promise<void>;
  hasPair(id: string, caseId: string): Promise<boolean>;
  keepPair(id: string, pair: { case: string; shadowCase: string }): Promise<void>;
  compare(id: string): Promise<ShadowComparison>;
  /** The newest first: all, those where the two differ, or those with these labels. */
  listPairs(
    id: string,
    options: {
      differing?: boolean | undefined;
      inForce?: string | undefined;
      candidate?: string | undefined;
      limit: number;
      after?: string | null;
    },
  ): Promise<{ rows: readonly ComparedCase[]; next: string | null }>;
}

export function shadowStore({ db, kind, write }: Database): ShadowStore {
  return {
    async startShadow({ id, candidate, createdBy }) {
      const row: Tables['shadows'] = {
        id,
        version: storedVersion,
        candidate: toStored(candidate),
        created_by: toStorable(createdBy),
        started_at: new Date().toISOString(),
        ended_at: null,
        why: null,
        dropped: 0,
        failed: 0,
        spent_usd: 0,
      };
      await write((trx) => trx.insertInto('shadows').values(row).execute());
    },
    async listShadows(options) {
      let query = db.selectFrom('shadows').selectAll().orderBy('started_at', 'desc').orderBy('id');
      if (options?.running) query = query.where('ended_at', 'is', null);
      return (await query.execute()).map(readShadow);
    },
    async findShadow(id) {
      const row = await db.selectFrom('shadows').selectAll().where('id', '=', id).executeTakeFirst();
      return row && readShadow(row);
    },
    async endShadow(id, why) {
      const ended = { ended_at: new Date().toISOString(), why: toStorable(why) };
      await write((trx) =>
        trx.updateTable('shadows').set(ended).where('id', '=', id).where('ended_at', 'is', null).execute(),
      );
    },
    async count(id, { dropped = 0, failed = 0, spentUsd = 0 }) {
      await write((trx) =>
        trx
          .updateTable('shadows')
          .set(({ eb }) => ({
            dropped: eb('dropped', '+', dropped),
            failed: eb('failed', '+', failed),
            spent_usd: eb('spent_usd', '+', spentUsd),
          }))
          .where('id', '=', id)
          .execute(),
      );
    },
    async hasPair(id, caseId) {
      const pair = db.selectFrom('shadow_pairs').select('case_id').where('shadow', '=', id);
      return (await pair.where('case_id', '=', caseId).executeTakeFirst()) !== undefined;
    },
    async keepPair(id, pair) {
      const row = { shadow: id, case_id: pair.case, shadow_case: pair.shadowCase, judged_at: new Date().toISOString() };
      await write(async (trx) => {
        await unfoldCases(trx, kind, [pair.case, pair.shadowCase]);
        await insertNew(trx.insertInto('shadow_pairs').values(row));
      });
    },
    async compare(id) {
      return {
        labels: await countLabels(db, id),
        cost: await comparePairs(db, id, 'cost_usd'),
        latency: await comparePairs(db, id, 'latency_ms'),
        decided: await countDecided(db, id),
      };
    },
    listPairs(id, { differing, inForce, candidate, ...options }) {
      let query = selectPairs(db, id)
        .innerJoin('debates as judged', 'judged.id', 'shadow_pairs.case_id')
        .innerJoin('subjects', 'subjects.hash', 'judged.subject')
        .select([
          'shadow_pairs.case_id',
          'shadow_pairs.shadow_case',
          'shadow_pairs.judged_at',
          'subjects.excerpt',
          'ours.label',
          'ours.risk',
          'theirs.label as other_label',
          'theirs.risk as other_risk',
        ]);
      if (differing) query = query.whereRef('ours.label', '<>', 'theirs.label');
      if (inForce !== undefined) query = query.where('ours.label', '=', toStorable(inForce));
      if (candidate !== undefined) query = query.where('theirs.label', '=', toStorable(candidate));
      const columns = ['shadow_pairs.judged_at', 'shadow_pairs.case_id'] as const;
      return readNewest(query, columns, options, 'compared cases', (row): ComparedCase => ({
        case: row.case_id,
        shadowCase: row.shadow_case,
        excerpt: row.excerpt,
        inForce: { label: row.label, risk: row.risk },
        candidate: { label: row.other_label, risk: row.other_risk },
        judgedAt: new Date(row.judged_at),
      }));
    },
  };
}

/** Both verdicts of each pair. */
function selectPairs(db: Db, id: string) {
  return db
    .selectFrom('shadow_pairs')
    .innerJoin('verdicts as ours', 'ours.debate', 'shadow_pairs.case_id')
    .innerJoin('verdicts as theirs', 'theirs.debate', 'shadow_pairs.shadow_case')
    .where('shadow_pairs.shadow', '=', id);
}

async function countLabels(db: Db, id: string): Promise<ShadowComparison['labels']> {
  const rows = await selectPairs(db, id)
    .select(({ fn }) => ['ours.label as ours', 'theirs.label as theirs', fn.countAll().as('cases')])
    .groupBy(['ours.label', 'theirs.label'])
    .orderBy('ours.label')
    .orderBy('theirs.label')
    .execute();
  return rows.map(({ ours, theirs, cases }) => ({ inForce: ours, candidate: theirs, cases: Number(cases) }));
}

async function comparePairs(db: Db, id: string, of: 'cost_usd' | 'latency_ms'): Promise<PairedDifference> {
  const [one, other] = [sql.ref<number>(`ours.${of}`), sql.ref<number>(`theirs.${of}`)];
  const { rows } = await sql<Record<'pairs' | 'one' | 'other' | 'squares', number | null>>`
    select count(*) as pairs, sum(${one}) as one, sum(${other}) as other,
      sum((${other} - ${one}) * (${other} - ${one})) as squares
    from shadow_pairs
    inner join debates as a on a.id = shadow_pairs.case_id
    inner join listing as ours on ours.opened_at = a.opened_at and ours.id = a.id
    inner join debates as b on b.id = shadow_pairs.shadow_case
    inner join listing as theirs on theirs.opened_at = b.opened_at and theirs.id = b.id
    where shadow_pairs.shadow = ${id} and ${one} is not null and ${other} is not null`.execute(db);
  const pairs = Number(rows[0]!.pairs);
  const mean = (sum: number | null) => (pairs === 0 ? 0 : Number(sum) / pairs);
  const [inForce, candidate] = [mean(rows[0]!.one), mean(rows[0]!.other)];
  const difference = candidate - inForce;
  const variance = pairs < 2 ? 0 : (Number(rows[0]!.squares) - pairs * difference ** 2) / (pairs - 1);
  return { pairs, inForce, candidate, difference, deviation: Math.sqrt(Math.max(0, variance)) };
}

async function countDecided(db: Db, id: string): Promise<ShadowComparison['decided']> {
  const rows = await selectPairs(db, id)
    .innerJoin('decisions', 'decisions.case_id', 'shadow_pairs.case_id')
    .select(['decisions.case_id', 'decisions.label', 'ours.label as ours', 'theirs.label as theirs'])
    .orderBy('decisions.decided_at')
    .orderBy('decisions.position')
    .execute();
  const last = [...new Map(rows.map((row) => [row.case_id, row])).values()];
  return {
    cases: last.length,
    inForce: last.filter(({ label, ours }) => label === ours).length,
    candidate: last.filter(({ label, theirs }) => label === theirs).length,
  };
}

function readShadow(row: Selectable<Tables['shadows']>): ShadowRow {
  const { version, candidate, created_by, started_at, ended_at, spent_usd, ...rest } = row;
  return {
    ...rest,
    candidate: candidateSchema.parse(fromStored('shadow', version, candidate)),
    createdBy: created_by,
    startedAt: new Date(started_at),
    endedAt: readMoment(ended_at),
    spentUsd: spent_usd,
  };
}
