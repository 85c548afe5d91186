import { setTimeout as pause } from 'node:timers/promises';
import type { Jobs } from '@agonhq/judges/job';
import { openDocumentReaders, reportEmbedding } from '@agonhq/core/app';
import { AgonError, badFlag, hintFor } from '@agonhq/engine/agon-error';
import type { Ledger, NewRunItem, RunCounts, RunRow } from '@agonhq/ledger';
import {
  conductRun,
  followResults,
  openRunOutput,
  readRunPlan,
  type RunOutput,
  type RunProgress,
} from '@agonhq/core/runs';
import type { Settings } from '@agonhq/core/settings';
import type { EmptyFlags } from '../define-command.ts';
import { exitCodes, noItemsError, nothingJudgedError } from '../print-error.ts';
import { listenForInterrupt, resultsToStandardOutput } from '../process.ts';
import { printCount, formatInteger } from '../terminal/format.ts';
import { countEnded, openRunProgress, type RunProgressView } from './run-progress.ts';
import { repeatLedgerFlag, renderRunSummary, quoteRunName, quoteForShell, listFirstFailures } from './run-summary.ts';

/** The flags of every command that carries out a run. */
export interface ConductFlags extends EmptyFlags {
  out?: string;
  order: 'input' | 'as-done';
  concurrency: number;
  failOn?: string[];
  json?: boolean;
  quiet?: boolean;
}

/** A run that this process carries out. */
export interface CarriedRun {
  jobs: Jobs;
  ledger: Ledger;
  run: RunRow;
  /** Providers and keys of this machine. */
  own: Settings;
  /** The input from its beginning; null when the ledger has all of it. */
  items: ((reading: { signal: AbortSignal; onNote: (text: string) => void }) => AsyncIterable<NewRunItem>) | null;
  output: RunOutput | null;
  /** The ledger as it was named on the command line. */
  ledgerFlag?: string | false;
}

/** Where results go: to --out, with --json to standard output, otherwise only to the ledger. */
export async function openOutput(
  { out, json }: Pick<ConductFlags, 'out' | 'json'>,
  resumed: boolean,
): Promise<RunOutput | null> {
  if (out === '-')
    throw badFlag('--out - is not a file.', 'To write results to standard output, use --json without --out.');
  if (out !== undefined) return openRunOutput(out, { resumed });
  return json ? resultsToStandardOutput : null;
}

/**
 * Judges what is left of a run, with progress on standard error; results go to the output as they come. Returns the
 * exit code.
 */
export async function carryOutRun(
  flags: ConductFlags,
  { jobs, ledger, run, own, items, output, ledgerFlag }: CarriedRun,
): Promise<number> {
  const interrupt = listenForInterrupt();
  const broken = new AbortController();
  const started = performance.now();
  const { budget } = readRunPlan(jobs, run).settings;
  const view = openRunProgress({
    run: run.id,
    title: run.name ?? run.id,
    job: run.job,
    budget: { usd: budget?.runUsd, tokens: budget?.runTokens },
    quiet: flags.quiet === true,
    json: flags.json === true,
  });
  const signal = AbortSignal.any([interrupt.signal, broken.signal]);
  const results = output && followInto(ledger, run, flags.order, output, (error) => broken.abort(error));
  const last: { progress: RunProgress | null } = { progress: null };
  const readers = openDocumentReaders({ own: true });
  let counts: RunCounts;
  try {
    counts = await conductRun({
      jobs,
      ledger,
      run,
      own,
      readFiles: readers.readFiles,
      concurrency: flags.concurrency,
      signal,
      onEmbedding: reportEmbedding((line) => view.note(line)),
      items: items && items({ signal, onNote: (text) => view.note(text) }),
      onProgress(progress) {
        last.progress = progress;
        view.show(progress);
      },
    });
    await results?.complete(interrupt.signal);
    await printSummary(view, flags, {
      ledger,
      run,
      counts,
      seconds: (performance.now() - started) / 1000,
      ledgerWords: repeatLedgerFlag(ledgerFlag),
    });
  } catch (error) {
    await results?.stop();
    view.end();
    if (flags.json)
      reportEvent({ event: 'end', run: run.id, state: (await ledger.runs.findRun(run.id))?.state, ...last.progress });
    throw addResumeHint(
      results?.failure() ?? error,
      formatResume(run, flags, ledgerFlag),
      last.progress,
      interrupt.signal.aborted,
    );
  } finally {
    interrupt.dispose();
    await readers.close();
  }
  return exitCodeFor(run, counts, flags);
}

