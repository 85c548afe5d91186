import { insist, keepCases } from '../compact/keep-decided.ts';
import { rowMaker, type CompactCase } from '../compact/make-row.ts';
import type { Database, Trx } from '../database/database.ts';
import { gatherWrites } from '../database/gather-writes.ts';
import { makeDays } from '../postgres/partitions.ts';
import type { ItemResult } from './runs.ts';
import type { ItemQueue, TakenItem } from './workers.ts';

export interface Finished {
  item: TakenItem;
  result: ItemResult;
}

type Decided = Finished & { compact: CompactCase };

/** Items of one transaction. */
const atMost = 1_000;
/** While one batch is on its way to the disk, the next is put together. */
const atOnce = 2;

/**
 * Items and their cases, which are one row each, many in one transaction: whatever happens, both are there or neither.
 * `finish` lets results stand and says of each whether it does.
 */
export function decidedFinisher(
  database: Database,
  finish: (trx: Trx, finished: readonly Finished[]) => Promise<readonly boolean[]>,
): ItemQueue['finishDecided'] {
  const { db, kind, write } = database;
  const makeRow = rowMaker(database);

  async function finishAll(decided: readonly Decided[]): Promise<(boolean | null)[]> {
    if (kind === 'postgresql') await makeDays(db);
    const outcomes = await insist(() => write((trx) => finishBatch(trx, decided)));
    // One by one they find what is in their way.
    return outcomes ?? decided.map(() => null);
  }

  async function finishBatch(trx: Trx, decided: readonly Decided[]): Promise<(boolean | null)[]> {
    const cases = await keepCases(
      trx,
      kind,
      decided.map(({ compact }) => compact),
    );
    const kept = decided.filter(({ compact }) => cases.has(compact));
    const stands = await finish(trx, kept);
    const outcomes = new Map(kept.map((one, index) => [one, stands[index]!]));
    return decided.map((one) => outcomes.get(one) ?? null);
  }

  const gather = gatherWrites(finishAll, { atMost, atOnce: kind === 'sqlite' ? 1 : atOnce });
  return async (item, result, decided) => {
    const compact = await makeRow(decided);
    return compact && gather({ item, result, compact });
  };
}
