import type { Insertable, Selectable } from 'kysely';
import type { FindingEdit } from '@agonhq/engine/debate';
import { unknownCase } from '../cases/case-store.ts';
import { unfoldCases } from '../compact/unfold-case.ts';
import type { Database } from '../database/database.ts';
import { putRow } from '../database/fixed-query.ts';
import { toStorable } from '../database/stored-json.ts';
import { addLeaves, makeLeaf, makeWithdrawnLeaf } from '../records/leaves.ts';
import type { Tables } from '../schema/tables.ts';

export interface FindingEdits {
  /** The last word on a finding stands; one that says nothing takes it away. */
  editFinding(edit: FindingEdit): Promise<void>;
  /** By the ids of the findings. */
  listEdits(caseId: string): Promise<readonly FindingEdit[]>;
}

export function findingEditStore({ db, kind, write }: Database): FindingEdits {
  return {
    editFinding: (edit) =>
      write(async (trx) => {
        await unfoldCases(trx, kind, [edit.case]);
        const debate = await trx
          .selectFrom('debates')
          .select('id')
          .where('id', '=', edit.case)
          .where('forgotten_at', 'is', null)
          .$if(kind === 'postgresql', (query) => query.forUpdate())
          .executeTakeFirst();
        if (!debate) throw unknownCase(edit.case);
        const row = makeEditRow(edit);
        if (edit.wording === null && edit.note === null && !edit.leftOut) {
          const { numDeletedRows } = await trx
            .deleteFrom('finding_edits')
            .where('case_id', '=', row.case_id)
            .where('finding', '=', row.finding)
            .executeTakeFirstOrThrow();
          if (numDeletedRows > 0n) await addLeaves(trx, kind, [makeWithdrawnLeaf('finding-edit', row)]);
          return;
        }
        const { case_id, finding, ...made } = row;
        await putRow(trx, 'finding_edits', { case_id, finding }, made);
        await addLeaves(trx, kind, [makeLeaf('finding-edit', row)]);
      }),
    async listEdits(caseId) {
      const rows = await db
        .selectFrom('finding_edits')
        .selectAll()
        .where('case_id', '=', caseId)
        .orderBy('finding')
        .execute();
      return rows.map(readEdit);
    },
  };
}

function makeEditRow(edit: FindingEdit): Insertable<Tables['finding_edits']> {
  return {
    case_id: edit.case,
    finding: toStorable(edit.finding),
    wording: toStorable(edit.wording),
    note: toStorable(edit.note),
    left_out: edit.leftOut ? 1 : 0,
    edited_by: toStorable(edit.by),
    edited_at: edit.at.toISOString(),
  };
}

export function readEdit(row: Selectable<Tables['finding_edits']>): FindingEdit {
  return {
    case: row.case_id,
    finding: row.finding,
    wording: row.wording,
    note: row.note,
    leftOut: row.left_out === 1,
    by: row.edited_by,
    at: new Date(row.edited_at),
  };
}
