import { encodeHex } from '@agonhq/engine/container';
import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Db } from '../database/database.ts';
import type { RecordProblem } from '../records/audit-records.ts';
import type { Tables } from '../schema/tables.ts';
import { splitHashes } from './batches.ts';
import { hashCompact, selectCompact } from './read-compact.ts';

const atOnce = 20;

/** Compares cases that are a single row each with the hashes of their batches, some batches at a time. */
export async function* findBatchProblems(db: Db): AsyncGenerator<RecordProblem> {
  for (let after = ''; ;) {
    const batches = await db
      .selectFrom('batches')
      .selectAll()
      .where('opened_at', '>', after)
      .orderBy('opened_at')
      .limit(atOnce)
      .execute();
    const last = batches.at(-1)?.opened_at;
    if (last === undefined) break;
    // Others of the last moment may be on the next page.
    const more = await db.selectFrom('batches').selectAll().where('opened_at', '=', last).execute();
    const all = [...new Map([...batches, ...more].map((batch) => [batch.id, batch])).values()];
    yield* checkMoments(db, all);
    after = last;
  }
  yield* checkMoments(db, null);
}

/** The rows of some batches against their hashes; or, given none, rows that have no batch at all. */
async function* checkMoments(
  db: Db,
  batches: readonly Selectable<Tables['batches']>[] | null,
): AsyncGenerator<RecordProblem> {
  const rows = await (
    batches === null
      ? selectCompact(db).where(({ not, exists, selectFrom }) =>
          not(
            exists(selectFrom('batches').select('batches.id').whereRef('batches.opened_at', '=', 'listing.opened_at')),
          ),
        )
      : selectCompact(db).where(
          'listing.opened_at',
          'in',
          batches.map(({ opened_at }) => opened_at),
        )
  ).execute();
  const present = new Map(rows.map((row) => [`${row.opened_at} ${encodeHex(hashCompact(row))}`, row]));
  for (const batch of batches ?? []) {
    if (hash('sha256', batch.hashes, 'hex') !== batch.root)
      yield tell('altered', batch.id, `The hashes of ${batch.id} are not as they were written.`);
    const missing = splitHashes(batch.hashes)
      .map((one) => encodeHex(one))
      .filter((one) => !present.delete(`${batch.opened_at} ${one}`));
    const gone = missing.length === 0 ? null : await findGone(db, batch.id);
    const lost = gone === null || gone.all ? [] : missing.filter((one) => !gone.rows.has(one));
    if (lost.length > 0)
      yield tell(
        'removed',
        batch.id,
        `${lost.length} of the ${batch.size} cases of ${batch.id} are gone or are not as they were ` +
          'written; nobody forgot them.',
      );
  }
  for (const { id } of present.values())
    yield tell('added', id, `The case ${id} is not as it was written, or was never written by Agon.`);
}

function tell(what: RecordProblem['what'], record: string, message: string): RecordProblem {
  return { what, kind: 'batch', record, message };
}

/** The rows of a batch that were unfolded, or whether all that was left of it was removed. */
async function findGone(db: Db, batch: string): Promise<{ all: boolean; rows: ReadonlySet<string> }> {
  const leaves = await db
    .selectFrom('record_leaves')
    .select(['kind', 'part'])
    .where('record', '=', batch)
    .where('kind', 'in', ['row-unfolded', 'rows-removed'])
    .execute();
  return {
    all: leaves.some(({ kind }) => kind === 'rows-removed'),
    rows: new Set(leaves.map(({ part }) => part)),
  };
}
