import type { Command } from 'commander';
import type { BenchReportFlags } from '../../bench/write-bench-reports.ts';
import type { BenchFileFlags } from '../../commands/bench-run.ts';
import { positive, withLedger } from '../../option-groups.ts';
import type { LedgerFlags } from '../../open-ledger.ts';
import { withBenchOutput, withBenchReports } from './options.ts';

export function addBenchRun(bench: Command): void {
  withBenchOutput(
    bench
      .command('run')
      .argument('<bench.yaml>', 'a bench file: data, systems, seeds, repeats')
      .description('Measure what a bench file names; one that was stopped goes on.'),
  )
    .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
    .option('--policy <file>', 'the rulebook, instead of the default policy')
    .option('--cache <folder>', 'keep answers there and ask nothing twice')
    .option('--run-budget-usd <amount>', 'at most this much for each system')
    .option('-q, --quiet', 'no progress')
    .addHelpText(
      'after',
      `
Examples:
  agon bench run bench/paper.yaml --report results.md --report results.html
  agon bench run nightly.yaml --fail-under f1=.85 --report junit.xml
`,
    )
    .action(async (file: string, flags: BenchFileFlags) => {
      const { benchRunCommand } = await import('../../commands/bench-run.ts');
      process.exitCode = await benchRunCommand(file, flags);
    });
}

export function addBenchRecords(bench: Command): void {
  withBenchReports(
    withLedger(
      bench
        .command('report')
        .argument('[bench]', 'its id, or the beginning of it (default: the latest that was finished)')
        .description('Make the tables and reports of a bench on record again, without a new call.'),
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon bench report
  agon bench report 3f9a --report bench.html --report bench.md
  agon bench report 3f9a --fail-under f1=.85
`,
    )
    .action(async (id: string | undefined, flags: LedgerFlags & BenchReportFlags) => {
      const { benchReportCommand } = await import('../../commands/bench-record.ts');
      process.exitCode = await benchReportCommand(id, flags);
    });

  withLedger(bench.command('list').description('List the benches on record, the newest first.'))
    .option('--limit <n>', 'at most so many', positive, 20)
    .option('--json', 'as JSON')
    .action(async (flags: LedgerFlags & { limit: number; json?: boolean }) => {
      const { benchListCommand } = await import('../../commands/bench-record.ts');
      process.exitCode = await benchListCommand(flags);
    });

  withLedger(
    bench
      .command('forget')
      .argument('<bench>', 'its id, or the beginning of it')
      .description('Take a bench off the record, with its judgements.'),
  ).action(async (id: string, flags: LedgerFlags) => {
    const { benchForgetCommand } = await import('../../commands/bench-record.ts');
    process.exitCode = await benchForgetCommand(id, flags);
  });
}
