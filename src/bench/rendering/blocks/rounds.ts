import { amount, figure, name, number, points, words, type Block } from '../block.ts';
import type { MeasuredSet } from '../measured-set.ts';
import { mainMetric, metricWords } from '../metric-names.ts';
import { count, dollars, signed } from '../writing.ts';
import { markOf } from './marks.ts';

/** What more rounds add and what they cost more. Null where all debates have as many. */
export function roundsBlock(set: MeasuredSet): Block | null {
  const { sheet, figures } = set;
  const debates = sheet.systems.flatMap((system, place) => (system.kind === 'debate' && system.rounds !== null ? [{ system, rounds: system.rounds, figures: figures.systems[place]! }] : [])).toSorted((a, b) => a.rounds - b.rounds);
  if (new Set(debates.map(({ rounds }) => rounds)).size < 2) return null;
  const metric = mainMetric(set);
  const { perItem: least } = debates[0]!.figures.cost;
  const first = debates[0]!.figures.scores[metric].value;
  const increase = (value: number | null, from: number | null) => (value === null || from === null || from === 0 ? null : value / from - 1);
  const inPercent = (value: number) => signed(Math.round(value * 100), (size) => `${size} %`);
  return {
    title: 'Rounds', lead: 'What each number of rounds gives, and what it costs more than the fewest.',
    table: {
      head: [words('System'), number('Rounds'), number(metricWords[metric].title), number('Points'), number('Tokens an item'), number('more tokens'), number('Dollars an item'), number('more dollars')],
      rows: debates.map(({ system, rounds, figures: { scores, cost: { perItem } } }) => [
        name(system.name), amount(rounds), figure(scores[metric], { mark: markOf(system) }),
        points({ value: first === null || scores[metric].value === null ? null : scores[metric].value - first, interval: null }),
        amount(perItem.tokens, (tokens) => count(Math.round(tokens))), amount(increase(perItem.tokens, least.tokens), inPercent),
        amount(perItem.costUsd, dollars), amount(increase(perItem.costUsd, least.costUsd), inPercent),
      ]),
    },
  };
}
