import type { Job } from '@agonhq/judges/job';
import type { NewRunItem } from '@agonhq/ledger';
import { blockOf, mergeSettings, settingsFromEnvironment, type Settings } from '../../settings/index.ts';
import { listAssumptions, type RunEstimate, type SeatShare, type Spend } from './run-estimate.ts';
import { estimateBudget, estimateDuration } from './duration.ts';
import { drawSample } from './draw-sample.ts';
import { meterSample, type MeteredItem, type SampleOptions } from './meter-sample.ts';
import { meanInterval, scaleExpected, type Expected } from './mean-interval.ts';
import { readPast } from './past-turns.ts';
import { measureChain, priceCall, sumTotals, type PricedCall, scaleTotals, sum } from './price-calls.ts';
import { clopperPearson, meanOf } from '@agonhq/engine/statistics';

export interface EstimateOptions extends Omit<SampleOptions, 'environment' | 'signal' | 'ledger'> {
  /** The input from its beginning; it is read to its end and not kept. */
  items: AsyncIterable<NewRunItem>;
  /** Past turns are read from it, and precedents drawn from it; nothing is written. */
  ledger?: SampleOptions['ledger'];
  /** How many items are tried. */
  sample?: number;
  seed?: number;
  /** Items that the run will judge at once. */
  concurrency?: number;
  /** With a cascade: whether its first tier leaves an item to the debate. */
  isDebated?: (item: NewRunItem, signal: AbortSignal) => Promise<boolean>;
  environment?: SampleOptions['environment'];
  signal?: AbortSignal;
  onProgress?: (tried: number, of: number) => void;
}

/**
 * Prices a run before it starts, without a call to a model: a sample of its input goes through the real protocol, where
 * each model's prompts are made and measured and the embedded reasoner answers in its place.
 *
 * @example const { run } = await estimateRun({ items, jobs, job: 'moderation', settings, ledger }); // run.usd.expected
 */
export async function estimateRun(options: EstimateOptions): Promise<RunEstimate> {
  const {
    jobs,
    job,
    sample: size = 50,
    seed = 1,
    concurrency = 8,
    isDebated,
    ledger = null,
    environment = process.env,
    onProgress,
  } = options;
  const signal = options.signal ?? new AbortController().signal;
  const settings = mergeSettings(settingsFromEnvironment(jobs, environment), options.settings);
  const trying: SampleOptions = { ...options, settings, ledger, environment, signal };
  const { items, broken, distinct, sample } = await drawSample(options.items, size, seed);

  const tier = isDebated ? await askFirstTier(sample, isDebated, signal) : null;
  let tried = 0;
  const judging = jobs.require(job);
  const passes = stopsEarly(settings, judging) ? 2 : 1;
  const onItem = () => onProgress?.((tried += 1), sample.length * passes);
  const { heard, termsOf } = await meterSample(sample, trying, onItem);
  const full =
    passes === 1
      ? heard
      : (await meterSample(sample, { ...trying, settings: withAllRounds(settings, judging) }, onItem)).heard;

  const past = await readPast(ledger, job);
  const price = (item: MeteredItem) => item.calls.map((call) => priceCall(call, termsOf(call.model), past));
  const debated = (_: unknown, index: number) => tier?.debated[index] ?? true;
  const every = heard.map(price);
  const calls = every.map((own, index) => (debated(own, index) ? own : []));
  const worst = full.map(price).map((own, index) => (debated(own, index) ? own : []));
  const known = every.flat().every(({ usd }) => usd !== null);

  const interval = (values: readonly number[]) => meanInterval(values, distinct, seed);
  const perItem = spendOf(calls, interval, known);
  const run = timesSpend(perItem, distinct);
  const allRounds = passes === 1 ? null : timesSpend(spendOf(worst, interval, known), distinct);
  const debatedShare = tier ? shareInterval(tier.debated, distinct) : { expected: 1, low: 1, high: 1 };
  // A sample of which the guard decides all does not show that it decides all.
  const ifDebated = full.map(price);
  const highest = (ofItems: readonly (readonly PricedCall[])[], value: (call: PricedCall) => number) =>
    interval(ofItems.map((own) => sum(own, value))).high;
  const most = (value: (call: PricedCall) => number) =>
    Math.max(highest(worst, value), highest(ifDebated, value) * debatedShare.high) * distinct;
  const atMost = {
    calls: most(() => 1),
    inputTokens: most((call) => call.worst.inputTokens),
    outputTokens: most((call) => call.worst.outputTokens),
    usd: known ? most(({ atMostUsd }) => atMostUsd!) : null,
  };

  const scale = sample.length === 0 ? 0 : distinct / sample.length;
  const share = (own: readonly PricedCall[]) => {
    const { usd, ...rest } = sumTotals(own);
    return { ...scaleTotals(rest, scale), usd: own.every((call) => call.usd !== null) ? usd * scale : null };
  };
  const byModel = [...Map.groupBy(calls.flat(), ({ model }) => model)].map(([model, own]) => {
    const ofWorst = worst.flat().filter((call) => call.model === model);
    return {
      model,
      ...share(own),
      atMostUsd: termsOf(model).price ? sum(ofWorst, ({ atMostUsd }) => atMostUsd!) * scale : null,
    };
  });
  const bySeat: SeatShare[] = [...Map.groupBy(calls.flat(), ({ seat, model }) => `${seat} ${model}`).values()].map(
    (own) => ({ seat: own[0]!.seat, model: own[0]!.model, ...share(own), pastTurns: own[0]!.pastTurns }),
  );

  const saved = sumTotals(every.filter((own, index) => !debated(own, index)).flat());
  const estimate = {
    version: 1 as const,
    job,
    input: { items, broken, judged: distinct },
    sample: {
      items: sample.length,
      seed,
      failed: countBy(heard.flatMap(({ failed }) => failed ?? [])),
      unargued: sum(heard, ({ unargued }) => unargued),
    },
    perItem,
    run,
    allRounds,
    atMost,
    byModel,
    bySeat,
    time: estimateDuration({
      models: byModel.map(({ model, calls: count, inputTokens, outputTokens }) => {
        const own = calls.flat().filter((call) => call.model === model);
        return {
          model,
          terms: termsOf(model),
          calls: count,
          tokens: inputTokens + outputTokens,
          latencyMs: meanOrZero(own.map(({ latencyMs }) => latencyMs)),
        };
      }),
      debated: distinct * debatedShare.expected,
      chainMs: meanOrZero(calls.filter((own) => own.length > 0).map(measureChain)),
      itemsAtOnce: concurrency,
      items: distinct,
      ownMs:
        meanOrZero(heard.map((item, index) => (item.embedded && debated(item, index) ? item.milliseconds : 0))) +
        (tier?.milliseconds ?? 0),
    }),
    cascade: tier
      ? {
          debated: debatedShare,
          saved: {
            ...scaleTotals(
              { calls: saved.calls, inputTokens: saved.inputTokens, outputTokens: saved.outputTokens },
              scale,
            ),
            usd: known ? saved.usd * scale : null,
          },
        }
      : null,
  };
  const dearest = Math.max(0, ...worst.flat().map(({ atMostUsd }) => atMostUsd ?? 0));
  return {
    ...estimate,
    budget: estimateBudget(settings.budget, estimate, dearest),
    assumptions: listAssumptions(estimate, every.flat(), settings),
  };
}

