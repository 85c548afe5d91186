import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/*
 * `npm run lint`: how many lines each package has, without its tests, and how many it may have (house.json). Whoever
 * needs more raises the figure, and says in docs/decisions/budget.md for what, for whom, and what was looked for to
 * take out instead. Whoever takes something out lowers it.
 */

const root = path.join(import.meta.dirname, '..');
const budget = JSON.parse(readFileSync(path.join(root, 'house.json'), 'utf8')) as Record<string, number>;
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'packages', 'scripts', 'test'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => /\.(?:tsx?|css|html|py)$/.test(file) && existsSync(path.join(root, file)));

/** Tests and what they share count together: they may grow as what they hold to account needs it. */
const isTest = (file: string) => /\.test\.tsx?$|(?:^|\/)test\//.test(file);
const lines = new Map<string, number>();
for (const file of files.filter((one) => !isTest(one))) {
  const [first, second] = file.split('/');
  const name = first === 'packages' ? second! : first!;
  const count = readFileSync(path.join(root, file), 'utf8').split('\n').length - 1;
  lines.set(name, (lines.get(name) ?? 0) + count);
}

const names = [...new Set([...Object.keys(budget), ...lines.keys()])].toSorted();
const rows = names.map((name) => ({ name, has: lines.get(name) ?? 0, may: budget[name] ?? 0 }));
const sum = rows.reduce((all, { has, may }) => ({ has: all.has + has, may: all.may + may }), { has: 0, may: 0 });
for (const { name, has, may } of [...rows, { name: 'together', ...sum }])
  console.log(
    `${name.padEnd(10)} ${String(has).padStart(7)} of ${String(may).padStart(7)}${has > may ? '  too many' : ''}`,
  );
const over = rows.filter(({ has, may }) => has > may);
if (over.length > 0)
  console.error(
    `${over.map(({ name, has, may }) => `${name} has ${has - may} lines more than house.json gives it`).join('; ')}. ` +
      'Take something out, or raise the figure with a line in docs/decisions/budget.md.',
  );
process.exit(over.length > 0 ? 1 : 0);
