import { z } from 'zod';
import {
  answerShape,
  computedSchema,
  provenanceSchema,
  turnSchema,
  verdictSchema,
  type Computed,
  type Turn,
} from '@agonhq/engine/debate';
import { analysisSchema } from '@agonhq/documents';
import { evaluationAnswerSchema } from '@agonhq/judges/evaluation';
import { moderationAnswerSchema } from '@agonhq/judges/moderation';
import { named, problem } from './common.ts';

/* What the three jobs answer. Answers are long and grow: what is named here holds, and more may stand beside it. */

export const moderationAnswer = named(
  'ModerationAnswer',
  moderationAnswerSchema.describe('The verdict and everything needed to check it.'),
);

export const evaluationAnswer = named('EvaluationAnswer', evaluationAnswerSchema);

export const analysis = named(
  'Analysis',
  analysisSchema.describe('The debate trace: everything that was read, claimed, argued and decided about a dossier.'),
);

/** Any name. The type checker is told another than Agon's own jobs have, so that it can tell answers apart by it. */
const otherJob = z.custom<'another job'>((name) => typeof name === 'string').meta({ type: 'string' });

/** An answer of a job that Agon does not come with. */
export const jobAnswer = named(
  'JobAnswer',
  z
    .looseObject({
      ...answerShape,
      job: otherJob,
      subject: z.looseObject({ hash: z.string() }),
      verdict: verdictSchema,
    })
    .describe('What a job of your own answers.'),
);

export const anyAnswer = named('Answer', z.union([moderationAnswer, evaluationAnswer, analysis, jobAnswer]));

const outcome = z.looseObject({
  id: z.string(),
  label: z.string(),
  risk: z.number().nullable().describe('Null when nobody was heard, and of a job that states no risk.'),
  bar: z.number().nullable().describe('The risk from which it is unsafe.'),
  escalate: z.boolean(),
  rule: z.object({ id: z.string(), why: z.string() }),
  categories: z.array(z.string()),
  models: z.record(z.string(), z.string()),
});

export const retrial = named(
  'Retrial',
  z
    .looseObject({
      version: z.literal(1),
      how: z.enum(['replay', 'appeal']),
      of: z.string(),
      changes: z.array(z.string()),
      before: outcome,
      after: outcome,
      flipped: z.boolean(),
      differences: z.array(z.object({ at: z.string(), before: z.string(), after: z.string() })),
      recalled: z.array(z.string()),
      argued: z.array(z.string()),
      notes: z.array(z.string()),
      answer: anyAnswer,
    })
    .describe('A case that was held again, and what came of it.'),
);

const inTrial = {
  debate: z.string().describe('The case.'),
  scope: z.string().nullable().describe('The claim, for documents; null for the rest of the analysis.'),
};
const happened = <const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.looseObject({ type: z.literal(type), ...inTrial, ...shape });
const turn: z.ZodType<Turn> = turnSchema;
const computed: z.ZodType<Computed> = computedSchema;
const claimOfTrial = z.looseObject({ id: z.string(), text: z.string() });

/** What a stream of a trial says: its type is the event's name. `answer` ends it well, `problem` badly. */
export const trialEvent = named(
  'TrialEvent',
  z
    .discriminatedUnion('type', [
      happened('case-ready', {
        caseFile: z.looseObject({ sources: answerShape.sources }),
        calibration: provenanceSchema.shape.calibration.describe(
          'How the scores of turns become risks: 1 / (1 + e^-(a · logit(score) + b)); absent where they are the risks.',
        ),
      }),
      happened('dossier-ready', {
        documents: z.array(z.looseObject({ name: z.string(), kind: z.string(), hash: z.string(), blocks: z.int() })),
        numbers: z.int(),
      }),
      happened('claims-ready', { claims: z.array(claimOfTrial) }),
      happened('claim-start', { claim: claimOfTrial }),
      happened('claim-end', {
        answer: z.looseObject({ id: z.string(), subject: claimOfTrial, verdict: verdictSchema }),
      }),
      happened('turn-start', {
        key: z.string(),
        seat: z.string(),
        role: z.string(),
        round: z.int().nullable(),
        reasoner: z.string(),
      }),
      happened('turn-delta', { key: z.string(), seat: z.string(), delta: z.string() }),
      happened('turn-end', {
        key: z.string(),
        turn,
        replayed: z.boolean().describe('It was recalled from the record and cost nothing.'),
      }),
      happened('compute-end', { key: z.string(), computed, replayed: z.boolean() }),
      happened('round-end', { round: z.int(), stop: z.string().nullable() }),
      happened('debate-end', {}),
      z.looseObject({ type: z.literal('answer'), answer: z.unknown() }),
      z.looseObject({ type: z.literal('problem'), problem }),
    ])
    .describe('The event is named after its type. `answer` or `problem` ends the stream.'),
);
