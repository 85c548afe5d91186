import type { Command } from 'commander';
import type { Ledger, RunCounts, RunRow, RunState } from '../../ledger/index.ts';
import { addExamples, choice, setLedgerAction, addLedgerFlags, positive } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { formatCounts, formatInteger, formatMoment, formatMoney } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { fitLines, formatTable } from '../terminal/table.ts';

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
      ...fitLines(formatTable([heading, ...runs.map(formatRun)], [0, 1, 2, 3, 8])),
      ...(rows.length > flags.limit ? [`There are more: use --limit ${flags.limit * 5}.`] : []),
    ]);
}

async function countItems(ledger: Ledger, rows: readonly RunRow[]): Promise<{ run: RunRow; counts: RunCounts }[]> {
  return Promise.all(rows.map(async (run) => ({ run, counts: await ledger.runs.countItems(run.id) })));
}

const heading = ['run', 'name', 'job', 'state', 'done', 'failed', 'spend', 'started', 'verdicts'];

function formatRun({ run, counts }: { run: RunRow; counts: RunCounts }): string[] {
  const ended = counts.done + counts.same;
  return [
    run.id,
    sanitize(run.name ?? '–'),
    run.job,
    run.state,
    `${formatInteger(ended)}/${run.total === null ? '?' : formatInteger(run.total)}`,
    formatInteger(counts.failed),
    formatMoney(counts.usage.costUsd),
    formatMoment(run.startedAt),
    sanitize(formatCounts(counts.byLabel)),
  ];
}
