import type { Command } from 'commander';
import { withLedger } from '../option-groups.ts';
import type { ResumeFlags } from '../run-flags.ts';
import { withConduct, withLimits } from '../run-options.ts';

/** `agon runs resume`, below `agon runs`. */
export function addResume(runs: Command): void {
  withLimits(
    withConduct(
      withLedger(
        runs
          .command('resume')
          .description(
            'Go on with a run that was stopped, killed, or is out of budget: what has a verdict is not judged ' +
              'again. It is judged by the configuration it was started with; providers and keys are those of this ' +
              'machine.',
          )
          .argument('<run>', 'its id, how that begins, or its name (the newest of that name)')
          .option(
            '--file <items>',
            'the input from its beginning, where it was not read to its end and is not where it was; - for ' +
              'standard input',
          )
          .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
          .option('--budget-usd <amount>', 'at most this much for one item from now on')
          .option('--run-budget-usd <amount>', 'at most this much in all, with what is already spent'),
      ),
    ),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon runs resume nightly\n  agon runs resume nightly --run-budget-usd 50 --out ' +
        'results.jsonl\n  cat items.jsonl | agon runs resume run-1f3a --file -\n',
    )
    .action(async (run: string, flags: ResumeFlags) => {
      const { resumeCommand } = await import('../commands/run-resume.ts');
      process.exitCode = await resumeCommand(run, flags);
    });
}
