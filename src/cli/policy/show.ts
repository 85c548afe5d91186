import type { Command } from 'commander';
import { hashOf } from '../../hash.ts';
import type { Category, Clause, Example, Policy, PolicyChange } from '../../policy/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { readText } from '../files.ts';
import { exitCodes } from '../print-error.ts';
import { formatCount } from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';

/** `agon policy show [FILE]` */
export function definePolicyShow(command: Command): void {
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

/** `agon policy diff OLD NEW` */
export function definePolicyDiff(command: Command): void {
  command
    .description('Show what changes from one policy to another, by category and clause.')
    .argument('<old>', 'a policy file')
    .argument('<new>', 'another policy file')
    .option('--json', 'print the changes as JSON');
  addExamples(command, [
    'agon policy diff old.yaml new.yaml',
    'agon policy diff old.yaml new.yaml --json | jq .changes',
  ]);
  setAction(command, comparePolicies);
}

async function comparePolicies(before: string, after: string, flags: { json?: boolean }): Promise<number> {
  const { diffPolicies, loadPolicy } = await import('../../policy/index.ts');
  const [from, to] = [await loadPolicy(before), await loadPolicy(after)];
  const changes = diffPolicies(from, to);
  const identify = ({ hash, name, version }: Policy) => ({ hash, name, version });
  printLines(
    flags.json
      ? [JSON.stringify({ version: 1, from: identify(from), to: identify(to), changes })]
      : renderPolicyDiff(from, to, changes),
  );
  return exitCodes.judged;
}

/** What changes from one policy to another: a line for each thing that changed, with what it was and what it is. */
function renderPolicyDiff(from: Policy, to: Policy, changes: readonly PolicyChange[]): string[] {
  const named = ({ name, version }: Policy) => sanitize(`${name} ${version}`);
  if (changes.length === 0) return [`${named(from)} and ${named(to)} are the same.`];
  return [
    style('bold', `${named(from)} → ${named(to)}: ${formatCount(changes.length, 'change')}`),
    ...changes.flatMap(renderChange),
  ];
}

function renderChange({ at, kind, what, before, after }: PolicyChange): string[] {
  const isWhole = what === 'category' || what === 'clause';
  const change = isWhole ? kind : kind === 'changed' ? what : `${what} ${kind}`;
  const place = `${style('cyan', sanitize(at))} ${change}`;
  if (isWhole) return [place, ...renderPart(what, kind, (after ?? before) as Category | Clause)];
  if (what === 'violations' || what === 'exonerations')
    return [place, ...renderExamples(before as readonly Example[], after as readonly Example[])];
  const words = (value: unknown) => sanitize(Array.isArray(value) ? value.join(', ') : String(value));
  return [
    place,
    ...(before === null ? [] : [renderRemoved(words(before))]),
    ...(after === null ? [] : [renderAdded(words(after))]),
  ];
}

function renderPart(what: 'category' | 'clause', kind: PolicyChange['kind'], part: Category | Clause): string[] {
  const clauses = what === 'category' ? (part as Category).clauses : [part as Clause];
  const line = kind === 'added' ? renderAdded : renderRemoved;
  return [
    ...(what === 'category' ? [line(sanitize((part as Category).title))] : []),
    ...clauses.map(({ id, text, severity }) => line(sanitize(`${id} ${text} ${severity}`))),
  ];
}

function renderExamples(before: readonly Example[], after: readonly Example[]): string[] {
  const notIn = (others: readonly Example[]) => {
    const known = new Set(others.map(hashOf));
    return (example: Example) => !known.has(hashOf(example));
  };
  const words = ({ text, imageDescription }: Example) =>
    sanitize(
      [
        ...(text === undefined ? [] : [text]),
        ...(imageDescription === undefined ? [] : [`image: ${imageDescription}`]),
      ].join(' + '),
    );
  const lines = [
    ...before.filter(notIn(after)).map((example) => renderRemoved(words(example))),
    ...after.filter(notIn(before)).map((example) => renderAdded(words(example))),
  ];
  return lines.length > 0 ? lines : ['  reordered'];
}

function renderRemoved(words: string): string {
  return style('red', `  - ${words}`);
}

function renderAdded(words: string): string {
  return style('green', `  + ${words}`);
}
