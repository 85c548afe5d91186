import type { FigurePlace } from '../../figures/set-figures.ts';
import { cell, type BenchBlock, type BlockCell, type ItemName, type MeasuredSet, tableHead } from '../block.ts';
import { writeCount } from '../write-values.ts';
import { shortenCharacters } from '@agonhq/engine/text';

const mostListed = 200;
const mostProblems = 50;

/** The item's id, or its line where it has none. */
export function nameItem({ line, id }: FigurePlace, note?: string): ItemName {
  return { line, name: id ?? `line ${line}`, ...(note !== undefined && { note }) };
}

/** Every item that nobody decided. */
export function unsettledBlock({ figures, result }: MeasuredSet): BenchBlock {
  const rows = figures.systems.flatMap(({ name, unsettled: { undecided, failed } }): BlockCell[][] => [
    ...(undecided.length > 0 ? [unsettledRow(name, cell.text('undecided'), undecided)] : []),
    ...failures(name, failed),
  ]);
  const title = 'Undecided and failed items';
  if (rows.length === 0) return { title, lead: 'Every system decided every item.' };
  return {
    title,
    lead:
      (result.parameters.invalid === 'error' ? 'They count as errors above.' : 'They are left out above.') +
      (result.parameters.repeats > 1 ? ' Listed is what was not settled in one repeat at least.' : ''),
    table: {
      head: [...tableHead('System | What', 'Items'), cell.text('Which (the line where there is no id)')],
      rows,
    },
    ...(rows.length > mostProblems && {
      notes: [`Reasons beyond the first ${mostProblems} of a system are not listed: --json has all.`],
    }),
  };
}

function unsettledRow(system: string, what: BlockCell, places: readonly FigurePlace[]): BlockCell[] {
  const more = places.length - mostListed;
  const listed = {
    text: more > 0 ? `${more} more and` : '',
    items: places.slice(0, mostListed).map((place) => nameItem(place)),
  };
  return [cell.name(system), what, cell.amount(places.length), listed];
}

function failures(
  system: string,
  failed: MeasuredSet['figures']['systems'][number]['unsettled']['failed'],
): BlockCell[][] {
  const byProblem = [...Map.groupBy(failed, ({ problem }) => shortenCharacters(problem ?? '', 200))].slice(
    0,
    mostProblems,
  );
  return byProblem.map(([problem, places]) =>
    unsettledRow(system, problem === '' ? cell.text('failed') : cell.name(`failed: ${problem}`), places),
  );
}

/** Where seats did not answer: such figures are not those of the debate. Null if all answered. */
export function fallbacksBlock({ result }: MeasuredSet): BenchBlock | null {
  const rows = result.systems.flatMap(({ name, repeats }) => {
    const judged = repeats.flat().filter(({ usage }) => usage !== null);
    const silent = judged
      .map(({ turns }) => turns.flatMap(({ fallback }) => fallback ?? []))
      .filter(({ length }) => length > 0);
    if (silent.length === 0) return [];
    const reasons = [...new Set(silent.flat())].join(', ');
    return [
      [
        cell.name(name),
        cell.amount(judged.length, writeCount),
        cell.amount(silent.length, writeCount),
        cell.name(reasons),
      ],
    ];
  });
  if (rows.length === 0) return null;
  return {
    title: 'Seats without an answer',
    lead: 'Judgements in which a seat gave no answer and its fallback was used: such figures are not those of a debate.',
    table: { head: [...tableHead('System', 'Judged | With a fallback'), cell.text('Why')], rows },
  };
}
