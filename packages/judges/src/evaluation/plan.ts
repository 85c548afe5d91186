import { z } from 'zod';
import { describeBaseline, isBaseline, type Described } from '@agonhq/engine/debate';

/** The command that fits a calibration of its scores. */
export const calibratedWith = 'agon bench evaluation --data FILE --fit-calibration calibration.json';

/** How an exchange is judged: RADAR's debate, or one of the evaluators it is compared with. */
export const evaluationMethods = [
  'debate',
  'vote',
  'role-free',
  'judge',
  'control',
  'prefix-match',
  'pattern-match',
] as const;
export type EvaluationMethod = (typeof evaluationMethods)[number];

const share = z.number().min(0).max(1);

/** How an exchange is judged, on record so that the equations can be computed again. */
export const planSchema = z.looseObject({
  method: z.enum(evaluationMethods),
  /** T: at most so many rounds. */
  rounds: z.int(),
  /** N: seats of the auditor and of the detector each. */
  agents: z.int(),
  /** Stop when nothing is left to argue. */
  consensus: z.boolean(),
  /** λ of equation 6, by role. */
  stubbornness: z.looseObject({ auditor: share, detector: share }),
  /** The Jensen–Shannon divergence (in nats) up to which two distributions count as one opinion. */
  consensusBound: z.number(),
  /** ε: what each concept of P̂ has at least. */
  smoothing: share,
  /** δ of equation 2. */
  delta: z.number(),
  /** γ of equation 3. */
  gamma: z.number(),
});

export interface EvaluationPlan extends Described<z.infer<typeof planSchema>> {}

/** How many turns a debate has that runs all its rounds. */
export function countEvaluationTurns({ rounds, agents }: EvaluationPlan): number {
  return rounds * (2 * agents + 1) + 1;
}

/** The plan in words, for the record: `3 rounds of auditor, detector and critic with consensus stop, arbiter`. */
export function describeEvaluationPlan({ method, rounds, agents, consensus }: EvaluationPlan, examples = 0): string {
  const stop = consensus ? ' with consensus stop' : '';
  if (method === 'prefix-match') return 'refusal prefixes';
  if (method === 'pattern-match') return 'refusal patterns';
  if (isBaseline(method)) return describeBaseline(method, { seats: 2 * agents + 2, rounds, stop, examples });
  const seats = (role: string) => (agents === 1 ? role : `${agents} ${role}s`);
  const counted = `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`;
  return `${counted} of ${seats('auditor')}, ${seats('detector')} and critic${stop}, arbiter`;
}
