import { AgonError } from '@agonhq/engine/agon-error';
import type { CommandSettings } from '../read-settings.ts';
import type { Job } from '@agonhq/judges/job';
import type { Ledger, NewRunItem } from '@agonhq/ledger';
import {
  decideByCascade,
  estimateRun,
  openFirstTier,
  type Cascade,
  type GuardTrial,
  type RunEstimate,
} from '@agonhq/core/runs';
import { exitCodes } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import {
  printCount,
  formatCounts,
  printDuration,
  formatInteger,
  formatMoney,
  printPercent,
} from '../terminal/format.ts';
import { openStatusLine } from '../terminal/progress-line.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { formatFacts, formatRow, formatTable, type PrintedFact } from '../terminal/table.ts';
import type { RunFlags } from '../define-command.ts';

export interface RunToEstimate extends CommandSettings {
  job: Job;
  items: (reading: { signal: AbortSignal }) => AsyncIterable<NewRunItem>;
  cascade: Cascade | null;
}

/** `agon run … --estimate`: estimates the price of the run without starting it. */
export async function printEstimate(
  ledger: Ledger,
  flags: RunFlags,
  { items, cascade, ...run }: RunToEstimate,
): Promise<number> {
  const interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const status = openStatusLine({ quiet: !process.stderr.isTTY || flags.json === true || flags.quiet === true });
  const tier = cascade && (await openFirstTier(cascade, run.settings, { jobs: run.jobs }));
  try {
    const estimate = await estimateRun({
      ...run,
      job: run.job.id,
      evaluatedModel: flags.evaluatedModel ?? null,
      ledger,
      signal,
      items: items({ signal }),
      concurrency: flags.concurrency,
      ...(typeof flags.estimate === 'number' ? { sample: flags.estimate } : {}),
      ...(tier
        ? {
            isDebated: async ({ input }: NewRunItem, stop: AbortSignal) =>
              isDebated(await openSubject(run.job, input), stop),
          }
        : {}),
      onProgress: (tried, of) => status.show(`Trying a sample: ${tried} of ${of}`),
    });
    status.clear();
    printLines(flags.json ? [JSON.stringify(estimate)] : renderEstimate(estimate));
    return exitCodes.judged;
  } catch (error) {
    throw signal.aborted ? notStartedError(error) : error;
  } finally {
    interrupt.dispose();
    await tier?.close();
  }

  async function isDebated(subject: Parameters<GuardTrial['judge']>[0], stop: AbortSignal): Promise<boolean> {
    try {
      return decideByCascade(cascade!, await tier!.judge(subject, stop)) === null;
    } catch (error) {
      // What cannot be judged at all is counted by the sample.
      if (!AgonError.is(error) || stop.aborted) throw error;
      return true;
    }
  }
}

/** Ctrl-C before the run began. */
export function notStartedError(cause: unknown): AgonError {
  return new AgonError('cancelled', 'Stopped before the run began.', 'Nothing was judged. Run the command again.', {
    cause,
  });
}

/** Only files on this machine: nothing was stored for others. */
async function openSubject(job: Job, input: unknown) {
  const files = { find: async () => undefined, local: true };
  return (await job.items.openItem(input, files, { evaluatedModel: null })).input;
}

/** The totals, then by model and seat, then the assumptions. */
export function renderEstimate(estimate: RunEstimate): string[] {
  return [
    ...renderTotals(estimate),
    ...renderByModelAndSeat(estimate),
    ...estimate.assumptions.flatMap((sentence) => formatRow('  ', style('dim', sanitize(sentence)))),
  ];
}

