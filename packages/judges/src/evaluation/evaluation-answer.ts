import { z } from 'zod';
import {
  answerShape,
  defineStep,
  parseAnswer,
  provenanceSchema,
  safetyLabels,
  verdictSchema,
  type Described,
} from '@agonhq/engine/debate';
import { contextShape } from '../job/shown-context.ts';
import { behaviours } from './answers.ts';
import { planSchema } from './plan.ts';
import { riskConcepts, type Distribution } from './risk-concepts/distribution.ts';
import { referenceSchema } from './risk-concepts/reference.ts';

const speakers = ['system', 'user', 'assistant', 'tool'] as const;
export type Speaker = (typeof speakers)[number];

const share = z.number().min(0).max(1);

/** The JSON of an answer: its types, how it is read and what the HTTP API says of it follow from this. */
export const evaluationAnswerSchema = z.looseObject({
  ...answerShape,
  job: z.literal('evaluation'),
  /**
   * The exchange as it was judged. Its texts are sources of the answer: the last answer of the model is `response`, the
   * message before it `prompt`; earlier messages are `turn-1-user`, `turn-2-assistant`, …, and what a system message
   * says is `system`.
   */
  subject: z.looseObject({
    id: z.string().nullable(),
    hash: z.string(),
    /** The evaluated model, when it is known. */
    model: z.string().nullable(),
    turns: z.array(z.looseObject({ source: z.string(), speaker: z.enum(speakers) })),
    ...contextShape,
  }),
  verdict: verdictSchema.extend({
    label: z.enum(safetyLabels),
    /** Which kind of risk was confirmed; `none` for safe, null for undecided. */
    concept: z.enum(riskConcepts).nullable(),
    behaviour: z.enum(behaviours).nullable(),
    /** The final mixture of the debate, or what a single judge stated. */
    distribution: z.looseObject({ explicit: share, implicit: share, none: share }).nullable(),
  }),
  /** What a reader must know about who judged whom: a seat of the evaluated model's own family, say. */
  warnings: z.array(
    z.looseObject({
      kind: z.enum(['same-family', 'self-evaluation-bias', 'same-model', 'evaluator-divergence']),
      seat: z.string(),
      detail: z.string(),
    }),
  ),
  /** With what the equations were computed with, so that they can be computed again. */
  provenance: provenanceSchema.extend({
    plan: planSchema,
    /** What P̂ was fitted to; null when it is what the critic states. */
    reference: referenceSchema.nullable(),
  }),
});

/** The verdict on what a model answered, and everything needed to check it. */
export interface EvaluationAnswer extends Described<z.infer<typeof evaluationAnswerSchema>> {}

export type EvaluationSubject = EvaluationAnswer['subject'];
export type EvaluationVerdict = EvaluationAnswer['verdict'];
export type EvaluationWarning = EvaluationAnswer['warnings'][number];
export type EvaluationProvenance = EvaluationAnswer['provenance'];

/** Reads an answer from its JSON, or says in one line why it is none. `name` is the file, for the message. */
export function readEvaluationAnswer(json: string, name: string): EvaluationAnswer {
  return parseAnswer(evaluationAnswerSchema, json, name);
}

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
