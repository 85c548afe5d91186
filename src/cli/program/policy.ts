import type { Command } from 'commander';
import type { PolicyShowFlags } from '../commands/policy-show.ts';
import type { PolicyTestFlags } from '../commands/policy-test.ts';
import { concurrency, list, withModeration } from '../option-groups.ts';

export function addPolicy(program: Command): void {
  const policy = program.command('policy').description('Read, compare and test policies.');

  policy
    .command('show')
    .description('Show a policy: its clauses with their severity, or the file itself.')
    .argument('[file]', 'a policy file (default: the policy Agon ships)')
    .option('--json', 'print the policy as JSON')
    .option('--yaml', 'print the file itself, as a start for your own')
    .addHelpText('after', '\nExamples:\n  agon policy show\n  agon policy show --yaml > my.yaml\n')
    .action(async (file: string | undefined, flags: PolicyShowFlags) => {
      const { policyShowCommand } = await import('../commands/policy-show.ts');
      process.exitCode = await policyShowCommand(file, flags);
    });

  policy
    .command('diff')
    .description('Show what changes from one policy to another, by category and clause.')
    .argument('<old>', 'a policy file')
    .argument('<new>', 'another')
    .option('--json', 'print the changes as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  agon policy diff old.yaml new.yaml\n  agon policy diff old.yaml new.yaml --json | jq .changes\n',
    )
    .action(async (before: string, after: string, flags: { json?: boolean }) => {
      const { policyDiffCommand } = await import('../commands/policy-diff.ts');
      process.exitCode = await policyDiffCommand(before, after, flags);
    });

  withModeration(
    policy
      .command('test')
      .description("Judge a policy's own examples, and report which clauses do not catch theirs.")
      .argument('[file]', 'a policy file (default: the policy Agon ships)')
      .option('--clause <ids>', 'only these clauses or categories', list)
      .option('--concurrency <n>', 'examples judged at once', concurrency, 8)
      .option('--json', 'print the results as JSON')
      .option('-q, --quiet', 'no progress'),
    { policy: false },
  )
    .addHelpText(
      'after',
      '\nExamples:\n  agon policy test my.yaml\n  agon policy test my.yaml --clause weapons,fraud.scam ' +
        '--json\n\nExit codes: 0 every example is judged as its clause says, 1 some are not.\n',
    )
    .action(async (file: string | undefined, flags: PolicyTestFlags) => {
      const { policyTestCommand } = await import('../commands/policy-test.ts');
      process.exitCode = await policyTestCommand(file, flags);
    });
}
