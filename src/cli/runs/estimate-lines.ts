import type { RunEstimate } from '../../runs/index.ts';
import { formatCount, formatCounts, formatDuration, formatMoney, formatPercent } from '../terminal/format.ts';
import { formatRow, formatTable } from '../terminal/table.ts';
import { sanitize, style } from '../terminal/style.ts';

/** What a run would take, for a terminal: the sums, then by model and seat, then what was taken for granted. */
export function renderEstimate(estimate: RunEstimate): string[] {
  return [
    ...sums(estimate),
    ...byModelAndSeat(estimate),
    ...estimate.assumptions.flatMap((sentence) => formatRow('  ', style('dim', sanitize(sentence)))),
  ];
}

function sums({ job, input, sample, perItem, run, allRounds, atMost, time, cascade, budget }: RunEstimate): string[] {
  const same = input.items - input.judged;
  const failed = Object.values(sample.failed).reduce((sum, own) => sum + own, 0);
  const price =
    run.usd === null || perItem.usd === null
      ? 'price unknown'
      : `about ${formatMoney(run.usd.expected)} (${formatMoney(run.usd.low)} to ${formatMoney(run.usd.high)}), at most ` +
        `${formatMoney(atMost.usd)}; ${formatMoney(perItem.usd.expected)} an item`;
  const lines: [string, string][] = [
    [
      'items',
      `${whole(input.items)}${input.broken > 0 ? `, ${formatCount(input.broken, 'line')} cannot be read` : ''}${same > 0 ? `; about ${whole(same)} have the content of another and are not judged ` + 'again' : ''}`,
    ],
    [
      'sample',
      `${formatCount(sample.items, 'item')} tried, nobody called${failed > 0 ? `; ${failed} could not be judged (${formatCounts(sample.failed)})` : ''}${sample.unargued > 0 ? `; for ${formatCount(sample.unargued, 'turn')} the stand-in had no answer` : ''}`,
    ],
    ['price', price],
    ...(allRounds && allRounds.calls.expected > run.calls.expected
      ? [
          [
            'all rounds',
            `${allRounds.usd === null ? '' : `about ${formatMoney(allRounds.usd.expected)}, `}${whole(allRounds.calls.expected)} ` +
              'calls, where no debate ends early',
          ] as [string, string],
        ]
      : []),
    [
      'calls',
      `about ${whole(run.calls.expected)} (${whole(run.calls.low)} to ${whole(run.calls.high)}), at most ${whole(atMost.calls)}`,
    ],
    [
      'tokens',
      `about ${whole(run.inputTokens.expected)} in (${whole(run.inputTokens.low)} to ` +
        `${whole(run.inputTokens.high)}), ${whole(run.outputTokens.expected)} out`,
    ],
    ['time', `about ${formatDuration(time.seconds)}, for ${time.bound}`],
  ];
  if (cascade) {
    const { debated, saved } = cascade;
    lines.push([
      'cascade',
      `${formatPercent(debated.expected)} debated (${formatPercent(debated.low)} to ${formatPercent(debated.high)}); ${formatCount(Math.round(saved.calls), 'call')}${saved.usd === null ? '' : ` and ${formatMoney(saved.usd)}`} ` +
        'saved',
    ]);
  }
  if (budget) lines.push(['budget', budgetWords(budget, input.judged)]);
  const width = Math.max(...lines.map(([name]) => name.length));
  return [
    style('bold', `Estimate of a run of ${job}`),
    ...lines.flatMap(([name, words]) => formatRow(`  ${name.padEnd(width)}  `, sanitize(words))),
  ];
}

function budgetWords({ usd, tokens, covers, items }: NonNullable<RunEstimate['budget']>, judged: number): string {
  const sum = [usd !== null && formatMoney(usd), tokens !== null && formatCount(tokens, 'token')]
    .filter(Boolean)
    .join(' and ');
  const words = {
    surely: 'covers the run even at its dearest',
    likely: 'covers the run, unless its calls come near their worst case',
    no: `does not cover the run: it ends after about ${whole(items ?? 0)} of ${whole(judged)} items`,
    unknown: 'cannot be held, since the price of a model is not known',
  };
  return `${sum} ${words[covers]}`;
}

function byModelAndSeat({ byModel, bySeat }: RunEstimate): string[] {
  if (byModel.length === 0) return [];
  const figures = ({
    calls,
    inputTokens,
    outputTokens,
    usd,
  }: RunEstimate['bySeat'][number] | RunEstimate['byModel'][number]) => [
    whole(calls),
    whole(inputTokens),
    whole(outputTokens),
    formatMoney(usd),
  ];
  return [
    ...formatTable([
      ['by model', 'calls', 'tokens in', 'tokens out', 'price', 'at most'],
      ...byModel.map((own) => [sanitize(own.model), ...figures(own), formatMoney(own.atMostUsd)]),
    ]).map((line) => `  ${line}`),
    ...formatTable(
      [
        ['by seat', 'model', 'calls', 'tokens in', 'tokens out', 'price', 'length of answers'],
        ...bySeat.map((own) => [
          own.seat,
          sanitize(own.model),
          ...figures(own),
          own.pastTurns === null ? 'assumed' : `from ${own.pastTurns} turns`,
        ]),
      ],
      [0, 1],
    ).map((line) => `  ${line}`),
  ];
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
