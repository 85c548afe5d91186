import { AgonError } from '../../errors.ts';
import type { Ledger, RunRow } from '../../ledger/index.ts';
import { findRun } from '../../runs/index.ts';

export async function findRunById(id: string, { runs }: Pick<Ledger, 'runs'>): Promise<RunRow> {
  return (await runs.findRun(id)) ?? unknownRun(id);
}

/** The run that these words name: its id, its name, or how its id begins. */
export async function findRunByName(words: string, ledger: Ledger): Promise<RunRow> {
  return (await findRun(ledger, words)) ?? unknownRun(words);
}

/** Where the ledger lies is not for those who ask over HTTP. */
function unknownRun(words: string): never {
  throw new AgonError('unknown-run', `There is no run ${words}.`, 'GET /api/runs lists them.');
}
