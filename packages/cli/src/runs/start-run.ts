import path from 'node:path';
import { createAgon } from '@agonhq/core/app';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { openLines } from '@agonhq/engine/items';
import type { Job } from '@agonhq/judges/job';
import type { Ledger, RunRow } from '@agonhq/ledger';
import {
  assertInputBegins,
  loadItems,
  openCascade,
  openRunItems,
  planRun,
  startRun,
  type Cascade,
  type RunItems,
  type RunPlan,
  type RunReading,
} from '@agonhq/core/runs';
import { openRunLedger } from '../open-ledger.ts';
import { exitCodes, formatError, noItemsError } from '../print-error.ts';
import { limitHeapGrowth, listenForInterrupt } from '../process.ts';
import { assertLabels, readReading } from '../read-flags.ts';
import { readJobSettings, type CommandSettings } from '../read-settings.ts';
import { printCount } from '../terminal/format.ts';
import { sanitize } from '../terminal/style.ts';
import { reportFitting } from './cascade-fit.ts';
import { carryOutRun, openOutput } from './conduct-run.ts';
import { notStartedError, printEstimate } from './estimate-run.ts';
import type { RunFlags } from '../define-command.ts';
import { quoteRunName } from './run-summary.ts';

/** Starts a run of any job and carries it out, or leaves it to workers. Returns the exit code. */
export async function runJob(job: Job, flags: RunFlags): Promise<number> {
  if (flags.follow !== undefined)
    return (await import('./follow-stream.ts')).followStream(job, { ...flags, follow: flags.follow });
  if (flags.deadLetters !== undefined)
    throw badFlag('--dead-letters needs --follow.', 'A run keeps what failed itself.');
  if (flags.file === undefined)
    throw badFlag('There are no items.', `Name them: agon run ${job.id} --file items.jsonl, or --follow items.jsonl.`);
  const given = await readJobSettings(flags, { kind: 'run', job });
  const { settings } = given;
  assertUsage(job, flags);
  limitHeapGrowth();
  const reading = readReading(job, flags);
  // Fails early if the file cannot be read.
  if (flags.file !== '-') (await openLines(flags.file)).destroy();
  const ledger = await openRunLedger(settings);
  try {
    if (flags.detach && ledger.kind !== 'postgresql')
      throw badFlag(
        '--detach leaves the items to workers, which need a ledger on PostgreSQL.',
        'Set AGON_DATABASE_URL or --ledger postgres://…, or leave out --detach.',
      );
    return await startOn(ledger, { job, flags, ...given, reading });
  } finally {
    await ledger.close();
  }
}

interface Start extends CommandSettings {
  job: Job;
  flags: RunFlags;
  reading: RunReading;
}

async function startOn(ledger: Ledger, start: Start): Promise<number> {
  const { job, flags, settings, jobs, reading } = start;
  const input = flags.file === '-' ? '-' : path.resolve(flags.file);
  const cascade = await readCascade(ledger, start);
  // An estimate stores nothing: files stay where they are.
  if (flags.estimate !== undefined)
    return printEstimate(ledger, flags, {
      job,
      settings,
      jobs,
      cascade,
      items: openRunItems(null, job, input, reading),
    });
  const items = openRunItems(ledger, job, input, reading);
  await assertInputBegins(job, input, reading);
  const { plan, configuration } = await makePlan(ledger, start, cascade);
  const output = flags.detach ? null : await openOutput(flags, false);
  try {
    const out = flags.out === undefined ? {} : { out: path.resolve(flags.out) };
    const run = await startRun(ledger, { name: flags.name ?? null, input, plan: { ...plan, ...out }, configuration });
    if (flags.detach) return await loadDetached(ledger, run, items, flags);
    return await carryOutRun(flags, { jobs, ledger, run, own: settings, items, output, ledgerFlag: flags.ledger });
  } finally {
    await output?.close();
  }
}

