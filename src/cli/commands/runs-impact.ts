import type { Ledger } from '../../ledger/index.ts';
import { noUsage, type Usage } from '../../debate/index.ts';
import { AgonError, reviveError, type StoredError } from '../../errors.ts';
import { loadPolicy } from '../../policy/index.ts';
import { impactOf, openLineFile, runOnRecord, type PastCases } from '../../runs/index.ts';
import { renderImpact } from '../runs/impact-lines.ts';
import { listenForInterrupt } from '../process.ts';
import { readPastMoment } from '../read-flags.ts';
import { formatError, exitCodeOf, exitCodes, printError } from '../print-error.ts';
import { openProgressLine } from '../terminal/progress-line.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { printLines } from '../terminal/style.ts';

export interface RunsImpactFlags extends LedgerFlags {
  policy: string;
  run?: string;
  since?: string;
  job?: 'moderation' | 'evaluation';
  limit?: number;
  sample?: number;
  seed: number;
  concurrency: number;
  out?: string;
  json?: boolean;
  quiet?: boolean;
}

/** `agon runs impact --policy new.yaml`: what a policy would have changed. Returns the exit code. */
export async function runsImpactCommand(flags: RunsImpactFlags): Promise<number> {
  if (flags.run !== undefined && (flags.since !== undefined || flags.job !== undefined)) {
    throw new AgonError(
      'bad-flag',
      '--run was given, and --since or --job too.',
      'A run has its own items and job: give one or the other.',
    );
  }
  const policy = await loadPolicy(flags.policy);
  return withLedger(flags, async (ledger, settings) => {
    const cases = await casesFrom(ledger, flags);
    const out = flags.out === undefined ? null : await openLineFile(flags.out);
    const interrupt = listenForInterrupt();
    let spent: Usage = noUsage;
    const line = openProgressLine({ quiet: flags.quiet === true, spent: () => spent });
    try {
      const report = await impactOf(ledger, {
        policy,
        cases,
        settings,
        concurrency: flags.concurrency,
        signal: interrupt.signal,
        onProgress: (progress, usage) => {
          spent = usage;
          line.show(progress);
        },
        onChange: (change) => out?.write(`${JSON.stringify(change)}\n`),
        onFailure: (id, error) => line.note(`case ${id}: ${formatError(reviveError(error))}`),
      });
      line.stop();
      await out?.keep();
      printLines(flags.json ? [JSON.stringify(report)] : renderImpact(report));
      if (!report.stopped) return Object.keys(report.failed).length > 0 ? exitCodes.failed : exitCodes.judged;
      const stopped = reviveError({ ...report.stopped, hint: againHint(report.stopped) });
      printError(stopped);
      return exitCodeOf(stopped);
    } catch (error) {
      line.stop();
      await out?.drop();
      throw error;
    } finally {
      interrupt.dispose();
    }
  });
}

function againHint({ code, hint }: StoredError): string {
  return code === 'cancelled'
    ? 'This is what it has found so far; run it again to go on: what was argued is recalled.'
    : hint;
}

async function casesFrom(
  ledger: Ledger,
  { run, since, job, limit, sample, seed }: RunsImpactFlags,
): Promise<PastCases> {
  if (run === undefined)
    return { limit, sample, seed, job, ...(since === undefined ? {} : { since: readPastMoment('--since', since) }) };
  const { id, job: judged } = await runOnRecord(ledger, run);
  if (judged === 'documents')
    throw new AgonError(
      'other-job',
      `Run ${id} is about documents, which are judged without a policy.`,
      'Name a run of moderation or evaluation.',
    );
  return { run: id, limit, sample, seed };
}
