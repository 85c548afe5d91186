import { reportOn, runOnRecord } from '../../runs/index.ts';
import { exitCodes } from '../print-error.ts';
import { renderRun } from '../runs/show-run.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { printLines } from '../terminal/style.ts';

export interface RunsShowFlags extends LedgerFlags {
  json?: boolean;
}

/** `agon runs show RUN`: where it stands, what it is judged by, what came of it. */
export function runsShowCommand(words: string, flags: RunsShowFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const report = await reportOn(ledger, await runOnRecord(ledger, words));
    printLines(flags.json ? [JSON.stringify(report)] : renderRun(report));
    return exitCodes.judged;
  });
}
