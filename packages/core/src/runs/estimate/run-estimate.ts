import type { Expected } from './mean-interval.ts';
import type { Settings } from '../../settings/index.ts';
import { firstTokenMs, tokensPerSecond } from './duration.ts';
import { thoughtShare, usualShare, type PricedCall } from './price-calls.ts';

/** What a run would take, told by a sample of its input. Dollars are null where a price is not known. */
export interface RunEstimate {
  version: 1;
  job: string;
  input: {
    /** Items that can be read, and lines that cannot. */
    items: number;
    broken: number;
    /** About how many different contents they have: as many are judged. */
    judged: number;
  };
  sample: {
    items: number;
    seed: number;
    /** Those that could not be judged, by the code of their error. */
    failed: Record<string, number>;
    /** Turns for which the stand-in had nothing to say (a language it cannot read): their rounds are argued in full. */
    unargued: number;
  };
  /** Of one judged item; what a cascade's first tier decides counts as nothing. */
  perItem: Spend;
  run: Spend;
  /** The same when the sides never agree early; null where nothing ends early anyway. */
  allRounds: Spend | null;
  /** Every round argued, every byte a token, every answer as long as it may be; retries and repairs excluded. */
  atMost: { calls: number; inputTokens: number; outputTokens: number; usd: number | null };
  byModel: readonly ModelShare[];
  bySeat: readonly SeatShare[];
  time: Duration;
  cascade: {
    debated: Expected;
    saved: { calls: number; inputTokens: number; outputTokens: number; usd: number | null };
  } | null;
  budget: BudgetOutlook | null;
  /** What was taken for granted, in sentences. */
  assumptions: readonly string[];
}

export interface Spend {
  calls: Expected;
  inputTokens: Expected;
  outputTokens: Expected;
  usd: Expected | null;
}

export interface ModelShare {
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  usd: number | null;
  atMostUsd: number | null;
}

export interface SeatShare {
  seat: string;
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  usd: number | null;
  /** How many past turns the length of its answers was taken from; null when it was assumed. */
  pastTurns: number | null;
}

export interface Duration {
  seconds: number;
  /** What decides it. */
  bound: string;
  bounds: readonly { what: string; seconds: number }[];
}

export interface BudgetOutlook {
  usd: number | null;
  tokens: number | null;
  /**
   * `surely`: even at most; `likely`: with all rounds argued, at the upper end of the interval; `no`: less than that;
   * `unknown`: a price is not known.
   */
  covers: 'surely' | 'likely' | 'no' | 'unknown';
  /** About how many items it covers, where it does not cover all. */
  items: number | null;
}

/** What an estimate takes for granted, in sentences. */
export function listAssumptions(
  { sample, input, cascade, bySeat, run, allRounds }: Omit<RunEstimate, 'budget' | 'assumptions'>,
  calls: readonly PricedCall[],
  { embedding }: Settings,
): string[] {
  const assumed = bySeat.filter(({ pastTurns }) => pastTurns === null).map(({ seat }) => seat);
  const thinking = calls.some(({ thinkingTokens, pastTurns }) => thinkingTokens > 0 && pastTurns === null);
  return [
    `The interval tells how far a sample of ${sample.items} of ${input.judged} items can be off, not how far ` +
      'models differ from what is assumed here.',
    ...(input.judged < input.items ? ['Same contents were counted within 2 % (HyperLogLog).'] : []),
    ...(calls.length === 0
      ? []
      : [
          "Input tokens are a quarter of the bytes sent, 1,000 for an image. Nothing is taken from a provider's " +
            'prefix cache, from cached answers or from cases on record.',
        ]),
    ...(calls.length === 0
      ? []
      : [
          'The embedded reasoner answered in place of each model. Retries are not counted.' +
            (allRounds
              ? ' Its sides agree sooner than those of models do: the run will take something between the estimate ' +
                'and that with all rounds.'
              : ''),
        ]),
    ...(assumed.length > 0
      ? [
          `Answers of ${[...new Set(assumed)].join(', ')} are taken to be ${usualShare * 100} % of their limit: ` +
            'the ledger has fewer than 20 turns of them with these models.',
        ]
      : []),
    ...(assumed.length > 0
      ? [`A call whose latency is not on record takes ${firstTokenMs} ms and a second for ${tokensPerSecond} tokens.`]
      : []),
    ...(thinking ? [`Models that think are taken to use ${thoughtShare * 100} % of the room for it.`] : []),
    ...(run.usd === null ? ['The price of a model is not known: set models["provider:model"].price.'] : []),
    ...(embedding
      ? [`${embedding} was not asked for embeddings, and they are not counted; the guard model found the precedents.`]
      : []),
    ...(cascade ? ['What the first tier decides costs no call.'] : []),
  ];
}
