import type { RunEstimate } from '../../runs/index.ts';
import { count, counted, duration, money, percent } from '../terminal/format.ts';
import { namedRow, textTable } from '../terminal/table.ts';
import { plain, styled } from '../terminal/style.ts';

/** What a run would take, for a terminal: the sums, then by model and seat, then what was taken for granted. */
export function estimateLines(estimate: RunEstimate): string[] {
  return [
    ...sums(estimate),
    ...byModelAndSeat(estimate),
    ...estimate.assumptions.flatMap((sentence) => namedRow('  ', styled('dim', plain(sentence)))),
  ];
}

function sums({ job, input, sample, perItem, run, allRounds, atMost, time, cascade, budget }: RunEstimate): string[] {
  const same = input.items - input.judged;
  const failed = Object.values(sample.failed).reduce((sum, own) => sum + own, 0);
  const price =
    run.usd === null || perItem.usd === null
      ? 'price unknown'
      : `about ${money(run.usd.expected)} (${money(run.usd.low)} to ${money(run.usd.high)}), at most ` +
        `${money(atMost.usd)}; ${money(perItem.usd.expected)} an item`;
  const lines: [string, string][] = [
    [
      'items',
      `${whole(input.items)}${input.broken > 0 ? `, ${count(input.broken, 'line')} cannot be read` : ''}${same > 0 ? `; about ${whole(same)} have the content of another and are not judged ` + 'again' : ''}`,
    ],
    [
      'sample',
      `${count(sample.items, 'item')} tried, nobody called${failed > 0 ? `; ${failed} could not be judged (${counted(sample.failed)})` : ''}${sample.unargued > 0 ? `; for ${count(sample.unargued, 'turn')} the stand-in had no answer` : ''}`,
    ],
    ['price', price],
    ...(allRounds && allRounds.calls.expected > run.calls.expected
      ? [
          [
            'all rounds',
            `${allRounds.usd === null ? '' : `about ${money(allRounds.usd.expected)}, `}${whole(allRounds.calls.expected)} ` +
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
    ['time', `about ${duration(time.seconds)}, for ${time.bound}`],
  ];
  if (cascade) {
    const { debated, saved } = cascade;
    lines.push([
      'cascade',
      `${percent(debated.expected)} debated (${percent(debated.low)} to ${percent(debated.high)}); ${count(Math.round(saved.calls), 'call')}${saved.usd === null ? '' : ` and ${money(saved.usd)}`} ` +
        'saved',
    ]);
  }
  if (budget) lines.push(['budget', budgetWords(budget, input.judged)]);
  const width = Math.max(...lines.map(([name]) => name.length));
  return [
    styled('bold', `Estimate of a run of ${job}`),
    ...lines.flatMap(([name, words]) => namedRow(`  ${name.padEnd(width)}  `, plain(words))),
  ];
}

function budgetWords({ usd, tokens, covers, items }: NonNullable<RunEstimate['budget']>, judged: number): string {
  const sum = [usd !== null && money(usd), tokens !== null && count(tokens, 'token')].filter(Boolean).join(' and ');
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
    money(usd),
  ];
  return [
    ...textTable([
      ['by model', 'calls', 'tokens in', 'tokens out', 'price', 'at most'],
      ...byModel.map((own) => [plain(own.model), ...figures(own), money(own.atMostUsd)]),
    ]).map((line) => `  ${line}`),
    ...textTable(
      [
        ['by seat', 'model', 'calls', 'tokens in', 'tokens out', 'price', 'length of answers'],
        ...bySeat.map((own) => [
          own.seat,
          plain(own.model),
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
