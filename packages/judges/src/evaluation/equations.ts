import type { Step, Transcript, Turn } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { opinionKeys, type ExchangeOpinion } from './answers.ts';
import { mixtureStep, priorsStep, type MixtureStep, type PriorsStep } from './evaluation-answer.ts';
import { findRoundCritique, findRoundOpinions, readStatedDistribution } from './opinions.ts';
import type { EvaluationPlan } from './plan.ts';
import {
  klDivergence,
  meanDistribution,
  mixOf,
  smoothed,
  uniform,
  type Distribution,
} from './risk-concepts/distribution.ts';
import { mixtureWeight, updatedPrior } from './risk-concepts/mixture-weight.ts';
import { applyReference, type FittedReference } from './risk-concepts/reference.ts';

/** Equation 5 of a round, over the seats that were really heard in it. */
export function computeMixture(
  transcript: Transcript,
  round: number | null,
  plan: EvaluationPlan,
  fitted: FittedReference | null,
): MixtureStep {
  const heard = findRoundOpinions(transcript, round).filter(({ fallback }) => !fallback);
  const auditor = meanStated(heard, 'auditor');
  const detector = meanStated(heard, 'detector');
  const reference = readReference(transcript, round, plan, fitted);
  const divergence =
    auditor && detector ? klDivergence(smoothed(auditor, plan.smoothing), smoothed(detector, plan.smoothing)) : null;
  const breach = divergence !== null && divergence >= plan.delta;
  return {
    auditor,
    detector,
    reference,
    ...weigh(auditor, detector, reference?.distribution ?? null, findMixtureBefore(transcript, round)),
    divergence,
    breach,
  };
}

/**
 * Equation 6 of a round: where each seat starts the next one from. A seat that has said nothing yet has nothing to
 * keep.
 */
export function computePriors(transcript: Transcript, round: number | null, plan: EvaluationPlan): PriorsStep {
  const mixture = findValueAt(transcript, mixtureStep, (at) => at === round)?.mixture;
  if (!mixture)
    throw new AgonError('no-mixture', 'Equation 6 needs the mixture of its round.', 'Compute equation 5 before it.');
  const earlier = findValueAt(transcript, priorsStep, (at) => isBefore(at, round)) ?? {};
  const seats = findRoundOpinions(transcript, round).map((turn): [string, Distribution] => {
    const own = turn.fallback ? earlier[turn.seat] : readStatedDistribution(turn);
    const { auditor, detector } = plan.stubbornness;
    const stubbornness = turn.role === opinionKeys.auditor.id ? auditor : detector;
    return [turn.seat, own ? updatedPrior(own, mixture, stubbornness) : mixture];
  });
  return Object.fromEntries(seats);
}

/** A role that was not heard has no weight; without a reference neither has more than the other. */
function weigh(
  auditor: Distribution | null,
  detector: Distribution | null,
  reference: Distribution | null,
  earlier: MixtureStep | undefined,
): Pick<MixtureStep, 'alpha' | 'mixture'> {
  if (auditor && detector) {
    const alpha = reference ? mixtureWeight(auditor, detector, reference) : 1 / 2;
    return { alpha, mixture: mixOf(alpha, auditor, detector) };
  }
  if (auditor) return { alpha: 1, mixture: auditor };
  if (detector) return { alpha: 0, mixture: detector };
  return { alpha: earlier?.alpha ?? 1 / 2, mixture: earlier?.mixture ?? uniform };
}

/** P̂: what the critic states, or what a fit makes of it. A fit knows something even where the critic says nothing. */
function readReference(
  transcript: Transcript,
  round: number | null,
  { smoothing }: EvaluationPlan,
  fitted: FittedReference | null,
): MixtureStep['reference'] {
  const critic = findRoundCritique(transcript, round);
  const stated = critic ? readStatedDistribution(critic) : null;
  if (fitted) return { distribution: smoothed(applyReference(fitted, stated ?? uniform), smoothing), from: 'fitted' };
  return stated && { distribution: smoothed(stated, smoothing), from: 'critic' };
}

function meanStated(turns: readonly Turn<ExchangeOpinion>[], role: string): Distribution | null {
  return meanDistribution(turns.filter((turn) => turn.role === role).map(readStatedDistribution));
}

function findMixtureBefore(transcript: Transcript, round: number | null): MixtureStep | undefined {
  return findValueAt(transcript, mixtureStep, (at) => isBefore(at, round));
}

function isBefore(at: number | null, round: number | null): boolean {
  return (at ?? 0) < (round ?? 0);
}

function findValueAt<Value>(
  transcript: Transcript,
  step: Step<Value>,
  at: (round: number | null) => boolean,
): Value | undefined {
  return transcript.filter(step.hasEntry).findLast(({ round }) => at(round))?.value;
}
