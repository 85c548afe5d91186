import path from 'node:path';
import type { Command } from 'commander';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger, RunRow } from '@agonhq/ledger';
import {
  addExamples,
  setAction,
  setLedgerAction,
  addConductFlags,
  addLedgerFlags,
  addModuleFlag,
  runArgument,
} from '../define-command.ts';
import { exitCodes } from '../print-error.ts';
import { limitHeapGrowth } from '../process.ts';
import type { SettingsFlags, SpendingFlags } from '../read-settings.ts';
import { addLimitFlags, addSpendingFlags } from '../settings-flags.ts';
import { printCount } from '../terminal/format.ts';
import type { ConductFlags } from './conduct-run.ts';
import { quoteRunName } from './run-summary.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { printLines } from '../terminal/style.ts';

export interface ResumeFlags extends ConductFlags, SpendingFlags, Pick<SettingsFlags, 'config' | 'job' | 'ledger'> {
  file?: string;
}

/** `agon runs resume RUN` */
export function defineRunsResume(command: Command): void {
  command
    .description(
      'Continue a run that was stopped, was killed, or ran out of budget. Items with a verdict are not judged again; ' +
        'those that failed since no model could be reached are. The run keeps its configuration; providers and ' +
        'keys come from this machine.',
    )
    .argument('<run>', runArgument)
    .option(
      '--file <items>',
      'the whole input again, if not all of it was read and it has moved; - reads standard input',
    );
  addResumeFlags(command);
  addExamples(command, [
    'agon runs resume nightly',
    'agon runs resume nightly --run-budget-usd 50 --out results.jsonl',
    'cat items.jsonl | agon runs resume run-1f3a --file -',
  ]);
  setAction(command, resumeRun);
}

function addResumeFlags(command: Command): void {
  addSpendingFlags(command, {
    item: 'from now on, spend at most this much per item',
    total: 'spend at most this much in total, including what is already spent',
  });
  addLedgerFlags(addModuleFlag(command));
  addConductFlags(command);
  addLimitFlags(command);
}

export async function resumeRun(name: string, given: ResumeFlags): Promise<number> {
  const { openRunItems, readRunPlan, parseRunReading, requireRun } = await import('@agonhq/core/runs');
  const { mergeSettings } = await import('@agonhq/core/settings');
  const { waitForServer, withLedger } = await import('../open-ledger.ts');
  const { readSpending } = await import('../read-settings.ts');
  const { carryOutRun, openOutput } = await import('./conduct-run.ts');
  limitHeapGrowth();
  const spending = readSpending(given);
  return withLedger(
    { config: given.config, job: given.job, ledger: given.ledger },
    async (opened, { settings, jobs }) => {
      const ledger = waitForServer(opened);
      const run = await requireRun(ledger, name);
      const plan = readRunPlan(jobs, run);
      // Goes on in the file where the run began, unless results are to go elsewhere.
      const flags = { ...given, out: given.out ?? (given.json ? undefined : plan.out) };
      await ledger.runs.retryFailedItems(run.id, 'nobody-heard');
      await assertUnfinished(ledger, run, flags);
      const input = await locateInput(run, flags);
      const output = await openOutput(flags, true);
      try {
        await ledger.runs.changePlan(run.id, { ...plan, settings: mergeSettings(plan.settings, spending) });
        if (run.state !== 'running') await ledger.runs.reopenRun(run.id);
        const items =
          input === null ? null : openRunItems(ledger, jobs.require(run.job), input, parseRunReading(plan.reading));
        return await carryOutRun(flags, {
          ledger,
          run: (await ledger.runs.findRun(run.id))!,
          own: settings,
          jobs,
          items,
          output,
          ledgerFlag: flags.ledger,
        });
      } finally {
        await output?.close();
      }
    },
  );
}

/** A finished run has nothing left, unless failed items were queued again. */
async function assertUnfinished(ledger: Ledger, run: RunRow, { out }: ResumeFlags): Promise<void> {
  if (run.state !== 'finished') return;
  const { waiting, running } = await ledger.runs.countItems(run.id);
  if (waiting + running > 0) return;
  const word = quoteRunName(run);
  throw new AgonError(
    'finished-run',
    `Run ${run.name ?? run.id} is finished: there is nothing left to judge.`,
    `Get its results with agon runs export ${word} --out ${out ?? 'results.jsonl'}, or try failed items again with ` +
      `agon runs retry-failed ${word}.`,
  );
}

/** Where the remaining items are; null when the ledger has all of them. */
async function locateInput(run: RunRow, { file }: ResumeFlags): Promise<string | null> {
  const { openLines } = await import('@agonhq/engine/items');
  if (file !== undefined) {
    if (file === '-') return file;
    (await openLines(file)).destroy(); // Says why when it cannot be read.
    return path.resolve(file);
  }
  if (run.total !== null) return null;
  const word = quoteRunName(run);
  if (run.input === '-' || run.input === null)
    throw new AgonError(
      'missing-input',
      'The run read from standard input, which is gone before all of it was read.',
      `Pipe the whole input again: agon runs resume ${word} --file -`,
    );
  await openLines(run.input).then(
    (input) => input.destroy(),
    (error: unknown) => {
      if (!AgonError.is(error)) throw error;
      throw new AgonError(
        'missing-input',
        `Not all of the input was read, and ${run.input} can no longer be read.`,
        `Name the file: agon runs resume ${word} --file FILE`,
        { cause: error },
      );
    },
  );
  return run.input;
}

/** `agon runs retry-failed RUN` */
export function defineRunsRetryFailed(command: Command): void {
  command
    .description(
      'Try the failed items of a run again, and continue it like `agon runs resume`. Unreadable lines stay failed.',
    )
    .argument('<run>', runArgument);
  addResumeFlags(command);
  addExamples(command, [
    'agon runs retry-failed nightly',
    'agon runs retry-failed nightly --out results.jsonl --concurrency 4',
  ]);
  setAction(command, retryFailed);
}

async function retryFailed(name: string, flags: ResumeFlags): Promise<number> {
  const { requireRun } = await import('@agonhq/core/runs');
  const { withLedger } = await import('../open-ledger.ts');
  const { id, retried } = await withLedger({ config: flags.config, ledger: flags.ledger }, async (ledger) => {
    const run = await requireRun(ledger, name);
    return { id: run.id, retried: await ledger.runs.retryFailedItems(run.id) };
  });
  if (!flags.quiet)
    process.stderr.write(
      retried === 0
        ? `Run ${id} has no failed items to try again.\n`
        : `Trying ${printCount(retried, 'failed item')} of ${id} again.\n`,
    );
  return retried === 0 ? exitCodes.judged : resumeRun(id, flags);
}

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
  const { requireRun } = await import('@agonhq/core/runs');
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
      : `Cancelled ${run.id}. ${printCount(waiting, 'item')} will not be judged; verdicts stay. ` +
        `To continue: agon runs resume ${run.id}`,
  ]);
}
