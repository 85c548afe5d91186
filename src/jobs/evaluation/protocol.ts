import {
  compute,
  inOrder,
  mostVotes,
  rounds,
  together,
  turn,
  votesCast,
  type Calibration,
  type ComputeInput,
  type Protocol,
  type Role,
} from '../../debate/index.ts';
import type { Policy } from '../../policy/index.ts';
import { adjudicate } from './adjudicate.ts';
import type { EvaluationCaseFile } from './case-file.ts';
import { consensus, unanimity } from './consensus.ts';
import { mixtureOf, priorsOf } from './equations.ts';
import { adjudicationStep, mixtureStep, priorsStep } from './evaluation-answer.ts';
import type { EvaluationPlan } from './plan.ts';
import type { FittedReference } from './risk-concepts/reference.ts';
import { arbiter } from './roles/arbiter.ts';
import { auditor } from './roles/auditor.ts';
import type { RoleContext } from './roles/case-prompt.ts';
import { critic } from './roles/critic.ts';
import { detector } from './roles/detector.ts';
import { controlVote, judge, peer, voter } from './roles/judge.ts';
import { placesOf, seatingOf, type EvaluationReasoners, type Place } from './seating.ts';

export interface ProtocolParts {
  plan: EvaluationPlan;
  policy: Policy;
  context: RoleContext;
  reasoners: EvaluationReasoners;
  reference: FittedReference | null;
  calibration: Calibration | null;
  /** What the control may spend; as many votes as the debate has turns when it is not said. */
  tokens?: number;
}

/** Who speaks when, by the plan's method; code decides at the end. */
export function evaluationProtocol(parts: ProtocolParts): Protocol<EvaluationCaseFile> {
  return inOrder(...hearing(parts), adjudication(parts));
}

function hearing(parts: ProtocolParts): Protocol<EvaluationCaseFile>[] {
  const { plan, context } = parts;
  const seats = seatingOf(plan, parts.reasoners);
  switch (plan.method) {
    case 'debate':
      return debate(parts);
    case 'vote':
      return [together(...seated(seats, voter(context)))];
    case 'role-free':
      return [
        rounds(
          { max: plan.rounds, until: plan.consensus ? unanimity(plan.consensusBound) : undefined },
          together(...seated(seats, peer(context))),
        ),
      ];
    case 'control':
      return [
        rounds(
          { max: mostVotes, until: votesCast({ tokens: parts.tokens, turns: turnsOfDebate(plan) }) },
          inOrder(...seated(seats, controlVote(context))),
        ),
      ];
    case 'judge':
      return seated(seats, judge(context));
    case 'prefix-match':
    case 'pattern-match':
      return [];
  }
}

/**
 * RADAR, section 4.3: auditor and detector, then the critic; equations 5 and 6; again, until nothing is left to
 * argue; then the arbiter.
 */
function debate({ plan, context, reasoners, reference }: ProtocolParts): Protocol<EvaluationCaseFile>[] {
  const auditors = seated(placesOf('auditor', plan, reasoners), auditor(context));
  const detectors = seated(placesOf('detector', plan, reasoners), detector(context));
  const round = inOrder(
    together(...auditors, ...detectors),
    turn({ id: 'critic', role: critic(context), reasoner: reasoners.critic }),
    compute(mixtureStep, ({ transcript, round }) => mixtureOf(transcript, round, plan, reference), {
      smoothing: plan.smoothing,
      delta: plan.delta,
      reference,
    }),
    compute(priorsStep, ({ transcript, round }) => priorsOf(transcript, round, plan), plan.stubbornness),
  );
  return [
    rounds({ max: plan.rounds, until: plan.consensus ? consensus(plan.consensusBound) : undefined }, round),
    turn({ id: 'arbiter', role: arbiter(context), reasoner: reasoners.arbiter }),
  ];
}

function seated(places: readonly Place[], role: Role<unknown, EvaluationCaseFile>): Protocol<EvaluationCaseFile>[] {
  return places.map(({ id, reasoner }) => turn({ id, role, reasoner }));
}

/** How many turns a debate has that runs all its rounds. */
function turnsOfDebate({ rounds: max, agents }: EvaluationPlan): number {
  return max * (2 * agents + 1) + 1;
}

function adjudication({ policy, plan, calibration }: ProtocolParts): Protocol<EvaluationCaseFile> {
  return compute(
    adjudicationStep,
    ({ caseFile, transcript }: ComputeInput<EvaluationCaseFile>) =>
      adjudicate(transcript, caseFile, { policy, method: plan.method, calibration }),
    { policy: policy.hash, method: plan.method, ...(calibration ? { calibration } : {}) },
  );
}

/** The plan in words, for the record: `3 rounds of auditor, detector and critic with consensus stop, arbiter`. */
export function describePlan({ method, rounds: max, agents, consensus: stops }: EvaluationPlan, shots = 0): string {
  const roundsOf = `${max} ${max === 1 ? 'round' : 'rounds'}`;
  const stop = stops ? ' with consensus stop' : '';
  const seats = (role: string) => (agents === 1 ? role : `${agents} ${role}s`);
  switch (method) {
    case 'debate':
      return `${roundsOf} of ${seats('auditor')}, ${seats('detector')} and critic${stop}, arbiter`;
    case 'vote':
      return `independent vote of ${2 * agents + 2} judges`;
    case 'role-free':
      return `${roundsOf} of ${2 * agents + 2} judges without roles${stop}, majority`;
    case 'control':
      return "independent votes for the debate's tokens, majority";
    case 'judge':
      return shots === 0 ? 'one judge' : `one judge with ${shots} ${shots === 1 ? 'example' : 'examples'}`;
    case 'prefix-match':
      return 'refusal prefixes';
    case 'pattern-match':
      return 'refusal patterns';
  }
}
