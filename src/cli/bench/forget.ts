import type { Command } from 'commander';
import { AgonError } from '../../errors.ts';
import { addExamples, setAction } from '../define-command.ts';
import { addLedgerFlag } from '../flags.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { formatCount } from '../terminal/format.ts';

/** `agon bench forget ID` */
export function define(command: Command): void {
  command
    .description('Delete a recorded bench with its judgements.')
    .argument('<bench>', 'id of the bench, or its beginning');
  addLedgerFlag(command);
  addExamples(command, ['agon bench forget 3f9a']);
  setAction(command, forgetBench);
}

async function forgetBench(id: string, flags: LedgerFlags): Promise<number> {
  const { withLedger } = await import('../open-ledger.ts');
  return withLedger(flags, async (ledger) => {
    const row = await ledger.benches.findBench(id);
    if (!row)
      throw new AgonError('unknown-bench', `There is no bench ${id} on record.`, 'List them with `agon bench list`.');
    await ledger.benches.removeBench(row.id);
    process.stderr.write(`Deleted bench ${row.id} with ${formatCount(row.judged, 'judgement')}.\n`);
    return exitCodes.judged;
  });
}
