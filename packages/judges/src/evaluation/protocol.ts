import {
  baselineProtocol,
  compute,
  findTurns,
  inOrder,
  isBaseline,
  requireReasoner,
  rounds,
  seatBaseline,
  together,
  turn,
  type Calibration,
  type FilledSeat,
  type Protocol,
  type Reasoner,
  type Role,
  type Transcript,
  type Turn,
  type Until,
} from '@agonhq/engine/debate';
import type { Policy } from '@agonhq/engine/policy';
import { adjudicateExchange } from './adjudicate.ts';
import type { ExchangeOpinion } from './answers.ts';
import type { EvaluationCase } from './case-file.ts';
import { computeMixture, computePriors } from './equations.ts';
import { adjudicationStep, mixtureStep, priorsStep } from './evaluation-answer.ts';
import { findRoundCritique, findRoundOpinions, readStatedDistribution } from './opinions.ts';
import { countEvaluationTurns, type EvaluationPlan } from './plan.ts';
import { jensenShannon } from './risk-concepts/distribution.ts';
import type { FittedReference } from './risk-concepts/reference.ts';
import { arbiter } from './roles/arbiter.ts';
import { critic } from './roles/critic.ts';
import { auditor, detector } from './roles/debaters.ts';
import { judges } from './roles/judges.ts';

/** Every role of evaluation. */
export const evaluationRoles = { auditor, detector, critic, arbiter, judge: judges.judge };

/** Who fills the seats. Several auditors or detectors are best filled by different models. */
export interface EvaluationReasoners {
  auditor: readonly Reasoner[];
  detector: readonly Reasoner[];
  critic: Reasoner;
  arbiter: Reasoner;
  /** For the method `judge` alone. */
  judge: Reasoner | null;
}

export interface EvaluationProtocolParts {
  plan: EvaluationPlan;
  policy: Policy;
  reasoners: EvaluationReasoners;
  reference: FittedReference | null;
  calibration: Calibration | null;
  /** What the control may spend; as many votes as the debate has turns when it is not said. */
  tokens?: number;
}

/** Every seat of a plan with its reasoner, for the record and for the protocol. */
export function planEvaluationSeats(plan: EvaluationPlan, reasoners: EvaluationReasoners): FilledSeat[] {
  const { method } = plan;
  if (method === 'prefix-match' || method === 'pattern-match') return [];
  if (method === 'judge') return seatBaseline(method, [requireReasoner('judge', reasoners.judge)]);
  const seats = [
    ...seatRole('auditor', plan, reasoners),
    ...seatRole('detector', plan, reasoners),
    { id: 'critic', reasoner: reasoners.critic },
    { id: 'arbiter', reasoner: reasoners.arbiter },
  ];
  if (!isBaseline(method)) return seats;
  return seatBaseline(
    method,
    seats.map(({ reasoner }) => reasoner),
  );
}

/**
 * `auditor`, or `auditor#1`, `auditor#2`, … when there are several. Where models are fewer than seats, they take
 * turns.
 */
function seatRole(
  role: 'auditor' | 'detector',
  { agents }: EvaluationPlan,
  { [role]: models }: EvaluationReasoners,
): FilledSeat[] {
  return Array.from({ length: agents }, (_, index) => ({
    id: agents === 1 ? role : `${role}#${index + 1}`,
    reasoner: requireReasoner(role, models[index % models.length]),
  }));
}

/** Who speaks when, by the plan's method; code decides at the end. */
export function evaluationProtocol(parts: EvaluationProtocolParts): Protocol<EvaluationCase> {
  const { plan, reasoners, tokens } = parts;
  const { method } = plan;
  if (method === 'prefix-match' || method === 'pattern-match') return adjudication(parts);
  if (!isBaseline(method)) return inOrder(...debate(parts), adjudication(parts));
  const until = plan.consensus ? stopAtUnanimity(plan.consensusBound) : undefined;
  const votes = { rounds: plan.rounds, until, turns: countEvaluationTurns(plan), tokens };
  return inOrder(
    baselineProtocol(method, planEvaluationSeats(plan, reasoners), judges[method], votes),
    adjudication(parts),
  );
}

/**
 * RADAR, section 4.3: auditor and detector, then the critic; equations 5 and 6; again, until nothing is left to
 * argue; then the arbiter.
 */
function debate({ plan, reasoners, reference }: EvaluationProtocolParts): Protocol<EvaluationCase>[] {
  const speak = (seats: readonly FilledSeat[], role: Role<unknown, EvaluationCase>) =>
    seats.map(({ id, reasoner }) => turn({ id, role, reasoner }));
  const round = inOrder(
    together(
      ...speak(seatRole('auditor', plan, reasoners), auditor),
      ...speak(seatRole('detector', plan, reasoners), detector),
    ),
    turn({ id: 'critic', role: critic, reasoner: reasoners.critic }),
    compute(mixtureStep, ({ transcript, round }) => computeMixture(transcript, round, plan, reference), {
      smoothing: plan.smoothing,
      delta: plan.delta,
      reference,
    }),
    compute(priorsStep, ({ transcript, round }) => computePriors(transcript, round, plan), plan.stubbornness),
  );
  return [
    rounds({ max: plan.rounds, until: plan.consensus ? stopAtConsensus(plan.consensusBound) : undefined }, round),
    turn({ id: 'arbiter', role: arbiter, reasoner: reasoners.arbiter }),
  ];
}

function adjudication({ policy, plan, calibration }: EvaluationProtocolParts): Protocol<EvaluationCase> {
  return compute(
    adjudicationStep,
    ({ caseFile, transcript }) =>
      adjudicateExchange(transcript, caseFile, { policy, method: plan.method, calibration }),
    { policy: policy.hash, method: plan.method, ...(calibration ? { calibration } : {}) },
  );
}

/**
 * Nothing is left to argue: everybody was heard in this round, all labels agree, all distributions lie within the
 * bound of each other, and the critic raises no material objection.
 */
function stopAtConsensus(bound: number): Until {
  return (transcript) => {
    const round = findLatestRound(transcript);
    const critique = findRoundCritique(transcript, round)?.answer;
    const isQuiet = critique !== undefined && !critique.objections.some(({ material }) => material);
    return isQuiet && doAgree(findRoundOpinions(transcript, round), bound) ? 'consensus' : undefined;
  };
}

/** The same among peers, who have no critic. */
function stopAtUnanimity(bound: number): Until {
  return (transcript) =>
    doAgree(findRoundOpinions(transcript, findLatestRound(transcript)), bound) ? 'consensus' : undefined;
}

function findLatestRound(transcript: Transcript): number | null {
  return findTurns(transcript).at(-1)?.round ?? null;
}

function doAgree(opinions: readonly Turn<ExchangeOpinion>[], bound: number): boolean {
  const labels = new Set(opinions.map(({ answer }) => answer.label));
  if (opinions.some(({ fallback }) => fallback) || labels.size !== 1) return false;
  const stated = opinions.map(readStatedDistribution);
  return stated.every((one, index) => stated.slice(index + 1).every((other) => jensenShannon(one, other) <= bound));
}
