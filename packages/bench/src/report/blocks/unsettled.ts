import type { FigurePlace } from '../../figures/set-figures.ts';
import { cell, type BenchBlock, type BlockCell, type ItemName, type MeasuredSet, tableHead } from '../block.ts';
import { shortenCharacters } from '@agonhq/engine/text';

const mostListed = 200;
const mostProblems = 50;

/** The item's id, or its line where it has none. */
export function nameItem({ line, id }: FigurePlace, note?: string): ItemName {
  return { line, name: id ?? `line ${line}`, ...(note !== undefined && { note }) };
}

/** Every item that nobody decided. */
export function unsettledBlock({ figures, result }: MeasuredSet): BenchBlock {
  const rows = figures.systems.flatMap((system): BlockCell[][] => [
    ...(system.unsettled.undecided.length > 0
      ? [
          [
            cell.name(system.name),
            cell.text('undecided'),
            cell.amount(system.unsettled.undecided.length),
            listed(system.unsettled.undecided),
          ],
        ]
      : []),
    ...failures(system.name, system.unsettled.failed),
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

function listed(places: readonly FigurePlace[]): BlockCell {
  const more = places.length - mostListed;
  return {
    text: more > 0 ? `${more} more and` : '',
    items: places.slice(0, mostListed).map((place) => nameItem(place)),
  };
}

function failures(
  system: string,
  failed: MeasuredSet['figures']['systems'][number]['unsettled']['failed'],
): BlockCell[][] {
  const byProblem = [...Map.groupBy(failed, ({ problem }) => shortenCharacters(problem ?? '', 200))].slice(
    0,
    mostProblems,
  );
  return byProblem.map(([problem, places]) => [
    cell.name(system),
    problem === '' ? cell.text('failed') : cell.name(`failed: ${problem}`),
    cell.amount(places.length),
    listed(places),
  ]);
}
