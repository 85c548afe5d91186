import { once } from 'node:events';
import type { Job } from '@agonhq/judges/job';
import path from 'node:path';
import type { Command } from 'commander';
import type { AgonError } from '@agonhq/engine/agon-error';
import {
  addEmptyFlag,
  addExamples,
  addLedgerFlags,
  choice,
  list,
  orders,
  runArgument,
  setLedgerAction,
  type EmptyFlags,
} from '../define-command.ts';
import type { CiCheck } from '@agonhq/core/ci-reports';
import type { RunRow } from '@agonhq/ledger';
import type { ExportedRecord } from '@agonhq/core/runs';
import { version } from '@agonhq/engine/version';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { exitCodes, noItemsError } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import { assertLabels } from '../read-flags.ts';
import { printCount } from '../terminal/format.ts';
import { sanitize } from '../terminal/style.ts';

interface ExportFlags extends LedgerFlags, EmptyFlags {
  out?: string;
  order: 'input' | 'as-done';
  format?: 'jsonl' | 'csv' | 'junit' | 'sarif';
  failOn?: string[];
  only?: 'done' | 'failed';
}

/** `agon runs export RUN` */
export function defineRunsExport(command: Command): void {
  command
    .description(
      'Write the results of a run, one {line, key, result | error} per line. Items without a result are left out; ' +
        'the file appears when it is complete.',
    )
    .argument('<run>', runArgument)
    .option('--out <file>', 'write to this file (default: standard output)')
    .addOption(choice('--order <order>', 'order of the input, or order in which items were judged', orders, 'input'))
    .addOption(
      choice(
        '--format <format>',
        'jsonl: complete answers; csv: one row per verdict; junit, sarif: what builds read (default: by the name of ' +
          '--out, or jsonl)',
        ['jsonl', 'csv', 'junit', 'sarif'],
      ),
    )
    .addOption(choice('--only <which>', 'only judged items, or only failed ones', ['done', 'failed']))
    .option(
      '--fail-on <labels>',
      'exit with code 3 if the run has any of these verdicts; they fail in junit and sarif (default there: unsafe)',
      list,
    );
  addLedgerFlags(addEmptyFlag(command));
  addExamples(command, [
    'agon runs export nightly --out results.jsonl',
    'agon runs export nightly --out verdicts.csv',
    'agon runs export nightly --out findings.sarif --fail-on unsafe,undecided',
    'agon runs export nightly --only failed | jq .error.message',
  ]);
  setLedgerAction(command, exportRun);
}

async function exportRun({ ledger, jobs }: OpenLedger, name: string, flags: ExportFlags): Promise<number | void> {
  const { assertNamedForLines, renderExportLines, requireRun, saveLines } = await import('@agonhq/core/runs');
  const { exitCodeFor } = await import('./conduct-run.ts');
  const { out = '' } = flags;
  const format = flags.format ?? formatsByEnding[path.extname(out).toLowerCase()] ?? 'jsonl';
  if (flags.format === undefined && format === 'jsonl') assertNamedForLines(out);
  const run = await requireRun(ledger, name);
  const options = { order: flags.order, only: flags.only };
  const counts = await ledger.runs.countItems(run.id);
  const { done, failed } = counts;
  const told = format === 'junit' || format === 'sarif';
  const nothing = done + failed === 0 && !flags.allowEmpty ? noItemsError(run.name ?? run.id) : null;
  if (flags.failOn !== undefined) assertLabels(flags.failOn, jobs.require(run.job).labels);
  const lines = told
    ? renderChecks(format, { run, job: jobs.require(run.job) }, renderExportLines(ledger, run.id, options), {
        failOn: flags.failOn,
        nothing,
      })
    : renderExportLines(ledger, run.id, { ...options, format });
  const interrupt = listenForInterrupt();
  try {
    if (flags.out === undefined) {
      for await (const line of lines) {
        if (interrupt.signal.aborted) return exitCodes.stopped;
        if (!process.stdout.write(line)) await waitForDrain(interrupt.signal);
      }
    } else {
      const written = await saveLines(flags.out, lines, { signal: interrupt.signal });
      const results =
        format === 'jsonl' || format === 'csv'
          ? `${printCount(format === 'csv' ? written - 1 : written, 'result')} `
          : '';
      process.stderr.write(`Wrote ${results}to ${sanitize(flags.out)}.\n`);
    }
  } finally {
    interrupt.dispose();
  }
  if (flags.failOn !== undefined || (told && done === 0)) return exitCodeFor(run, counts, flags);
}

const formatsByEnding: Readonly<Record<string, ExportFlags['format']>> = {
  '.csv': 'csv',
  '.xml': 'junit',
  '.sarif': 'sarif',
};

/** The results as one document that builds read; only what they are told of an answer stays in memory. */
async function* renderChecks(
  format: 'junit' | 'sarif',
  { run, job }: { run: RunRow; job: Job },
  lines: AsyncIterable<string>,
  { failOn = ['unsafe'], nothing }: { failOn?: readonly string[] | undefined; nothing: AgonError | null },
): AsyncGenerator<string, void, void> {
  const { checkItem, checkNothing, renderJunit, renderSarif } = await import('@agonhq/core/ci-reports');
  const checks: CiCheck[] = nothing ? [checkNothing(nothing, run.input)] : [];
  for await (const line of lines)
    checks.push(checkItem(JSON.parse(line) as ExportedRecord, { job, file: run.input, failOn }));
  yield format === 'junit' ? renderJunit(`agon runs: ${run.name ?? run.id}`, checks) : renderSarif(checks, { version });
}

/** Until the reader has caught up, or nobody waits any more. */
async function waitForDrain(signal: AbortSignal): Promise<void> {
  await once(process.stdout, 'drain', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
