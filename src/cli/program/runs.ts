import { Option, type Command } from 'commander';
import type { RunsCancelFlags } from '../commands/runs-cancel.ts';
import type { RunsDiffFlags } from '../commands/runs-diff.ts';
import type { RunsExportFlags } from '../commands/runs-export.ts';
import type { RunsImpactFlags } from '../commands/runs-impact.ts';
import type { RunsListFlags } from '../commands/runs-list.ts';
import type { RunsShowFlags } from '../commands/runs-show.ts';
import type { RunsTopFlags } from '../commands/runs-top.ts';
import { concurrency, positive, withLedger } from '../option-groups.ts';
import type { ResumeFlags } from '../run-flags.ts';
import { withConduct, withLimits } from '../run-options.ts';
import { addResume } from './run-resume.ts';

const named = 'its id, how that begins, or its name (the newest of that name)';

/** Runs on record: what became of them, and what to do with them. */
export function addRuns(program: Command): void {
  const runs = program
    .command('runs')
    .summary('look at runs and go on with them: list, show, resume, export, diff, impact, top')
    .description('Look at runs, take them up again, and hold them against each other.')
    .addHelpText(
      'after',
      '\nExamples:\n  agon runs list\n  agon runs show nightly\n  agon runs export nightly --out results.jsonl\n  ' +
        'agon runs diff monday tuesday\n  agon runs impact --policy new.yaml --since 30d\n  agon runs top\n',
    );
  addLooks(runs);
  addResume(runs);
  addDeeds(runs);
  addComparisons(runs);
}

