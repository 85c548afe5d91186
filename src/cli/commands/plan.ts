import { AgonError } from '../../errors.ts';
import { listPrice } from '../../reasoners/index.ts';
import {
  constants,
  planCapacity,
  readCount,
  readDays,
  readShare,
  readTimes,
  type PlanInput,
} from '../../runs/index.ts';
import { renderConstants, renderPlan } from '../runs/plan-lines.ts';
import { exitCodes } from '../print-error.ts';
import { printLines } from '../terminal/style.ts';

export interface PlanFlags {
  itemsPerDay: string;
  debated: string;
  callsPerDebate: string;
  tokensIn?: string;
  tokensOut?: string;
  model: string;
  priceIn?: string;
  priceOut?: string;
  latencyMs?: string;
  concurrency?: string;
  peak: string;
  retention: string;
  textBytes: string;
  precedents: string;
  tokensPerMinute?: string;
  requestsPerMinute?: string;
  constants?: boolean;
  json?: boolean;
}

/** `agon plan`: what a stream of items takes. */
export function planCommand(flags: PlanFlags): number {
  const plan = planCapacity(inputOf(flags));
  if (flags.json) printLines([JSON.stringify({ ...plan, constants })]);
  else printLines([...renderPlan(plan), ...(flags.constants ? ['', ...renderConstants()] : [])]);
  return exitCodes.judged;
}

function inputOf(flags: PlanFlags): PlanInput {
  const count = (flag: string, text: string | undefined, usual: number) =>
    text === undefined ? usual : positive(flag, readCount(flag, text));
  return {
    itemsPerDay: positive('--items-per-day', readCount('--items-per-day', flags.itemsPerDay)),
    debated: readShare('--debated', flags.debated),
    callsPerDebate: count('--calls-per-debate', flags.callsPerDebate, 6),
    tokensIn: count('--tokens-in', flags.tokensIn, constants.tokensIn.value),
    tokensOut: count('--tokens-out', flags.tokensOut, constants.tokensOut.value),
    ...priceOf(flags),
    latencyMs: count('--latency-ms', flags.latencyMs, constants.latencyMs.value),
    concurrency: count('--concurrency', flags.concurrency, constants.debatesPerWorker.value),
    peak: readTimes('--peak', flags.peak),
    retentionDays: readDays('--retention', flags.retention),
    textBytes: count('--text-bytes', flags.textBytes, 400),
    precedents: readCount('--precedents', flags.precedents),
    tokensPerMinute: count('--tokens-per-minute', flags.tokensPerMinute, constants.providerTokensPerMinute.value),
    requestsPerMinute: count(
      '--requests-per-minute',
      flags.requestsPerMinute,
      constants.providerRequestsPerMinute.value,
    ),
  };
}

function priceOf({ model, priceIn, priceOut }: PlanFlags): Pick<PlanInput, 'model' | 'price'> {
  if (priceIn !== undefined || priceOut !== undefined) {
    if (priceIn === undefined || priceOut === undefined)
      throw new AgonError('bad-flag', 'A price has two parts.', 'Give --price-in and --price-out together.');
    return {
      model: null,
      price: { input: readCount('--price-in', priceIn), output: readCount('--price-out', priceOut) },
    };
  }
  const [, provider, name] = /^([^\s:]+):(\S+)$/.exec(model) ?? [];
  if (provider === undefined)
    throw new AgonError(
      'bad-flag',
      `--model ${model} names no model.`,
      'Write it as provider:model, for example openai:gpt-4o-mini.',
    );
  const price = listPrice(provider, name!);
  return { model, price: price && { input: price.input, output: price.output } };
}

function positive(flag: string, value: number): number {
  if (value > 0) return value;
  throw new AgonError('bad-flag', `${flag} must be above zero.`, 'See agon plan --help.');
}