/**
 * The share that is debated of all, with the exact interval; of a sample that is all of them there is nothing to
 * doubt.
 */
function shareInterval(debated: readonly boolean[], population: number): Expected {
  const number = sum(debated, Number);
  const expected = debated.length === 0 ? 0 : number / debated.length;
  if (debated.length === 0 || debated.length >= population) return { expected, low: expected, high: expected };
  const [low, high] = clopperPearson(number, debated.length);
  return { expected, low, high };
}

function meanOrZero(values: readonly number[]): number {
  return meanOf(values) ?? 0;
}

function spendOf(
  calls: readonly (readonly PricedCall[])[],
  interval: (values: readonly number[]) => Expected,
  priceKnown: boolean,
): Spend {
  const totals = calls.map(sumTotals);
  return {
    calls: interval(totals.map((own) => own.calls)),
    inputTokens: interval(totals.map(({ inputTokens }) => inputTokens)),
    outputTokens: interval(totals.map(({ outputTokens }) => outputTokens)),
    usd: priceKnown ? interval(totals.map(({ usd }) => usd)) : null,
  };
}

function timesSpend({ calls, inputTokens, outputTokens, usd }: Spend, factor: number): Spend {
  return {
    calls: scaleExpected(calls, factor),
    inputTokens: scaleExpected(inputTokens, factor),
    outputTokens: scaleExpected(outputTokens, factor),
    usd: usd && scaleExpected(usd, factor),
  };
}

async function askFirstTier(
  sample: readonly NewRunItem[],
  isDebated: NonNullable<EstimateOptions['isDebated']>,
  signal: AbortSignal,
) {
  const startedAt = performance.now();
  const debated: boolean[] = [];
  for (const item of sample) debated.push(await isDebated(item, signal));
  return { debated, milliseconds: sample.length === 0 ? 0 : (performance.now() - startedAt) / sample.length };
}

function stopsEarly(settings: Settings, job: Job): boolean {
  return job.earlyStop?.isOn(blockOf(settings, job)) ?? false;
}

function withAllRounds(settings: Settings, job: Job): Settings {
  return { ...settings, [job.id]: { ...blockOf(settings, job), ...job.earlyStop?.off } };
}

function countBy(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, own]) => [word, own.length]));
}
