import { hashOf } from '../../hash.ts';
import type { Category, Clause, Example, Policy, PolicyChange } from '../../policy/index.ts';
import { formatCount } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';

/** What changes from one policy to another: a line for each thing that changed, with what it was and what it is. */
export function renderPolicyDiff(from: Policy, to: Policy, changes: readonly PolicyChange[]): string[] {
  const named = ({ name, version }: Policy) => sanitize(`${name} ${version}`);
  if (changes.length === 0) return [`${named(from)} and ${named(to)} say the same.`];
  return [
    style('bold', `${named(from)} → ${named(to)}: ${formatCount(changes.length, 'change')}`),
    ...changes.flatMap(linesOf),
  ];
}

function linesOf({ at, kind, what, before, after }: PolicyChange): string[] {
  const place = `${style('cyan', sanitize(at))} ${what === 'category' || what === 'clause' ? kind : `${what} ${kind === 'changed' ? '' : kind}`.trim()}`;
  if (what === 'category' || what === 'clause')
    return [place, ...partLines(what, kind, (after ?? before) as Category | Clause)];
  if (what === 'violations' || what === 'exonerations')
    return [place, ...exampleLines(before as readonly Example[], after as readonly Example[])];
  const words = (value: unknown) => sanitize(Array.isArray(value) ? value.join(', ') : String(value));
  return [place, ...(before === null ? [] : [gone(words(before))]), ...(after === null ? [] : [come(words(after))])];
}

function partLines(what: 'category' | 'clause', kind: PolicyChange['kind'], part: Category | Clause): string[] {
  const clauses = what === 'category' ? (part as Category).clauses : [part as Clause];
  const line = kind === 'added' ? come : gone;
  return [
    ...(what === 'category' ? [line(sanitize((part as Category).title))] : []),
    ...clauses.map(({ id, text, severity }) => line(sanitize(`${id} ${text} ${severity}`))),
  ];
}

function exampleLines(before: readonly Example[], after: readonly Example[]): string[] {
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
    ...before.filter(notIn(after)).map((example) => gone(words(example))),
    ...after.filter(notIn(before)).map((example) => come(words(example))),
  ];
  return lines.length > 0 ? lines : ['  in another order'];
}

function gone(words: string): string {
  return style('red', `  - ${words}`);
}

function come(words: string): string {
  return style('green', `  + ${words}`);
}
