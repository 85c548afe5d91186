import { diffRuns, runOnRecord, type Flip } from '../../runs/index.ts';
import { renderDifference } from '../runs/diff-lines.ts';
import { listenForInterrupt } from '../process.ts';
import { exitCodes } from '../print-error.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { printLines } from '../terminal/style.ts';

export interface RunsDiffFlags extends LedgerFlags {
  limit: number;
  json?: boolean;
}

/** `agon runs diff A B`: what came out otherwise. */
export function runsDiffCommand(before: string, after: string, flags: RunsDiffFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const interrupt = listenForInterrupt();
    try {
      const runs = [await runOnRecord(ledger, before), await runOnRecord(ledger, after)] as const;
      const flips: Flip[] = [];
      const differing = diffRuns(ledger, ...runs, {
        limit: flags.json ? Infinity : flags.limit,
        signal: interrupt.signal,
      });
      let next = await differing.next();
      for (; !next.done; next = await differing.next()) flips.push(next.value);
      printLines(
        flags.json ? [JSON.stringify({ ...next.value, flipped: flips })] : renderDifference(next.value, flips),
      );
      return exitCodes.judged;
    } finally {
      interrupt.dispose();
    }
  });
}
