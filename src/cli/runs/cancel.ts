import type { Command } from 'commander';
import { AgonError } from '../../errors.ts';
import { addExamples, setLedgerAction } from '../define-command.ts';
import { addLedgerFlags, runArgument } from '../flags.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { formatCount } from '../terminal/format.ts';
import { printLines } from '../terminal/style.ts';

/** `agon runs cancel RUN` */
export function defineRunsCancel(command: Command): void {
  command
    .description(
      'Stop a run wherever it runs. Waiting items leave the queue, items in progress are dropped. Verdicts stay, and ' +
        '`agon runs resume` continues with the rest.',
    )
    .argument('<run>', runArgument)
    .option('--json', 'print the outcome as JSON');
  addLedgerFlags(command);
  addExamples(command, ['agon runs cancel nightly', 'agon runs cancel run-1f3a --json']);
  setLedgerAction(command, cancelRun);
}

async function cancelRun({ ledger }: OpenLedger, name: string, flags: LedgerFlags & { json?: boolean }): Promise<void> {
  const { requireRun } = await import('../../runs/index.ts');
  const run = await requireRun(ledger, name);
  if (run.state === 'finished')
    throw new AgonError(
      'finished-run',
      `Run ${run.id} is finished: there is nothing to cancel.`,
      `See its results with agon runs show ${run.id}.`,
    );
  await ledger.runs.endRun(run.id, 'cancelled');
  const waiting = await ledger.runs.cancelRun(run.id);
  printLines([
    flags.json
      ? JSON.stringify({ version: 1, run: run.id, state: 'cancelled', waiting })
      : `Cancelled ${run.id}. ${formatCount(waiting, 'item')} will not be judged; verdicts stay. ` +
        `To continue: agon runs resume ${run.id}`,
  ]);
}
