import { runOnRecord } from '../../runs/index.ts';
import { formatCount } from '../terminal/format.ts';
import { exitCodes } from '../print-error.ts';
import type { ResumeFlags } from '../run-flags.ts';
import { withLedger } from '../open-ledger.ts';
import { resumeCommand } from './run-resume.ts';

/** `agon runs retry-failed RUN`: its failed items wait again, and it goes on like a resume. */
export async function runsRetryFailedCommand(words: string, flags: ResumeFlags): Promise<number> {
  const { id, retried } = await withLedger({ config: flags.config, ledger: flags.ledger }, async (ledger) => {
    const run = await runOnRecord(ledger, words);
    return { id: run.id, retried: await ledger.runs.retryFailedItems(run.id) };
  });
  if (!flags.quiet)
    process.stderr.write(
      retried === 0
        ? `Run ${id} has no failed item that could be tried again.\n`
        : `${formatCount(retried, 'failed item')} of ${id} will be tried again.\n`,
    );
  return retried === 0 ? exitCodes.judged : resumeCommand(id, flags);
}
