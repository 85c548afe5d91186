import type { Database } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { toStorable } from '../database/stored-json.ts';

export interface ReviewLease {
  by: string;
  until: Date;
}

/**
 * Who looks at which case now, so that two do not do the same work. A hold is a courtesy: decisions stand without it.
 */
export interface LeaseStore {
  /** Takes a case until then, or holds it on; else says who has it. */
  takeLease(caseId: string, lease: ReviewLease, now: Date): Promise<ReviewLease | null>;
  /** Puts it back, if it is theirs. */
  releaseLease(caseId: string, by: string, now: Date): Promise<void>;
  /** Which of these cases others than `by` have now. */
  findLeases(caseIds: readonly string[], by: string, now: Date): Promise<ReadonlyMap<string, ReviewLease>>;
}

export function leaseStore({ kind, db, write }: Database): LeaseStore {
  async function findLeases(caseIds: readonly string[], by: string, now: Date): Promise<Map<string, ReviewLease>> {
    if (caseIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('review_leases')
      .selectAll()
      .where(oneOf(kind, 'case_id', caseIds))
      .where('until', '>', now.getTime())
      .where('reviewer', '<>', toStorable(by))
      .execute();
    return new Map(rows.map(({ case_id, reviewer, until }) => [case_id, { by: reviewer, until: new Date(until) }]));
  }

  return {
    findLeases,
    async takeLease(caseId, { by, until }, now) {
      const row = { reviewer: toStorable(by), until: until.getTime() };
      const taken = await write((trx) =>
        trx
          .insertInto('review_leases')
          .values({ case_id: caseId, ...row })
          .onConflict((conflict) =>
            conflict
              .column('case_id')
              .doUpdateSet(row)
              .where(({ or, eb }) =>
                or([eb('review_leases.reviewer', '=', row.reviewer), eb('review_leases.until', '<=', now.getTime())]),
              ),
          )
          .returning('case_id')
          .executeTakeFirst(),
      );
      return taken ? null : ((await findLeases([caseId], by, now)).get(caseId) ?? null);
    },
    async releaseLease(caseId, by, now) {
      await write((trx) =>
        trx
          .deleteFrom('review_leases')
          .where(({ or, and, eb }) =>
            or([
              and([eb('case_id', '=', caseId), eb('reviewer', '=', toStorable(by))]),
              eb('until', '<', now.getTime()),
            ]),
          )
          .execute(),
      );
    },
  };
}
