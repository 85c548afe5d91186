import type { Command } from 'commander';
import { AgonError } from '../../errors.ts';
import type { Ledger } from '../../ledger/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { addLedgerFlag } from '../flags.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { sanitize } from '../terminal/style.ts';
import { addBenchReportFlags } from './flags.ts';
import type { BenchReportFlags } from './write-bench-reports.ts';

/** `agon bench report [ID]` */
export function define(command: Command): void {
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
  setAction(command, reportBench);
}

async function reportBench(id: string | undefined, flags: LedgerFlags & BenchReportFlags): Promise<number> {
  const { readBench } = await import('../../bench/index.ts');
  const { withLedger } = await import('../open-ledger.ts');
  const { renderSet } = await import('./show-set.ts');
  const { openBenchReporter } = await import('./write-bench-reports.ts');
  return withLedger(flags, async (ledger) => {
    const { sets, title, missing } = await readBench(ledger, id ?? (await findLatest(ledger)));
    if (missing.length > 0)
      process.stderr.write(`agon: this bench is unfinished: no judgements of ${sanitize(missing.join(', '))}.\n`);
    const reporter = openBenchReporter(flags, title);
    for (const set of sets)
      process.stdout.write(flags.json ? `${JSON.stringify(reporter.json(set))}\n` : `${renderSet(set).join('\n')}\n`);
    return reporter.write(sets);
  });
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