function renderTotals(estimate: RunEstimate): string[] {
  const { job, input, sample, perItem, run, allRounds, atMost, time, cascade, budget } = estimate;
  const same = input.items - input.judged;
  const failed = Object.values(sample.failed).reduce((sum, own) => sum + own, 0);
  const price =
    run.usd === null || perItem.usd === null
      ? 'price unknown'
      : `about ${formatMoney(run.usd.expected)} (${formatMoney(run.usd.low)} to ${formatMoney(run.usd.high)}), ` +
        `at most ${formatMoney(atMost.usd)}; ${formatMoney(perItem.usd.expected)} per item`;
  const facts: PrintedFact[] = [
    [
      'items',
      formatInteger(input.items) +
        (input.broken > 0 ? `, ${printCount(input.broken, 'line')} cannot be read` : '') +
        (same > 0 ? `; about ${formatInteger(same)} are duplicates and are not judged again` : ''),
    ],
    [
      'sample',
      `${printCount(sample.items, 'item')} tried without calling a model` +
        (failed > 0 ? `; ${failed} could not be judged (${formatCounts(sample.failed)})` : '') +
        (sample.unargued > 0 ? `; no stand-in answer for ${printCount(sample.unargued, 'turn')}` : ''),
    ],
    ['price', price],
    allRounds !== null &&
      allRounds.calls.expected > run.calls.expected && [
        'all rounds',
        (allRounds.usd === null ? '' : `about ${formatMoney(allRounds.usd.expected)}, `) +
          `${formatInteger(allRounds.calls.expected)} calls, if no debate ends early`,
      ],
    ['calls', `${formatRange(run.calls)}, at most ${formatInteger(atMost.calls)}`],
    ['tokens', `${formatRange(run.inputTokens)} in, ${formatInteger(run.outputTokens.expected)} out`],
    ['time', `about ${printDuration(time.seconds)}, for ${time.bound}`],
    cascade !== null && ['cascade', describeCascade(cascade)],
    budget !== null && ['budget', describeBudget(budget, input.judged)],
  ];
  return [style('bold', `Estimate for a ${job} run`), ...formatFacts(facts)];
}

function describeCascade({ debated, saved }: NonNullable<RunEstimate['cascade']>): string {
  return (
    `${printPercent(debated.expected)} debated (${printPercent(debated.low)} to ${printPercent(debated.high)}); ` +
    `saves ${printCount(Math.round(saved.calls), 'call')}${saved.usd === null ? '' : ` and ${formatMoney(saved.usd)}`}`
  );
}

function describeBudget({ usd, tokens, covers, items }: NonNullable<RunEstimate['budget']>, judged: number): string {
  const sum = [usd !== null && formatMoney(usd), tokens !== null && printCount(tokens, 'token')]
    .filter(Boolean)
    .join(' and ');
  const words = {
    surely: 'covers the run even in the worst case',
    likely: 'covers the run unless most calls reach their worst case',
    no:
      'does not cover the run: it would stop after about ' +
      `${formatInteger(items ?? 0)} of ${formatInteger(judged)} items`,
    unknown: 'cannot be checked: the price of a model is unknown',
  };
  return `${sum} ${words[covers]}`;
}

function renderByModelAndSeat({ byModel, bySeat }: RunEstimate): string[] {
  if (byModel.length === 0) return [];
  const figures = ({
    calls,
    inputTokens,
    outputTokens,
    usd,
  }: RunEstimate['bySeat'][number] | RunEstimate['byModel'][number]) => [
    formatInteger(calls),
    formatInteger(inputTokens),
    formatInteger(outputTokens),
    formatMoney(usd),
  ];
  return [
    ...formatTable([
      ['by model', 'calls', 'tokens in', 'tokens out', 'price', 'at most'],
      ...byModel.map((own) => [sanitize(own.model), ...figures(own), formatMoney(own.atMostUsd)]),
    ]).map((line) => `  ${line}`),
    ...formatTable(
      [
        ['by seat', 'model', 'calls', 'tokens in', 'tokens out', 'price', 'answer length'],
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

/** `about 50 (45 to 55)` */
function formatRange({ expected, low, high }: RunEstimate['run']['calls']): string {
  return `about ${formatInteger(expected)} (${formatInteger(low)} to ${formatInteger(high)})`;
}
