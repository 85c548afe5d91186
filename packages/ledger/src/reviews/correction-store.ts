import type { Insertable, Selectable } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { JobCorrection } from '@agonhq/engine/debate';
import { unknownCase } from '../cases/case-store.ts';
import { unfoldCases } from '../compact/unfold-case.ts';
import type { Database, Kind, Trx } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { readAll } from '../database/pages.ts';
import { fromStored, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { addLeaves, makeLeaf } from '../records/leaves.ts';
import { makeOnce } from '../server/make-once.ts';
import type { Tables } from '../schema/tables.ts';

export type NewCorrection = Omit<JobCorrection, 'id' | 'at' | 'withdrawn'> & { at?: Date };

export interface CorrectionFilter {
  case?: string;
  job?: string;
  /** Only the one that stands for each claim: the last that nobody withdrew. */
  standing?: boolean;
}

export interface CorrectionStore {
  /** The same by the same person, while it stands, is recorded once. */
  recordCorrection(correction: NewCorrection, once?: KeyedRequest): Promise<JobCorrection>;
  /** In the order they were made. */
  listCorrections(filter?: CorrectionFilter): Promise<readonly JobCorrection[]>;
  findCorrection(id: string): Promise<JobCorrection | undefined>;
  /** It stays on record, and no longer counts. One that was withdrawn stays as it is. */
  withdrawCorrection(id: string, withdrawn: { by: string; why: string | null }): Promise<JobCorrection>;
}

export function correctionStore({ db, kind, write }: Database): CorrectionStore {
  return {
    recordCorrection: (correction, once) =>
      write(async (trx) => {
        const id = await makeOnce(trx, kind, once, () => recordCorrection(trx, kind, correction));
        return readCorrection(
          await trx.selectFrom('corrections').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        );
      }),
    async listCorrections({ case: caseId, job, standing = false } = {}) {
      let query = db
        .selectFrom('corrections')
        .innerJoin('debates', 'debates.id', 'corrections.case_id')
        .selectAll('corrections');
      if (caseId !== undefined) query = query.where('case_id', '=', caseId);
      if (job !== undefined) query = query.where('debates.job', '=', job);
      const rows: Selectable<Tables['corrections']>[] = [];
      for await (const row of readAll(query, ['corrections.position'])) rows.push(row);
      const all = rows.toSorted((a, b) => compareMoments(a, b)).map(readCorrection);
      return standing ? pickStanding(all) : all;
    },
    async findCorrection(id) {
      const row = await db.selectFrom('corrections').selectAll().where('id', '=', id).executeTakeFirst();
      return row && readCorrection(row);
    },
    withdrawCorrection: (id, { by, why }) =>
      write(async (trx) => {
        const withdrawn = await trx
          .updateTable('corrections')
          .set({
            withdrawn_at: new Date().toISOString(),
            withdrawn_by: toStorable(by),
            withdrawn_why: toStorable(why),
          })
          .where('id', '=', id)
          .where('withdrawn_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
        if (withdrawn) await addLeaves(trx, kind, [makeLeaf('correction', withdrawn)]);
        const row = await trx.selectFrom('corrections').selectAll().where('id', '=', id).executeTakeFirst();
        if (!row) throw unknownCorrection(id);
        return readCorrection(row);
      }),
  };
}

function compareMoments(one: Selectable<Tables['corrections']>, other: Selectable<Tables['corrections']>): number {
  if (one.decided_at !== other.decided_at) return one.decided_at < other.decided_at ? -1 : 1;
  return one.position - other.position;
}

/** A later word on the same claim takes the place of an earlier one. */
function pickStanding(all: readonly JobCorrection[]): JobCorrection[] {
  const last = new Map<string, JobCorrection>();
  for (const correction of all)
    if (correction.withdrawn === null) last.set(JSON.stringify([correction.case, correction.claim]), correction);
  return all.filter((correction) => last.get(JSON.stringify([correction.case, correction.claim])) === correction);
}

async function recordCorrection(trx: Trx, kind: Kind, correction: NewCorrection): Promise<string> {
  await unfoldCases(trx, kind, [correction.case]);
  const debate = await trx
    .selectFrom('debates')
    .select('id')
    .where('id', '=', correction.case)
    .where('forgotten_at', 'is', null)
    .$if(kind === 'postgresql', (query) => query.forUpdate())
    .executeTakeFirst();
  if (!debate) throw unknownCase(correction.case);
  const row = makeCorrectionRow(correction);
  const earlier = await trx
    .selectFrom('corrections')
    .selectAll()
    .where('case_id', '=', correction.case)
    .where('claim', '=', row.claim)
    .where('withdrawn_at', 'is', null)
    .execute();
  const last = earlier.toSorted(compareMoments).at(-1);
  if (last && last.label === row.label && last.why === row.why && last.decided_by === row.decided_by) return last.id;
  const { case_id, claim, label, why, decided_by, decided_at } = row;
  const id = `cor-${hashOf([case_id, claim, label, why, decided_by, decided_at]).slice(7, 23)}`;
  const own = { ...row, id };
  if (await insertNew(trx.insertInto('corrections').values(own)))
    await addLeaves(trx, kind, [makeLeaf('correction', own)]);
  return id;
}

/** A new one, without its id, which is made of the rest. */
function makeCorrectionRow(correction: NewCorrection): Omit<Insertable<Tables['corrections']>, 'id'> {
  const { case: case_id, claim, text, verdict, label, why, by, at = new Date(), matter } = correction;
  return {
    version: storedVersion,
    case_id,
    claim: toStorable(claim),
    text: toStorable(text),
    verdict,
    label,
    why: toStorable(why),
    decided_by: toStorable(by),
    decided_at: at.toISOString(),
    withdrawn_at: null,
    withdrawn_by: null,
    withdrawn_why: null,
    matter: toStored(matter),
  };
}

export function readCorrection(row: Selectable<Tables['corrections']>): JobCorrection {
  const { id, version, case_id, claim, text, verdict, label, why, decided_by, decided_at, matter } = row;
  return {
    id,
    case: case_id,
    claim,
    text,
    verdict,
    label,
    why,
    by: decided_by,
    at: new Date(decided_at),
    withdrawn:
      row.withdrawn_at === null
        ? null
        : { by: row.withdrawn_by!, why: row.withdrawn_why, at: new Date(row.withdrawn_at) },
    matter: fromStored('correction', version, matter),
  };
}

function unknownCorrection(id: string): AgonError {
  return new AgonError('unknown-correction', `There is no correction ${id}.`, {
    library: 'List the corrections, or open another ledger.',
    cli: '`agon corrections list` lists them; --ledger FILE names another ledger.',
    api: 'GET /api/corrections lists them.',
  });
}
