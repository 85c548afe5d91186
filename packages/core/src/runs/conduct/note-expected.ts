import path from 'node:path';
import type { Jobs } from '@agonhq/judges/job';
import type { Ledger, RunRow } from '@agonhq/ledger';
import type { EndedItem } from './run-meter.ts';

/**
 * Puts the label that an item came with on record beside its verdict: what can be learnt from, and what a cascade is
 * fitted on.
 */
export async function noteExpected(
  jobs: Jobs,
  ledger: Ledger,
  { job, input }: Pick<RunRow, 'job' | 'input'>,
  { item, outcome }: EndedItem,
): Promise<void> {
  const { expected } = item;
  if (!jobs.require(job).usesPolicy || !('result' in outcome) || (expected !== 'safe' && expected !== 'unsafe')) return;
  await ledger.decisions.recordDecision({
    case: outcome.result.case,
    label: expected,
    by: `dataset:${nameDataset(input ?? '-')}`,
  });
}

/** What a data set is called on record: its file, without folder and extension. */
export function nameDataset(file: string): string {
  return file === '-' ? 'standard-input' : path.parse(file).name;
}