function addLooks(runs: Command): void {
  withPlace(
    runs
      .command('list')
      .description('List runs, the newest first.')
      .addOption(
        new Option('--state <state...>', 'only those in this state').choices([
          'running',
          'stopped',
          'finished',
          'failed',
          'cancelled',
        ]),
      )
      .option('--limit <n>', 'at most so many', positive, 20)
      .option('--json', 'print one JSON object a line'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon runs list\n  agon runs list --state running stopped\n  agon runs list --json | jq .id\n',
    )
    .action(async (flags: RunsListFlags) => {
      const { runsListCommand } = await import('../commands/runs-list.ts');
      process.exitCode = await runsListCommand(flags);
    });

  withPlace(
    runs
      .command('show')
      .description(
        'Show where a run stands: its plan, its verdicts and failures, what its cascade saved, and how right it ' +
          'was where items came with labels.',
      )
      .argument('<run>', named)
      .option('--json', 'print everything as JSON'),
  )
    .addHelpText('after', '\nExamples:\n  agon runs show nightly\n  agon runs show run-1f3a --json\n')
    .action(async (run: string, flags: RunsShowFlags) => {
      const { runsShowCommand } = await import('../commands/runs-show.ts');
      process.exitCode = await runsShowCommand(run, flags);
    });

  withPlace(
    runs
      .command('top')
      .description(
        'Watch the runs that run and, on PostgreSQL, the workers; refreshed every second in a terminal, one look ' +
          'at it elsewhere.',
      )
      .option('--once', 'one look, in a terminal too')
      .option('--json', 'one look, as JSON'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon runs top\n  agon runs top --ledger postgres://agon@db/agon\n  agon runs top --json | ' +
        'jq ".runs[].rate"\n',
    )
    .action(async (flags: RunsTopFlags) => {
      const { runsTopCommand } = await import('../commands/runs-top.ts');
      process.exitCode = await runsTopCommand(flags);
    });

  withPlace(
    runs
      .command('export')
      .description(
        'Write the results of a run, one line each: {line, key, result | error}. Items that are not judged yet ' +
          'are left out; a file appears when it is whole.',
      )
      .argument('<run>', named)
      .option('--out <file>', 'where they go (default: standard output)')
      .addOption(
        new Option('--order <order>', 'the order of the input, or the one in which they were judged')
          .choices(['input', 'as-done'])
          .default('input'),
      )
      .addOption(
        new Option(
          '--format <format>',
          'jsonl: whole answers; csv: one row of verdict each (default: by the name of --out, else jsonl)',
        ).choices(['jsonl', 'csv']),
      )
      .addOption(
        new Option('--only <which>', 'only those with a verdict, or only those without').choices(['done', 'failed']),
      ),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon runs export nightly --out results.jsonl\n  agon runs export nightly --out verdicts.csv\n ' +
        ' agon runs export nightly --only failed | jq .error.message\n',
    )
    .action(async (run: string, flags: RunsExportFlags) => {
      const { runsExportCommand } = await import('../commands/runs-export.ts');
      process.exitCode = await runsExportCommand(run, flags);
    });
}

function addDeeds(runs: Command): void {
  withPlace(
    runs
      .command('cancel')
      .description(
        'Stop a run wherever it runs: items that wait leave the queue, those being judged are dropped. What has a ' +
          'verdict stays, and `agon runs resume` goes on with the rest.',
      )
      .argument('<run>', named)
      .option('--json', 'print what was done as JSON'),
  )
    .addHelpText('after', '\nExamples:\n  agon runs cancel nightly\n')
    .action(async (run: string, flags: RunsCancelFlags) => {
      const { runsCancelCommand } = await import('../commands/runs-cancel.ts');
      process.exitCode = await runsCancelCommand(run, flags);
    });

  withLimits(
    withConduct(
      withPlace(
        runs
          .command('retry-failed')
          .description(
            'Try the failed items of a run again, and go on with it like `agon runs resume`; lines that could not ' +
              'be read stay failed.',
          )
          .argument('<run>', named)
          .option('--budget-usd <amount>', 'at most this much for one item from now on')
          .option('--run-budget-usd <amount>', 'at most this much in all, with what is already spent'),
      ),
    ),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon runs retry-failed nightly\n  agon runs retry-failed nightly --out results.jsonl ' +
        '--concurrency 4\n',
    )
    .action(async (run: string, flags: ResumeFlags) => {
      const { runsRetryFailedCommand } = await import('../commands/runs-retry-failed.ts');
      process.exitCode = await runsRetryFailedCommand(run, flags);
    });
}

function addComparisons(runs: Command): void {
  withPlace(
    runs
      .command('diff')
      .description(
        'Hold two runs against each other, item by item: by key, or by content where keys differ. What flipped, ' +
          'in which direction, and how likely that is by chance.',
      )
      .argument('<before>', named)
      .argument('<after>', 'the same for the other')
      .option('--limit <n>', 'list at most so many flips', positive, 20)
      .option('--json', 'print the figures and all flips as JSON'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon runs diff monday tuesday\n  agon runs diff run-1f3a run-77c0 --json | jq ".flipped[].key"\n',
    )
    .action(async (before: string, after: string, flags: RunsDiffFlags) => {
      const { runsDiffCommand } = await import('../commands/runs-diff.ts');
      process.exitCode = await runsDiffCommand(before, after, flags);
    });

  withPlace(
    runs
      .command('impact')
      .description(
        'Judge past cases again under another policy, recalling what the change does not touch, and list what it ' +
          'would have changed, clause by clause. The replays stay on record: run again, it goes on where it ' +
          'stopped.',
      )
      .requiredOption('--policy <file>', 'the policy that is to be')
      .option('--run <run>', `only the cases of this run: ${named}`)
      .option('--since <moment>', 'only cases since a date, or so long ago (30d, 12h)')
      .addOption(new Option('--job <job>', 'only cases of this job').choices(['moderation', 'evaluation']))
      .option('--limit <n>', 'only the newest so many', positive)
      .option('--sample <n>', 'only so many, drawn from them', positive)
      .option('--seed <n>', 'another seed draws others', positive, 1)
      .option('--concurrency <n>', 'cases judged at once', concurrency, 8)
      .option('--cache <folder>', 'keep answers there and ask nothing twice; "ledger" for the ledger')
      .option('--budget-usd <amount>', 'at most this much for one case')
      .option('--run-budget-usd <amount>', 'at most this much in all')
      .option('--out <flips.jsonl>', 'write every case that changed there, one JSON object a line')
      .option('--json', 'print the report as JSON')
      .option('-q, --quiet', 'no progress'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon runs impact --policy new.yaml --since 30d\n  agon runs impact --policy new.yaml --run ' +
        'nightly --out flips.jsonl\n  agon runs impact --policy new.yaml --sample 500 --run-budget-usd 5\n',
    )
    .action(async (flags: RunsImpactFlags) => {
      const { runsImpactCommand } = await import('../commands/runs-impact.ts');
      process.exitCode = await runsImpactCommand(flags);
    });
}

function withPlace(command: Command): Command {
  return withLedger(command).option(
    '--config <file>',
    'a configuration file (default: agon.config.ts, .js, .json or .yaml here)',
  );
}