/** The bounds of the first tier: from a file, or fitted on labelled data or on decisions in the ledger. */
export async function readCascade(
  ledger: Ledger | null,
  { job, flags, settings, jobs, reading }: Start,
): Promise<Cascade | null> {
  const { cascade: file, risk, confidence } = flags;
  if (file === undefined) return null;
  const interrupt = listenForInterrupt();
  // Labelled data has the columns of the input, but may have another format.
  const { format: _, ...names } = reading;
  try {
    return await openCascade({
      job: job.id,
      settings,
      ledger,
      parts: { jobs },
      ...(file === true ? {} : { file, reading: { ...names, root: path.resolve(flags.root ?? path.dirname(file)) } }),
      ...(risk === undefined ? {} : { risk }),
      ...(confidence === undefined ? {} : { confidence }),
      signal: interrupt.signal,
      onProgress: reportFitting(flags.quiet === true),
    });
  } catch (error) {
    throw interrupt.signal.aborted ? notStartedError(error) : error;
  } finally {
    interrupt.dispose();
  }
}

/** What the run is judged by; fails before anything is recorded. */
export async function makePlan<Reading extends RunReading>(
  ledger: Ledger | null,
  { job, flags, settings, jobs, reading }: Start & { reading: Reading },
  cascade: Cascade | null,
): Promise<{ plan: RunPlan & { reading: Reading }; configuration: string }> {
  const agon = await createAgon(settings, { jobs, ...(ledger ? { ledger } : {}), only: [job.id] });
  try {
    const { attempts, evaluatedModel = null } = flags;
    const plan = await planRun({ job: job.id, settings, agon, cascade, evaluatedModel, attempts });
    return { plan: { ...plan, reading }, configuration: agon.provenanceOf(job).configuration };
  } finally {
    await agon.close();
  }
}

async function loadDetached(
  ledger: Ledger,
  run: RunRow,
  items: RunItems,
  { file, quiet, json }: RunFlags,
): Promise<number> {
  const interrupt = listenForInterrupt();
  try {
    await loadItems(
      ledger,
      run.id,
      items({ signal: interrupt.signal, onNote: (text) => void process.stderr.write(`agon: ${sanitize(text)}\n`) }),
      { signal: interrupt.signal },
    );
    if (interrupt.signal.aborted)
      throw new AgonError(
        'cancelled',
        'The run was stopped while its items were loaded.',
        `To continue: agon runs resume ${quoteRunName(run)}`,
      );
  } catch (error) {
    // Workers must not mistake half an input for the whole.
    await ledger.runs.endRun(
      run.id,
      interrupt.signal.aborted ? 'stopped' : 'failed',
      AgonError.is(error) ? formatError(error) : String(error),
    );
    throw error;
  } finally {
    interrupt.dispose();
  }
  const { total } = (await ledger.runs.findRun(run.id))!;
  if (total === 0) throw noItemsError(file);
  if (json) process.stdout.write(`${JSON.stringify({ version: 1, run: run.id, name: run.name, items: total })}\n`);
  else if (!quiet)
    process.stdout.write(
      `${printCount(total!, 'item')} of ${quoteRunName(run)} waiting in ${sanitize(ledger.place)}. Start workers ` +
        'with agon worker, and watch them with agon runs top.\n',
    );
  return exitCodes.judged;
}

function assertUsage(job: Job, flags: RunFlags): void {
  assertLabels(flags.failOn, job.labels);
  if (flags.name !== undefined && !/^(?!-)\P{C}{1,100}$/u.test(flags.name.trim()))
    throw badFlag('--name is empty, too long, or contains control characters.', 'Use a name such as --name nightly.');
  if (flags.cascade === undefined && (flags.risk !== undefined || flags.confidence !== undefined))
    throw badFlag('--risk and --confidence need --cascade.', 'Write --cascade --risk 0.05.');
  const stray = Object.entries({ '--out': flags.out, '--fail-on': flags.failOn, '--estimate': flags.estimate }).find(
    ([, value]) => flags.detach && value !== undefined,
  );
  if (stray)
    throw badFlag(
      `${stray[0]} cannot be combined with --detach, which does not wait for results.`,
      'Get them later with agon runs export RUN --out results.jsonl.',
    );
}
