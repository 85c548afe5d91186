import {
  amount,
  countOf,
  name,
  number,
  percent,
  title,
  words,
  type Block,
  type Cell,
  type ScatterChart,
  type MeasuredSet,
  figure,
  points,
} from '../block.ts';
import { mainMetric, metricWords } from '../metric-names.ts';
import { count, dollars, milliseconds, seconds, signed } from '../write-values.ts';
import type { CostFigures } from '../../figures/set-figures.ts';
import { markOf } from '../training-marks.ts';

const price = (value: number | null): Cell =>
  value === null ? { text: 'not known', number: true, sort: null } : amount(value, dollars);

const inTime = 'milliseconds an item';

/** Calls, tokens and dollars. */
export function costBlock(set: MeasuredSet, times: boolean): Block {
  const { figures } = set;
  const chart = costAgainstQuality(set, times);
  return {
    title: 'Cost',
    lead: `In all, and by item the mean of one judgement. Cached tokens are part of the tokens in.${chart ? ' The dotted line joins the systems that nothing cheaper equals.' : ''}`,
    ...(chart && { chart }),
    ...(chart?.across === inTime && {
      notes: [
        'Embedded seats share what they read of a text: the first system pays for those after it. To compare ' +
          'times, measure one at a time.',
      ],
    }),
    table: {
      head: [
        words('System'),
        ...[
          'Judged',
          'Calls',
          'Tokens in',
          'of them cached',
          'Tokens out',
          'Dollars',
          'Calls an item',
          'Tokens an item',
          'Dollars an item',
        ].map((title) => number(title)),
      ],
      rows: figures.systems.map(({ name: system, cost }) => [
        name(system),
        ...[cost.judged, cost.calls, cost.inputTokens, cost.cachedTokens, cost.outputTokens].map((value) =>
          amount(value, count),
        ),
        price(cost.costUsd),
        amount(cost.perItem.calls, (calls) => countOf(Number(calls.toFixed(1)))),
        amount(cost.perItem.tokens, (tokens) => count(Math.round(tokens))),
        price(cost.perItem.costUsd),
      ]),
    },
  };
}

/** Which model took which share of it. */
export function sharesBlock({ figures }: MeasuredSet): Block | null {
  const rows = figures.systems.flatMap(({ name: system, cost }) =>
    cost.byModel.map(({ model, calls, callShare, tokens, tokenShare, costUsd }) => [
      name(system),
      name(model),
      amount(calls, count),
      amount(callShare, percent),
      amount(tokens, count),
      amount(tokenShare, percent),
      price(costUsd),
    ]),
  );
  if (rows.length === 0) return null;
  return {
    title: 'Cost by model',
    lead: 'Which model took which share of the calls and of the tokens, in percent.',
    table: {
      head: [
        words('System'),
        words('Model'),
        ...['Calls', 'Share of calls', 'Tokens', 'Share of tokens', 'Dollars'].map((title) => number(title)),
      ],
      rows,
    },
  };
}

/** In dollars; where nothing costs any, in tokens; where nobody spends tokens, in time. */
function costAgainstQuality(set: MeasuredSet, times: boolean): ScatterChart | null {
  const { systems } = set.figures;
  const metric = mainMetric(set);
  const units = [
    {
      across: 'dollars an item',
      written: dollars,
      costOf: ({ cost }: (typeof systems)[number]) => cost.perItem.costUsd,
    },
    {
      across: 'tokens an item',
      written: (tokens: number) => count(Math.round(tokens)),
      costOf: ({ cost }: (typeof systems)[number]) => cost.perItem.tokens,
    },
    ...(times
      ? [{ across: inTime, written: milliseconds, costOf: ({ cost }: (typeof systems)[number]) => cost.latencyMs.mean }]
      : []),
  ];
  for (const { across, written, costOf } of units) {
    const points = systems.flatMap((system) => {
      const cost = costOf(system);
      const quality = system.scores[metric];
      return cost === null || quality.value === null ? [] : [{ name: system.name, cost, quality }];
    });
    if (points.length > 1 && points.some(({ cost }) => cost > 0))
      return {
        kind: 'scatter',
        title: `${metricWords[metric].title} against cost`,
        across,
        up: metricWords[metric].title,
        written,
        points,
      };
  }
  return null;
}

/** How long a system took over all items of a set. */
export function totalSeconds({
  judged,
  itemsPerSecond,
}: Pick<CostFigures, 'judged' | 'itemsPerSecond'>): number | null {
  return itemsPerSecond === null || itemsPerSecond === 0 ? null : judged / itemsPerSecond;
}

/** The one table with times in it: they differ from run to run. */
export function timeBlock(sets: readonly MeasuredSet[]): Block {
  return {
    title: 'Time',
    lead:
      'How long one item took while others ran beside it, how long all of them took, and how many were judged ' +
      'a second. Times differ from run to run; nothing above depends on them.',
    table: {
      head: [
        words('Set'),
        words('System'),
        ...['mean', 'p50', 'p95', 'p99', 'in all', 'items a second'].map((title) => number(title)),
      ],
      rows: sets.flatMap(({ sheet, figures }) =>
        figures.systems.map(({ name: system, cost: { latencyMs, judged, itemsPerSecond } }) => [
          title(sheet.data.title),
          name(system),
          ...[latencyMs.mean, latencyMs.p50, latencyMs.p95, latencyMs.p99].map((value) => amount(value, milliseconds)),
          amount(totalSeconds({ judged, itemsPerSecond }), seconds),
          amount(itemsPerSecond, (rate) => rate.toFixed(1)),
        ]),
      ),
    },
  };
}

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
