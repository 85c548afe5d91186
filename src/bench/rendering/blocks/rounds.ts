import { amount, figure, name, number, points, words, type Block } from '../block.ts';
import type { MeasuredSet } from '../measured-set.ts';
import { mainMetric, metricWords } from '../metric-names.ts';
import { count, dollars, seconds, signed } from '../writing.ts';
import { totalSeconds } from './cost.ts';
import { markOf } from './marks.ts';

/**
 * What more rounds add and what they cost more (Aetheria's Table 4); the time that they took where times are shown.
 * Null where all debates have as many.
 */
export function roundsBlock(set: MeasuredSet, times: boolean): Block | null {
  const { sheet, figures } = set;
  const debates = sheet.systems
    .flatMap((system, place) =>
      system.kind === 'debate' && system.rounds !== null
        ? [{ system, rounds: system.rounds, figures: figures.systems[place]! }]
        : [],
    )
    .toSorted((a, b) => a.rounds - b.rounds);
  if (new Set(debates.map(({ rounds }) => rounds)).size < 2) return null;
  const metric = mainMetric(set);
  const { perItem: least } = debates[0]!.figures.cost;
  const shortest = totalSeconds(debates[0]!.figures.cost);
  const first = debates[0]!.figures.scores[metric].value;
  const increase = (value: number | null, from: number | null) =>
    value === null || from === null || from === 0 ? null : value / from - 1;
  const inPercent = (value: number) => signed(Math.round(value * 100), (size) => `${size} %`);
  return {
    title: 'Rounds',
    lead: 'What each number of rounds gives, and what it costs more than the fewest.',
    table: {
      head: [
        words('System'),
        number('Rounds'),
        number(metricWords[metric].title),
        number('Points'),
        number('Tokens an item'),
        number('more tokens'),
        number('Dollars an item'),
        number('more dollars'),
        ...(times ? [number('Total time'), number('more time')] : []),
      ],
      rows: debates.map(({ system, rounds, figures: { scores, cost } }) => [
        name(system.name),
        amount(rounds),
        figure(scores[metric], { mark: markOf(system) }),
        points({
          value: first === null || scores[metric].value === null ? null : scores[metric].value - first,
          interval: null,
        }),
        amount(cost.perItem.tokens, (tokens) => count(Math.round(tokens))),
        amount(increase(cost.perItem.tokens, least.tokens), inPercent),
        amount(cost.perItem.costUsd, dollars),
        amount(increase(cost.perItem.costUsd, least.costUsd), inPercent),
        ...(times
          ? [amount(totalSeconds(cost), seconds), amount(increase(totalSeconds(cost), shortest), inPercent)]
          : []),
      ]),
    },
  };
}