/** What builds are told of a run. One without a verdict has not passed. */
export function exitCodeFor(
  { input, name, id }: RunRow,
  { done, failed, byLabel }: RunCounts,
  { failOn }: Pick<ConductFlags, 'failOn'>,
): number {
  if (done === 0) throw (failed === 0 ? noItemsError : nothingJudgedError)(input ?? name ?? id);
  if (failed > 0) return exitCodes.failed;
  return failOn?.some((label) => (byLabel[label] ?? 0) > 0) ? exitCodes.failOn : exitCodes.judged;
}

async function printSummary(
  view: RunProgressView,
  flags: ConductFlags,
  end: { ledger: Ledger; run: RunRow; counts: RunCounts; seconds: number; ledgerWords: string },
): Promise<void> {
  const { ledger, run, counts, seconds, ledgerWords } = end;
  view.end();
  if (flags.json) reportEvent({ event: 'end', run: run.id, name: run.name, state: 'finished', seconds, ...counts });
  else if (!flags.quiet) {
    const failures = await listFirstFailures(ledger, run.id);
    const summary = { run, counts, seconds, place: ledger.place, out: flags.out ?? null, ledgerWords, failures };
    process.stderr.write(`${renderRunSummary(summary).join('\n')}\n`);
  }
}

function reportEvent(event: object): void {
  process.stderr.write(`${JSON.stringify(event)}\n`);
}

function formatResume(run: RunRow, { out }: ConductFlags, ledgerFlag: string | false | undefined): string {
  const again = out === undefined ? '' : ` --out ${quoteForShell(out)}`;
  return `agon runs resume ${quoteRunName(run)}${again}${repeatLedgerFlag(ledgerFlag)}`;
}

function addResumeHint(error: unknown, resume: string, progress: RunProgress | null, stopped: boolean): unknown {
  if (progress && stopped) {
    const ended = countEnded(progress);
    const done =
      progress.total === null
        ? `${printCount(ended, 'item')} ${ended === 1 ? 'is' : 'are'}`
        : `${formatInteger(ended)} of ${printCount(progress.total, 'item')} are`;
    return new AgonError('cancelled', `The run was stopped: ${done} done.`, `To continue: ${resume}`, {
      cause: error,
    });
  }
  if (!AgonError.is(error)) return error;
  if (error.code === 'budget-spent')
    return new AgonError(
      error.code,
      error.message,
      `Continue with more: ${resume} --run-budget-usd AMOUNT (or --run-budget-tokens, --budget-usd).`,
      { cause: error },
    );
  const known = hintFor(error, 'cli');
  const hint = known.includes('agon runs resume') ? known : `${known} Then continue the run: ${resume}`;
  if (error.code === 'models-away' && progress?.done === 0)
    return new AgonError('nothing-judged', `Nothing was judged: ${error.message}`, hint, { cause: error });
  return new AgonError(error.code, error.message, hint, { cause: error });
}

const lookMs = 300;
/** A stopped run does not wait for results that a resume writes anyway. */
const farewellMs = 1_000;

/** Writes results while the run goes on. What cannot be written ends the run. */
function followInto(
  ledger: Ledger,
  run: RunRow,
  order: ConductFlags['order'],
  output: RunOutput,
  onFailure: (error: unknown) => void,
) {
  const results = followResults(ledger, run.id, { order, write: (record) => output.write(record) });
  const ended = new AbortController();
  let failure: unknown;
  const work = (async () => {
    while (!ended.signal.aborted) {
      await results.advance(ended.signal);
      await pause(lookMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })().catch((error: unknown) => {
    failure = error;
    onFailure(error);
  });
  const end = async () => {
    ended.abort();
    await work;
  };
  return {
    failure: () => failure,
    async complete(signal: AbortSignal) {
      await end();
      if (failure !== undefined) throw failure;
      await results.complete(signal);
    },
    async stop() {
      await end();
      // After a failure of the ledger there is nothing to read.
      if (failure === undefined) await results.advance(AbortSignal.timeout(farewellMs)).catch(() => undefined);
    },
  };
}
