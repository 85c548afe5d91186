import { readFile } from 'node:fs/promises';
import { defaultPolicy, defaultPolicyFile, loadPolicy } from '../../policy/index.ts';
import { exitCodes } from '../print-error.ts';
import { sanitize, style } from '../terminal/style.ts';

export interface PolicyShowFlags {
  json?: boolean;
  yaml?: boolean;
}

/** `agon policy show`: returns the exit code. */
export async function policyShowCommand(file: string | undefined, flags: PolicyShowFlags): Promise<number> {
  const policy = file ? await loadPolicy(file) : await defaultPolicy();
  if (flags.yaml) process.stdout.write(await readFile(file ?? (await defaultPolicyFile()), 'utf8'));
  else if (flags.json) process.stdout.write(`${JSON.stringify(policy)}\n`);
  else {
    const categories = policy.categories.flatMap((category) => [
      '',
      style('bold', sanitize(category.title)),
      ...category.clauses.map(
        (clause) => `  ${style('cyan', sanitize(clause.id))} ${sanitize(clause.text)} ${style('dim', clause.severity)}`,
      ),
    ]);
    process.stdout.write(
      [`${sanitize(policy.name)} ${sanitize(policy.version)}  ${style('dim', policy.hash)}`, ...categories, ''].join(
        '\n',
      ),
    );
  }
  return exitCodes.judged;
}
