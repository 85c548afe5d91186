import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { addConductFlags, addLedgerFlags, runArgument } from '../flags.ts';
import { exitCodes } from '../print-error.ts';
import { addLimitFlags, addSpendingFlags } from '../settings-flags.ts';
import { formatCount } from '../terminal/format.ts';
import { resumeRun, type ResumeFlags } from './resume.ts';

/** `agon runs retry-failed RUN` */
export function define(command: Command): void {
  command
    .description(
      'Try the failed items of a run again, and continue it like `agon runs resume`. Unreadable lines stay failed.',
    )
    .argument('<run>', runArgument);
  addSpendingFlags(command, {
    item: 'from now on, spend at most this much per item',
    total: 'spend at most this much in total, including what is already spent',
  });
  addLedgerFlags(command);
  addConductFlags(command);
  addLimitFlags(command);
  addExamples(command, [
    'agon runs retry-failed nightly',
    'agon runs retry-failed nightly --out results.jsonl --concurrency 4',
  ]);
  setAction(command, retryFailed);
}

async function retryFailed(name: string, flags: ResumeFlags): Promise<number> {
  const { requireRun } = await import('../../runs/index.ts');
  const { withLedger } = await import('../open-ledger.ts');
  const { id, retried } = await withLedger({ config: flags.config, ledger: flags.ledger }, async (ledger) => {
    const run = await requireRun(ledger, name);
    return { id: run.id, retried: await ledger.runs.retryFailedItems(run.id) };
  });
  if (!flags.quiet)
    process.stderr.write(
      retried === 0
        ? `Run ${id} has no failed items to try again.\n`
        : `Trying ${formatCount(retried, 'failed item')} of ${id} again.\n`,
    );
  return retried === 0 ? exitCodes.judged : resumeRun(id, flags);
}
