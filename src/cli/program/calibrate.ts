import type { Command } from 'commander';
import type { CalibrateFlags } from '../commands/calibrate.ts';
import { withContent, withModeration } from '../option-groups.ts';

export function addCalibrate(program: Command): void {
  withModeration(
    withContent(
      program
        .command('calibrate')
        .summary('make probabilities of the scores of a configuration')
        .description(
          'Fit, on labelled data, how the scores of a configuration become probabilities, and between which of ' +
            'them a person should look.',
        ),
    )
      .option('--out <calibration.json>', 'where the calibration goes (default: standard output)')
      .option(
        '--ledger <file>',
        'draw on the precedents of this ledger, but for those of the data itself; nothing is written to it',
      )
      .option('--results <results.jsonl>', 'keep every judgement there; a run that was stopped goes on from there'),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon calibrate --data items.jsonl --out calibration.json
  agon moderate "…" --calibration calibration.json
`,
    )
    .action(async (flags: CalibrateFlags) => {
      const { calibrateCommand } = await import('../commands/calibrate.ts');
      process.exitCode = await calibrateCommand(flags);
    });
}
