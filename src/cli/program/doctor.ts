import type { Command } from 'commander';
import type { DoctorFlags } from '../commands/doctor.ts';
import { withLedger } from '../option-groups.ts';

export function addDoctor(program: Command): void {
  withLedger(
    program
      .command('doctor')
      .summary('check that everything Agon needs is there')
      .description(
        'Check what Agon needs: Node, settings, policy, ledger, disk, precedents, models and keys. No language ' +
          'model is called; an embedding model that is set embeds one word.',
      )
      .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
      .option('--json', 'print the checks as JSON'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon doctor\n  agon doctor --ledger postgres://agon@db/agon --json\n\nExit codes: 0 nothing ' +
        'is broken, 1 something is.\n',
    )
    .action(async (flags: DoctorFlags) => {
      const { doctorCommand } = await import('../commands/doctor.ts');
      process.exitCode = await doctorCommand(flags);
    });
}
