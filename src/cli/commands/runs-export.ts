import { once } from 'node:events';
import { exportLines, runOnRecord, saveLines } from '../../runs/index.ts';
import { formatCount } from '../terminal/format.ts';
import { listenForInterrupt } from '../process.ts';
import { exitCodes } from '../print-error.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { sanitize } from '../terminal/style.ts';

export interface RunsExportFlags extends LedgerFlags {
  out?: string;
  order: 'input' | 'as-done';
  format?: 'jsonl' | 'csv';
  only?: 'done' | 'failed';
}

/** `agon runs export RUN`: its results, one line each, however many there are. */
export function runsExportCommand(words: string, flags: RunsExportFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const { id } = await runOnRecord(ledger, words);
    const format = flags.format ?? (flags.out?.endsWith('.csv') ? 'csv' : 'jsonl');
    const lines = exportLines(ledger, id, { order: flags.order, only: flags.only, format });
    const interrupt = listenForInterrupt();
    try {
      if (flags.out === undefined) {
        for await (const line of lines) {
          if (interrupt.signal.aborted) return exitCodes.stopped;
          if (!process.stdout.write(line)) await drained(interrupt.signal);
        }
      } else {
        const written = await saveLines(flags.out, lines, { signal: interrupt.signal });
        process.stderr.write(
          `${formatCount(format === 'csv' ? written - 1 : written, 'result')} in ${sanitize(flags.out)}\n`,
        );
      }
    } finally {
      interrupt.dispose();
    }
    return exitCodes.judged;
  });
}

/** Until the reader has taken what was written, or nobody waits any more. */
async function drained(signal: AbortSignal): Promise<void> {
  await once(process.stdout, 'drain', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
