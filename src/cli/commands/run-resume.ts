import { openLines } from '../../items/index.ts';
import type { OwnJobId as Job } from '../../jobs/index.ts';
import path from 'node:path';
import { AgonError } from '../../errors.ts';
import type { Ledger, RunRow } from '../../ledger/index.ts';
import { itemsFrom, planOf, readingOf, runOnRecord } from '../../runs/index.ts';
import { mergeSettings } from '../../settings/index.ts';
import { carryOutRun, openOutput } from '../runs/conduct-run.ts';
import type { ResumeFlags } from '../run-flags.ts';
import { waitForServer, withLedger } from '../open-ledger.ts';
import { quoteRunName } from '../runs/run-summary.ts';
import { readInstallationSettings, readSpending } from '../settings-flags.ts';
import { limitHeapGrowth } from '../process.ts';

/** `agon runs resume RUN`: goes on where it stopped. Returns the exit code. */
export async function resumeCommand(words: string, flags: ResumeFlags): Promise<number> {
  limitHeapGrowth();
  const spending = readSpending(flags);
  const own = await readInstallationSettings({ config: flags.config, ledger: flags.ledger });
  return withLedger({ config: flags.config, ledger: flags.ledger }, async (opened) => {
    const ledger = waitForServer(opened);
    const run = await runOnRecord(ledger, words);
    const plan = planOf(run);
    await assertLeft(ledger, run, flags);
    const input = await inputOf(run, flags);
    const output = await openOutput(flags, true);
    try {
      await ledger.runs.changePlan(run.id, { ...plan, settings: mergeSettings(plan.settings, spending) });
      if (run.state !== 'running') await ledger.runs.reopenRun(run.id);
      const items = input === null ? null : itemsFrom(ledger, run.job as Job, input, readingOf(plan.reading));
      return await carryOutRun(flags, {
        ledger,
        run: (await ledger.runs.findRun(run.id))!,
        own,
        items,
        output,
        ledgerFlag: flags.ledger,
      });
    } finally {
      await output?.close();
    }
  });
}

/** A finished run has nothing left, unless failed items were put back. */
async function assertLeft(ledger: Ledger, run: RunRow, { out }: ResumeFlags): Promise<void> {
  if (run.state !== 'finished') return;
  const { waiting, running } = await ledger.runs.countItems(run.id);
  if (waiting + running > 0) return;
  const word = quoteRunName(run);
  throw new AgonError(
    'finished-run',
    `The run ${run.name ?? run.id} is finished: nothing is left to judge.`,
    `Its results: agon runs export ${word} --out ${out ?? 'results.jsonl'}; failed items wait again after agon ` +
      `runs retry-failed ${word}.`,
  );
}

/** Where the rest of the items is; null when the ledger has all of them. */
async function inputOf(run: RunRow, { file }: ResumeFlags): Promise<string | null> {
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
      'Standard input was not read to its end, and is gone.',
      `Pipe all of it again: agon runs resume ${word} --file -.`,
    );
  await openLines(run.input).then(
    (input) => input.destroy(),
    (error: unknown) => {
      if (!AgonError.is(error)) throw error;
      throw new AgonError(
        'missing-input',
        `The input was not read to its end, and ${run.input} cannot be read any more.`,
        `Say where it is now: agon runs resume ${word} --file FILE.`,
        { cause: error },
      );
    },
  );
  return run.input;
}
