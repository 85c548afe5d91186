import { AgonError } from '../../errors.ts';
import { runOnRecord } from '../../runs/index.ts';
import { formatCount } from '../terminal/format.ts';
import { exitCodes } from '../print-error.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { printLines } from '../terminal/style.ts';

export interface RunsCancelFlags extends LedgerFlags {
  json?: boolean;
}

/** `agon runs cancel RUN`: nothing more of it is taken, what is being judged is dropped; a resume goes on with it. */
export function runsCancelCommand(words: string, flags: RunsCancelFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const run = await runOnRecord(ledger, words);
    if (run.state === 'finished')
      throw new AgonError(
        'finished-run',
        `Run ${run.id} is finished: nothing is left to cancel.`,
        `Look at it with agon runs show ${run.id}.`,
      );
    await ledger.runs.endRun(run.id, 'cancelled');
    const waiting = await ledger.runs.cancelRun(run.id);
    if (flags.json) printLines([JSON.stringify({ version: 1, run: run.id, state: 'cancelled', waiting })]);
    else
      printLines([
        `Cancelled ${run.id}: ${formatCount(waiting, 'item')} will not be judged. What has a verdict stays; agon runs ` +
          `resume ${run.id} goes on with the rest.`,
      ]);
    return exitCodes.judged;
  });
}
