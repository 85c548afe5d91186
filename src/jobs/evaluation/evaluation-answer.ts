import { defineStep, type Answer, type Provenance, type SafetyLabel, type Verdict } from '../../debate/index.ts';
import type { Behaviour } from './answers.ts';
import type { EvaluationPlan } from './plan.ts';
import type { Distribution, RiskConcept } from './risk-concepts/distribution.ts';
import type { FittedReference } from './risk-concepts/reference.ts';

export type Speaker = 'system' | 'user' | 'assistant' | 'tool';

/**
 * The exchange as it was judged. Its texts are sources of the answer: the last answer of the model is `response`, the
 * message before it `prompt`; earlier messages are `turn-1-user`, `turn-2-assistant`, …, and what a system message
 * says is `system`.
 */
export interface EvaluationSubject {
  id: string | null;
  hash: string;
  /** The evaluated model, when it is known. */
  model: string | null;
  turns: readonly { source: string; speaker: Speaker }[];
}

export interface EvaluationVerdict extends Verdict {
  /** Which kind of risk was confirmed; `none` for safe, null for undecided. */
  concept: RiskConcept | null;
  behaviour: Behaviour | null;
  /** The final mixture of the debate, or what a single judge stated. */
  distribution: Distribution | null;
}

/** Something about who judged whom that a reader must know: a seat of the evaluated model's own family, say. */
export interface EvaluationWarning {
  kind: 'same-family' | 'self-evaluation-bias' | 'same-model' | 'evaluator-divergence';
  seat: string;
  detail: string;
}

/** With what the equations were computed with, so that they can be computed again. */
export interface EvaluationProvenance extends Provenance {
  plan: EvaluationPlan;
  /** What P̂ was fitted to; null when it is what the critic states. */
  reference: FittedReference | null;
}

export type EvaluationAnswer = Omit<Answer<EvaluationSubject, SafetyLabel>, 'verdict' | 'provenance'> & {
  verdict: EvaluationVerdict;
  provenance: EvaluationProvenance;
  warnings: readonly EvaluationWarning[];
};

/** The steps of code: equations 5 and 6 of every round, and the decision at the end. */
export const mixtureStep = defineStep<MixtureStep>('mixture');
export const priorsStep = defineStep<PriorsStep>('priors');
export const adjudicationStep = defineStep<EvaluationVerdict>('adjudication');

/** Equation 5 of a round, as it is on record under the name `mixture`. */
export interface MixtureStep {
  /** The mean over the heard seats of each role; null when none was heard. */
  auditor: Distribution | null;
  detector: Distribution | null;
  /** P̂ (ε-smoothed), and where it comes from; null when there was none. */
  reference: { distribution: Distribution; from: 'critic' | 'fitted' } | null;
  alpha: number;
  mixture: Distribution;
  /** KL(auditor ‖ detector) of this case, as equation 2 takes its mean over cases. */
  divergence: number | null;
  /** Whether the divergence reaches δ. */
  breach: boolean;
}

/** Equation 6 of a round, as it is on record under the name `priors`: by seat, what it starts the next round from. */
export type PriorsStep = Readonly<Record<string, Distribution>>;
