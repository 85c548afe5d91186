import { requireJob, type OwnJobId as Job } from '../../jobs/index.ts';
import { AgonError } from '../../errors.ts';
import type { Ledger, NewRunItem } from '../../ledger/index.ts';
import { decides, estimateRun, openFirstTier, type Cascade, type GuardTrial } from '../../runs/index.ts';
import type { Settings } from '../../settings/index.ts';
import { renderEstimate } from '../runs/estimate-lines.ts';
import { listenForInterrupt } from '../process.ts';
import { exitCodes } from '../print-error.ts';
import type { RunFlags } from '../run-flags.ts';
import { printLines } from '../terminal/style.ts';

export interface RunToEstimate {
  job: Job;
  settings: Settings;
  evaluatedModel: string | null;
  items: (reading: { signal: AbortSignal }) => AsyncIterable<NewRunItem>;
  cascade: Cascade | null;
}

/** `agon run … --estimate`: prices the run and starts nothing. */
export async function estimateCommand(
  ledger: Ledger,
  flags: RunFlags,
  { items, cascade, ...run }: RunToEstimate,
): Promise<number> {
  const interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const shown = process.stderr.isTTY && !flags.json && !flags.quiet;
  const tier = cascade && (await openFirstTier(cascade, run.settings));
  try {
    const estimate = await estimateRun({
      ...run,
      ledger,
      signal,
      items: items({ signal }),
      concurrency: flags.concurrency,
      ...(typeof flags.estimate === 'number' ? { sample: flags.estimate } : {}),
      ...(tier
        ? {
            isDebated: async ({ input }: NewRunItem, stop: AbortSignal) =>
              isDebated(await subjectOf(run.job, input), stop),
          }
        : {}),
      onProgress: (tried, of) => void (shown && process.stderr.write(`\r\u001b[Ktrying a sample: ${tried} of ${of}`)),
    });
    if (shown) process.stderr.write('\r\u001b[K');
    printLines(flags.json ? [JSON.stringify(estimate)] : renderEstimate(estimate));
    return exitCodes.judged;
  } catch (error) {
    throw signal.aborted ? notStarted(error) : error;
  } finally {
    interrupt.dispose();
    await tier?.close();
  }

  async function isDebated(subject: Parameters<GuardTrial['judge']>[0], stop: AbortSignal): Promise<boolean> {
    try {
      return decides(cascade!, await tier!.judge(subject, stop)) === null;
    } catch (error) {
      // What cannot be judged at all is counted where the sample is heard.
      if (!AgonError.is(error) || stop.aborted) throw error;
      return true;
    }
  }
}

/** What a Ctrl-C ended before there was a run. */
export function notStarted(cause: unknown): AgonError {
  return new AgonError(
    'cancelled',
    'It was stopped before the run began.',
    'Nothing was judged; run the same command again.',
    { cause },
  );
}

/** Only files that lie on this machine: nothing was kept for others. */
async function subjectOf(job: Job, input: unknown) {
  const files = { find: async () => undefined, local: true };
  return (await requireJob(job).items.openItem(input, files, { evaluatedModel: null })).input;
}
