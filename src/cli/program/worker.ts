import type { Command } from 'commander';
import type { WorkerFlags } from '../commands/worker.ts';
import { collect, concurrency, positive, withLedger } from '../option-groups.ts';

export function addWorker(program: Command): void {
  withLedger(
    program
      .command('worker')
      .summary('judge the items of runs, beside any number of other workers')
      .description(
        'Work on the runs of a ledger on PostgreSQL: take items, judge them, take over those of dead workers. ' +
          'SIGTERM drains: nothing more is taken, what is in hand is judged to its end. Providers and keys are ' +
          'those of this machine; everything else comes with the run.',
      )
      .option('--concurrency <n>', 'items judged at once', concurrency, 8)
      .option('--run <run>', 'only this run (id or name); may be given several times', collect)
      .option('--until-idle', 'end when no run has anything left')
      .option('--drain-seconds <n>', 'after SIGTERM, items that take longer are given back', positive, 30)
      .option(
        '--probe <[host:]port>',
        'answer GET /healthz, /readyz and /metrics there (127.0.0.1 unless a host is given)',
      )
      .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
      .option('-q, --quiet', 'say nothing but what goes wrong'),
  )
    .addHelpText(
      'after',
      `
Examples:
  AGON_DATABASE_URL=postgres://agon@db/agon agon worker --concurrency 16
  agon worker --ledger postgres://agon@db/agon --probe 0.0.0.0:8080
  agon worker --run nightly --until-idle

Exit codes: 0 drained, 1 failed, 130 stopped at once (a second signal).
`,
    )
    .action(async (flags: WorkerFlags) => {
      const { workerCommand } = await import('../commands/worker.ts');
      process.exitCode = await workerCommand(flags);
    });
}
