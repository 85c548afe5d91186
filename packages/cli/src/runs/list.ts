import type { Command } from 'commander';
import type { Ledger, RunCounts, RunRow, RunState } from '@agonhq/ledger';
import { addExamples, choice, setLedgerAction, addLedgerFlags, positive } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { formatCounts, formatDone, formatInteger, formatMoment, formatMoney } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { fitLines, formatColumns, type PrintedColumn } from '../terminal/table.ts';

interface ListFlags extends LedgerFlags {
  state?: RunState[];
  limit: number;
  json?: boolean;
}

const states: readonly RunState[] = ['running', 'stopped', 'finished', 'failed', 'cancelled'];

/** `agon runs list` */
export function defineRunsList(command: Command): void {
  command
    .description('List runs, newest first.')
    .addOption(choice('--state <state...>', 'only runs in this state', states))
    .option('--limit <n>', 'list at most n runs', positive, 20)
    .option('--json', 'print one JSON object per line');
  addLedgerFlags(command);
  addExamples(command, ['agon runs list', 'agon runs list --state running stopped', 'agon runs list --json | jq .id']);
  setLedgerAction(command, listRuns);
}

async function listRuns({ ledger }: OpenLedger, flags: ListFlags): Promise<void> {
  const rows = await ledger.runs.listRuns({
    limit: flags.limit + 1,
    ...(flags.state ? { states: flags.state } : {}),
  });
  const runs = await countItems(ledger, rows.slice(0, flags.limit));
  if (flags.json) printLines(runs.map(({ run, counts }) => JSON.stringify({ ...run, settings: undefined, counts })));
  else if (runs.length === 0)
    printLines([
      flags.state ? 'No matching runs.' : 'There are no runs yet. Start one: agon run moderation --file items.jsonl',
    ]);
  else
    printLines([
      ...fitLines(formatColumns(runs, columns, [0, 1, 2, 3, 8])),
      ...(rows.length > flags.limit ? [`There are more: use --limit ${flags.limit * 5}.`] : []),
    ]);
}

interface CountedRun {
  run: RunRow;
  counts: RunCounts;
}

async function countItems(ledger: Ledger, rows: readonly RunRow[]): Promise<CountedRun[]> {
  return Promise.all(rows.map(async (run) => ({ run, counts: await ledger.runs.countItems(run.id) })));
}

const columns: PrintedColumn<CountedRun>[] = [
  ['run', ({ run }) => run.id],
  ['name', ({ run }) => sanitize(run.name ?? '–')],
  ['job', ({ run }) => run.job],
  ['state', ({ run }) => run.state],
  ['done', ({ run, counts }) => formatDone(counts.done + counts.same, run.total)],
  ['failed', ({ counts }) => formatInteger(counts.failed)],
  ['spend', ({ counts }) => formatMoney(counts.usage.costUsd)],
  ['started', ({ run }) => formatMoment(run.startedAt)],
  ['verdicts', ({ counts }) => sanitize(formatCounts(counts.byLabel))],
];
