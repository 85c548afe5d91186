import type { Settings } from '../../settings/index.ts';
import { firstTokenMs, tokensPerSecond } from './duration.ts';
import { thoughtShare, usualShare, type PricedCall } from './price-calls.ts';
import type { RunEstimate } from './run-estimate.ts';

/** What an estimate takes for granted, in sentences. */
export function assumptionsOf(
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
          `The embedded reasoner answered in the place of each model. Retries are not counted.${allRounds ? ' Its sides agree sooner than those of models do: what the run takes lies ' + 'between the estimate and that with all rounds.' : ''}`,
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
