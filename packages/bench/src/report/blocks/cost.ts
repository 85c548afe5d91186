import {
  cell,
  writePercent,
  type BenchBlock,
  type BlockCell,
  type ScatterChart,
  type MeasuredSet,
  tableHead,
} from '../block.ts';
import { mainMetric, metricFormats } from '../metric-names.ts';
import { writeCount, writeDollars, writeMilliseconds, writeInSeconds, writeSigned } from '../write-values.ts';
import type { CostFigures } from '../../figures/set-figures.ts';
import { trainingMark } from '../training-marks.ts';

const price = (value: number | null): BlockCell =>
  value === null ? { text: 'not known', number: true, sort: null } : cell.amount(value, writeDollars);

const inTime = 'milliseconds per item';

/** Calls, tokens and dollars. */
export function costBlock(set: MeasuredSet, times: boolean): BenchBlock {
  const { figures } = set;
  const chart = costAgainstQuality(set, times);
  return {
    title: 'Cost',
    lead: 'Totals, and the mean of one judgement per item. Cached tokens are part of the tokens in.',
    ...(chart && { chart }),
    ...(chart?.across === inTime && {
      notes: [
        'Embedded seats share their reading of a text, so the first system pays for the rest. To compare ' +
          'times, measure one at a time.',
      ],
    }),
    table: {
      head: tableHead(
        'System',
        'Judged | Calls | Tokens in | Cached | Tokens out | Dollars | ' +
          'Calls per item | Tokens per item | Dollars per item',
      ),
      rows: figures.systems.map(({ name: system, cost }) => [
        cell.name(system),
        ...[cost.judged, cost.calls, cost.inputTokens, cost.cachedTokens, cost.outputTokens].map((value) =>
          cell.amount(value, writeCount),
        ),
        price(cost.costUsd),
        cell.amount(cost.perItem.calls),
        cell.amount(cost.perItem.tokens, (tokens) => writeCount(Math.round(tokens))),
        price(cost.perItem.costUsd),
      ]),
    },
  };
}

/** Which model took which share of it. */
export function sharesBlock({ figures }: MeasuredSet): BenchBlock | null {
  const rows = figures.systems.flatMap(({ name: system, cost }) =>
    cost.byModel.map(({ model, calls, callShare, tokens, tokenShare, costUsd }) => [
      cell.name(system),
      cell.name(model),
      cell.amount(calls, writeCount),
      cell.amount(callShare, writePercent),
      cell.amount(tokens, writeCount),
      cell.amount(tokenShare, writePercent),
      price(costUsd),
    ]),
  );
  if (rows.length === 0) return null;
  return {
    title: 'Cost by model',
    lead: 'Which model took which share of the calls and of the tokens, in percent.',
    table: {
      head: tableHead('System | Model', 'Calls | Share of calls | Tokens | Share of tokens | Dollars'),
      rows,
    },
  };
}

interface CostUnit extends Pick<ScatterChart, 'across' | 'written'> {
  costOf: (cost: CostFigures) => number | null;
}

/** In dollars; where nothing costs any, in tokens; where nobody spends tokens, in time. */
function costAgainstQuality(set: MeasuredSet, times: boolean): ScatterChart | null {
  const { systems } = set.figures;
  const metric = mainMetric(set);
  const units: CostUnit[] = [
    { across: 'dollars per item', written: writeDollars, costOf: ({ perItem }) => perItem.costUsd },
    {
      across: 'tokens per item',
      written: (tokens) => writeCount(Math.round(tokens)),
      costOf: ({ perItem }) => perItem.tokens,
    },
  ];
  if (times) units.push({ across: inTime, written: writeMilliseconds, costOf: ({ latencyMs }) => latencyMs.mean });
  for (const { across, written, costOf } of units) {
    const points = systems.flatMap((system) => {
      const cost = costOf(system.cost);
      const quality = system.scores[metric];
      return cost === null || quality.value === null ? [] : [{ name: system.name, cost, quality }];
    });
    if (points.length > 1 && points.some(({ cost }) => cost > 0))
      return {
        kind: 'scatter',
        title: `${metricFormats[metric].title} against cost`,
        across,
        up: metricFormats[metric].title,
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
export function timeBlock(sets: readonly MeasuredSet[]): BenchBlock {
  return {
    title: 'Time',
    lead:
      'How long one item took while others ran in parallel, how long all of them took, and how many were judged ' +
      'per second. Times differ from run to run; nothing above depends on them.',
    table: {
      head: tableHead('Set | System', 'mean | p50 | p95 | p99 | total | items per second'),
      rows: sets.flatMap(({ result, figures }) =>
        figures.systems.map(({ name: system, cost: { latencyMs, judged, itemsPerSecond } }) => [
          cell.title(result.data.title),
          cell.name(system),
          ...[latencyMs.mean, latencyMs.p50, latencyMs.p95, latencyMs.p99].map((value) =>
            cell.amount(value, writeMilliseconds),
          ),
          cell.amount(totalSeconds({ judged, itemsPerSecond }), writeInSeconds),
          cell.amount(itemsPerSecond, (rate) => rate.toFixed(1)),
        ]),
      ),
    },
  };
}

/**
 * What more rounds add and what they cost more (Aetheria's Table 4); the time that they took where times are shown.
 * Null where all debates have as many.
 */
export function roundsBlock(set: MeasuredSet, times: boolean): BenchBlock | null {
  const { result, figures } = set;
  const debates = result.systems
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
  const inPercent = (value: number) => writeSigned(Math.round(value * 100), (size) => `${size} %`);
  return {
    title: 'Rounds',
    lead: 'What each number of rounds achieves, and its extra cost over the fewest.',
    table: {
      head: [
        ...tableHead('System', `Rounds | ${metricFormats[metric].title} | Points`),
        ...tableHead('', 'Tokens per item | more tokens | Dollars per item | more dollars'),
        ...tableHead('', times ? 'Total time | more time' : ''),
      ],
      rows: debates.map(({ system, rounds, figures: { scores, cost } }) => [
        cell.name(system.name),
        cell.amount(rounds),
        cell.estimate(scores[metric], { mark: trainingMark(system) }),
        cell.points({
          value: first === null || scores[metric].value === null ? null : scores[metric].value - first,
          interval: null,
        }),
        cell.amount(cost.perItem.tokens, (tokens) => writeCount(Math.round(tokens))),
        cell.amount(increase(cost.perItem.tokens, least.tokens), inPercent),
        cell.amount(cost.perItem.costUsd, writeDollars),
        cell.amount(increase(cost.perItem.costUsd, least.costUsd), inPercent),
        ...(times
          ? [
              cell.amount(totalSeconds(cost), writeInSeconds),
              cell.amount(increase(totalSeconds(cost), shortest), inPercent),
            ]
          : []),
      ]),
    },
  };
}
