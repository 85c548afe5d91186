import type { Command } from 'commander';
import { AgonError } from '@agonhq/engine/agon-error';
import type { BenchRow, Ledger } from '@agonhq/ledger';
import { addExamples, setAction, setLedgerAction, addConfigFlag, addLedgerFlag, positive } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { printCount, formatMoment } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { formatColumns, type PrintedColumn } from '../terminal/table.ts';
import { addBenchOutputFlags, addBenchReportFlags } from './flags.ts';
import type { BenchRunFlags, BenchReportFlags } from './run-bench.ts';

type BenchFileFlags = BenchRunFlags &
  Pick<SettingsFlags, 'config' | 'ledger' | 'policy' | 'cache' | 'budgetUsd' | 'runBudgetUsd'>;

/** `agon bench run FILE` */
export function defineBenchRun(command: Command): void {
  command
    .description('Measure what a bench file describes. An interrupted bench continues where it stopped.')
    .argument('<bench.yaml>', 'bench file: data, systems, seeds, repeats');
  addBenchOutputFlags(command);
  addConfigFlag(command)
    .option('--policy <file>', 'policy to judge by (default: the policy that Agon ships)')
    .option('--cache <folder>', 'cache model answers in this folder')
    .option('--run-budget-usd <amount>', 'spend at most this much per system')
    .option('-q, --quiet', 'print no progress');
  addExamples(command, [
    'agon bench run packages/lab/bench/paper.yaml --report results.md --report results.html',
    'agon bench run nightly.yaml --fail-under f1=.85 --report junit.xml',
  ]);
  setAction(command, runBenchFile);
}

async function runBenchFile(file: string, flags: BenchFileFlags): Promise<number> {
  const { readBenchFile } = await import('@agonhq/bench');
  const { readInstallation } = await import('../read-settings.ts');
  const { runBench } = await import('./run-bench.ts');
  const { settings, jobs } = await readInstallation(flags);
  const { plan, notes } = await readBenchFile(file, { jobs, settings, environment: process.env });
  return (await runBench(plan, flags, { settings, notes })).code;
}

/** `agon bench report [ID]` */
export function defineBenchReport(command: Command): void {
  command
    .description('Show the tables and write the reports of a recorded bench again, without calling a model.')
    .argument('[bench]', 'id of the bench, or its beginning (default: the latest finished bench)');
  addLedgerFlag(command);
  addBenchReportFlags(command);
  addExamples(command, [
    'agon bench report',
    'agon bench report 3f9a --report bench.html --report bench.md',
    'agon bench report 3f9a --fail-under f1=.85',
  ]);
  setLedgerAction(command, reportBench);
}

async function reportBench(
  { ledger, jobs }: OpenLedger,
  id: string | undefined,
  flags: LedgerFlags & BenchReportFlags,
): Promise<number> {
  const { readBench } = await import('@agonhq/bench');
  const { renderSet } = await import('./show-set.ts');
  const { openBenchReporter } = await import('./run-bench.ts');
  const { sets, title, missing } = await readBench(ledger, id ?? (await findLatest(ledger)), jobs);
  if (missing.length > 0)
    process.stderr.write(`agon: this bench is unfinished: no judgements of ${sanitize(missing.join(', '))}.\n`);
  const reporter = openBenchReporter(flags, title);
  for (const set of sets) printLines(flags.json ? [JSON.stringify(reporter.json(set))] : renderSet(set));
  return reporter.write(sets);
}

async function findLatest(ledger: Ledger): Promise<string> {
  const done = (await ledger.benches.listBenches({ limit: 50 })).find(({ state }) => state === 'done');
  if (!done)
    throw new AgonError(
      'unknown-bench',
      'There is no finished bench on record.',
      'Run one: agon bench moderation --data items.jsonl',
    );
  return done.id;
}

interface ListFlags extends LedgerFlags {
  limit: number;
  json?: boolean;
}

/** `agon bench list` */
export function defineBenchList(command: Command): void {
  command
    .description('List recorded benches, newest first.')
    .option('--limit <n>', 'list at most n benches', positive, 20)
    .option('--json', 'print the list as JSON');
  addLedgerFlag(command);
  addExamples(command, ['agon bench list', 'agon bench list --limit 5 --json']);
  setLedgerAction(command, listBenches);
}

async function listBenches({ ledger }: OpenLedger, flags: ListFlags): Promise<void> {
  const { readBenchSummary } = await import('@agonhq/bench');
  const rows = await ledger.benches.listBenches({ limit: flags.limit });
  if (flags.json) printLines([JSON.stringify(rows.map((row) => ({ ...row, plan: readBenchSummary(row) })))]);
  else if (rows.length === 0) printLines(['There are no benches on record.']);
  else {
    const columns: PrintedColumn<BenchRow>[] = [
      ['bench', ({ id }) => id],
      ['what', ({ name }) => sanitize(name)],
      ['data', (row) => listTitles(readBenchSummary(row).sets.map(({ title }) => sanitize(title)))],
      ['judgements', ({ judged }) => String(judged)],
      ['state', ({ state }) => state],
      ['started', ({ startedAt }) => formatMoment(startedAt)],
    ];
    printLines(formatColumns(rows, columns, [0, 1, 2, 4, 5]));
  }
}

function listTitles(titles: readonly string[]): string {
  return titles.length > 3 ? `${titles.slice(0, 3).join(', ')} and ${titles.length - 3} more` : titles.join(', ');
}

/** `agon bench forget ID` */
export function defineBenchForget(command: Command): void {
  command
    .description('Delete a recorded bench with its judgements.')
    .argument('<bench>', 'id of the bench, or its beginning');
  addLedgerFlag(command);
  addExamples(command, ['agon bench forget 3f9a']);
  setLedgerAction(command, forgetBench);
}

async function forgetBench({ ledger }: OpenLedger, id: string): Promise<void> {
  const row = await ledger.benches.findBench(id);
  if (!row)
    throw new AgonError('unknown-bench', `There is no bench ${id} on record.`, 'List them with `agon bench list`.');
  await ledger.benches.removeBench(row.id);
  process.stderr.write(`Deleted bench ${row.id} with ${printCount(row.judged, 'judgement')}.\n`);
}
