import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { exitCodes } from '../print-error.ts';
import { readText } from '../read-input.ts';
import { sanitize, style } from '../terminal/style.ts';

/** `agon policy show [FILE]` */
export function define(command: Command): void {
  command
    .description('Show the clauses of a policy with their severity, or the policy file itself.')
    .argument('[file]', 'policy file (default: the policy that Agon ships)')
    .option('--json', 'print the policy as JSON')
    .option('--yaml', 'print the file itself, as a starting point for your own');
  addExamples(command, ['agon policy show', 'agon policy show --yaml > my.yaml']);
  setAction(command, showPolicy);
}

async function showPolicy(file: string | undefined, flags: { json?: boolean; yaml?: boolean }): Promise<number> {
  const { defaultPolicy, defaultPolicyFile, loadPolicy } = await import('../../policy/index.ts');
  const policy = file ? await loadPolicy(file) : await defaultPolicy();
  if (flags.yaml) process.stdout.write(await readText(file ?? (await defaultPolicyFile())));
  else if (flags.json) process.stdout.write(`${JSON.stringify(policy)}\n`);
  else {
    const categories = policy.categories.flatMap((category) => [
      '',
      style('bold', sanitize(category.title)),
      ...category.clauses.map(
        (clause) => `  ${style('cyan', sanitize(clause.id))} ${sanitize(clause.text)} ${style('dim', clause.severity)}`,
      ),
    ]);
    const title = `${sanitize(policy.name)} ${sanitize(policy.version)}  ${style('dim', policy.hash)}`;
    process.stdout.write([title, ...categories, ''].join('\n'));
  }
  return exitCodes.judged;
}
