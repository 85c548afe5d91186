import type { Command } from 'commander';
import type { VerifyFlags } from '../commands/verify.ts';
import { collect } from '../option-groups.ts';

export function addVerify(program: Command): void {
  program
    .command('verify')
    .summary('recheck an answer offline, by code alone')
    .description(
      'Recheck an answer of any job offline, by code alone: its seal, what was judged, every quotation, the ' +
        'equations, the arithmetic, and the rules.',
    )
    .argument('<answer.json>', 'an answer, as --json or --report answer.json wrote it; - for standard input')
    .option(
      '--source <file>',
      'the text, image, prompt, response or report that was judged, to be held against the answer; of a dossier, ' +
        'each of its files',
      collect,
    )
    .option('--policy <file>', 'the policy it was judged under, when it is not the default one')
    .option('--json', 'print the checks as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  agon verify answer.json\n  agon verify answer.json --source post.txt --policy my.yaml\n  ' +
        'agon verify trace.json --source report.pdf --source figures.xlsx\n\nExit codes: 0 everything holds, 1 ' +
        'something does not.\n',
    )
    .action(async (file: string, flags: VerifyFlags) => {
      const { verifyCommand } = await import('../commands/verify.ts');
      process.exitCode = await verifyCommand(file, flags);
    });
}
