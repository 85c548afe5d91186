import { hash, randomBytes } from 'node:crypto';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Database, Kind, Trx } from '../database/database.ts';
import { gatherWrites } from '../database/gather-writes.ts';
import { makeDays } from '../postgres/partitions.ts';
import { addLeaves, makeLeaf } from '../records/leaves.ts';
import type { UnrecordedCase } from '../cases/cases.ts';
import { mayBeDrawn } from '../reviews/queue-rules.ts';
import { readPlacingQueues } from '../reviews/place-case.ts';
import { hashRow } from './hash-row.ts';
import { rowMaker, type CompactCase } from './make-row.ts';
import { findPresent, insertRows } from './write-rows.ts';

/** Rows of one transaction. */
const atMost = 1_000;
/** After which cases are written as cases. */
const mostAttempts = 4;
/** While one batch is on its way to the disk, the next is put together. */
const atOnce = 2;

/** Puts cases on record as one row each; false where one does not fit, or a case of its id is there already. */
export function decidedKeeper(database: Database): (decided: UnrecordedCase) => Promise<boolean> {
  const makeRow = rowMaker(database);
  const keep = gatherWrites((cases: readonly CompactCase[]) => keepBatch(database, cases), {
    atMost,
    atOnce: database.kind === 'sqlite' ? 1 : atOnce,
  });
  return async (decided) => {
    const compact = await makeRow(decided);
    return compact !== null && keep(compact);
  };
}

async function keepBatch({ db, kind, write }: Database, cases: readonly CompactCase[]): Promise<boolean[]> {
  if (kind === 'postgresql') await makeDays(db);
  const kept = await insist(() => write((trx) => keepCases(trx, kind, cases)));
  return cases.map((compact) => kept?.has(compact) ?? false);
}

/**
 * Tries again where somebody else wrote one of the cases at the same moment: by then it is there to be found. Null when
 * somebody is in the way each time.
 */
export async function insist<Kept>(keep: () => Promise<Kept>): Promise<Kept | null> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1)
    try {
      return await keep();
    } catch (error) {
      if (!isInTheWay(error)) throw error;
    }
  return null;
}

const isInTheWay = (error: unknown): boolean =>
  AgonError.is(error) && (error.code === 'ledger-constraint' || error.code === 'ledger-conflict');

/** Says which of them are on record now. The days must be there. */
export async function keepCases(
  trx: Trx,
  kind: Kind,
  cases: readonly CompactCase[],
): Promise<ReadonlySet<CompactCase>> {
  const queues = await readPlacingQueues(trx);
  const ids = cases.map(({ listed }) => listed.id);
  const there = await findPresent(trx, kind, ids);
  // What a quality sample draws waits for somebody. Of a case that comes twice at once the first stands for the other.
  const absent = cases.filter(({ listed: { id } }) => !mayBeDrawn(queues, id) && !there.has(id) && there.add(id));
  if (absent.length === 0) return new Set();
  const opened_at = new Date().toISOString();
  const inserted = await insertRows(
    trx,
    kind,
    absent.map(({ listed }) => ({ ...listed, opened_at })),
  );
  const kept = absent.filter(({ listed }) => inserted.has(listed.id));
  const hashes = kept.map(({ listed, setup }) => hashRow({ ...listed, opened_at }, setup));
  await keepHashes(trx, kind, opened_at, hashes);
  return new Set(kept);
}

/** One leaf of the tree for all of them. */
async function keepHashes(trx: Trx, kind: Kind, opened_at: string, hashes: readonly Uint8Array[]): Promise<void> {
  if (hashes.length === 0) return;
  const all = Buffer.concat(hashes);
  const row = {
    id: `batch-${opened_at}-${randomBytes(4).toString('hex')}`,
    opened_at,
    size: hashes.length,
    root: hash('sha256', all, 'hex'),
    hashes: all,
  };
  await trx.insertInto('batches').values(row).execute();
  await addLeaves(trx, kind, [makeLeaf('batch', row)]);
}
