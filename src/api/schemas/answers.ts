import { z } from 'zod';
import { hash, named, problem, safetyLabel, share, usage } from './common.ts';

/* What the three jobs answer. Answers are long and grow: what is named here holds, and more may stand beside it. */

const evidence = named(
  'Evidence',
  z
    .union([
      z.object({ quote: z.string(), source: z.string(), start: z.int(), end: z.int(), verified: z.literal(true) }),
      z.object({ quote: z.string(), source: z.null(), verified: z.literal(false) }),
    ])
    .describe(
      'A quotation that code has checked: when verified, it stands in its source from start to end (UTF-16 code ' +
        'units).',
    ),
);

const turn = z.looseObject({
  kind: z.literal('turn'),
  key: z.string(),
  inputHash: z.string(),
  seat: z.string(),
  role: z.string(),
  round: z.int().nullable(),
  statement: z.string(),
  score: z.number().nullable(),
  evidence: z.array(evidence),
  answer: z.unknown(),
  reasoner: z.string(),
  usage,
  latencyMs: z.number(),
});
const computed = z.looseObject({
  kind: z.literal('computed'),
  key: z.string(),
  inputHash: z.string(),
  name: z.string(),
  round: z.int().nullable(),
  value: z.unknown(),
});

const entry = named(
  'Entry',
  z
    .union([
      turn,
      computed,
      z.looseObject({ kind: z.literal('stop'), key: z.string(), round: z.int(), reason: z.string() }),
    ])
    .describe('A turn of a seat, a step of code, or why the rounds ended.'),
);

const source = named(
  'Source',
  z
    .looseObject({ id: z.string(), text: z.string() })
    .describe('What the debaters saw: a text of the subject, or what a tool drew from it.'),
);

const degradation = named('Degradation', z.object({ kind: z.string(), at: z.string(), detail: z.string() }));

export const verdictOf = <Label extends z.ZodType>(label: Label) =>
  z.looseObject({
    label,
    score: share.nullable().describe('0 is harmless, 1 is extreme risk.'),
    probability: share.nullable().describe('Calibrated; null until the configuration was calibrated.'),
    confidence: share.nullable(),
    escalate: z.boolean().describe('A person must look at it.'),
    rule: z.object({ id: z.string(), why: z.string() }),
    categories: z.array(z.object({ id: z.string(), clause: z.string() })),
    evidence: z.array(evidence),
    degraded: z.array(degradation),
  });

const precedent = named(
  'ShownPrecedent',
  z.looseObject({
    id: z.string(),
    label: z.enum(['safe', 'unsafe']),
    category: z.string().nullable(),
    summary: z.string(),
    cues: z.array(z.string()),
    similarity: z.number(),
  }),
);

const provenance = named(
  'Provenance',
  z.looseObject({
    agon: z.string(),
    protocol: z.string(),
    policy: z.looseObject({ name: z.string(), version: z.string(), hash: z.string() }),
    prompts: z.string(),
    models: z.record(z.string(), z.string()),
    precedents: z.string().nullable(),
    configuration: z.string(),
  }),
);

const answerUsage = named(
  'AnswerUsage',
  z.looseObject({
    ...usage.shape,
    latencyMs: z.number(),
    byModel: z.record(z.string(), usage),
    bySeat: z.record(z.string(), usage),
  }),
);

const around = {
  version: z.literal(1),
  id: z.string(),
  transcript: z.array(entry),
  usage: answerUsage,
  provenance,
  seal: hash.describe('Of everything else: `agon verify` checks it offline.'),
};

export const moderationAnswer = named(
  'ModerationAnswer',
  z
    .looseObject({
      ...around,
      job: z.literal('moderation'),
      subject: z.looseObject({
        id: z.string().nullable(),
        hash: z.string(),
        modality: z.enum(['text', 'image', 'text+image']),
        images: z.array(z.looseObject({ id: z.string(), hash: z.string().nullable() })),
      }),
      sources: z.array(source),
      verdict: verdictOf(safetyLabel),
      precedents: z.array(precedent),
    })
    .describe('The verdict and everything needed to check it.'),
);

const distribution = z.looseObject({ explicit: share, implicit: share, none: share });

export const evaluationAnswer = named(
  'EvaluationAnswer',
  z.looseObject({
    ...around,
    job: z.literal('evaluation'),
    subject: z.looseObject({
      id: z.string().nullable(),
      hash: z.string(),
      model: z.string().nullable(),
      turns: z.array(z.looseObject({ source: z.string(), speaker: z.string() })),
    }),
    sources: z.array(source),
    verdict: verdictOf(safetyLabel).extend({
      concept: z.enum(['explicit', 'implicit', 'none']).nullable(),
      behaviour: z.string().nullable(),
      distribution: distribution.nullable(),
    }),
    precedents: z.array(precedent),
    warnings: z.array(z.looseObject({ kind: z.string(), seat: z.string(), detail: z.string() })),
  }),
);

const claimAnswer = named(
  'ClaimAnswer',
  z.looseObject({
    ...around,
    job: z.literal('documents'),
    subject: z.looseObject({
      id: z.string(),
      text: z.string(),
      kind: z.string(),
      domain: z.string(),
      importance: z.number(),
      hash: z.string(),
    }),
    sources: z.array(source),
    verdict: verdictOf(z.enum(['verified-strong', 'supported', 'mixed', 'contradicted', 'unsupported', 'undecided'])),
    numbers: z.array(
      z.looseObject({
        id: z.string(),
        check: z.string(),
        outcome: z.enum(['holds', 'conflict']),
        statement: z.string(),
        arithmetic: z.string(),
      }),
    ),
  }),
);

export const analysis = named(
  'Analysis',
  z
    .looseObject({
      ...around,
      job: z.literal('documents'),
      documents: z.array(z.looseObject({ name: z.string(), hash: z.string() })),
      claims: z.array(claimAnswer),
      numbers: z.array(z.looseObject({ id: z.string(), check: z.string(), outcome: z.enum(['holds', 'conflict']) })),
      outlook: z.looseObject({
        label: z.enum(['positive', 'mixed', 'negative', 'undecided']),
        rule: z.object({ id: z.string(), why: z.string() }),
        brief: z.string(),
        risks: z.array(z.string()),
        questions: z.array(z.string()),
      }),
      degraded: z.array(degradation),
    })
    .describe('The debate trace: everything that was read, claimed, argued and decided about a dossier.'),
);

const outcome = z.looseObject({
  id: z.string(),
  label: z.string(),
  score: z.number().nullable(),
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
      answer: z.union([moderationAnswer, evaluationAnswer, analysis]),
    })
    .describe('A case that was held again, and what came of it.'),
);

const inTrial = {
  debate: z.string().describe('The case.'),
  scope: z.string().nullable().describe('The claim, of documents; null beyond it.'),
};
const happened = <const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.looseObject({ type: z.literal(type), ...inTrial, ...shape });
const claimOfTrial = z.looseObject({ id: z.string(), text: z.string() });

/** What a stream of a trial says: its type is the event's name. `answer` ends it well, `problem` badly. */
export const trialEvent = named(
  'TrialEvent',
  z
    .discriminatedUnion('type', [
      happened('case-ready', { caseFile: z.looseObject({ sources: z.array(source) }) }),
      happened('dossier-ready', {
        documents: z.array(z.looseObject({ name: z.string(), kind: z.string(), hash: z.string(), blocks: z.int() })),
        numbers: z.int(),
      }),
      happened('claims-ready', { claims: z.array(claimOfTrial) }),
      happened('claim-start', { claim: claimOfTrial }),
      happened('claim-end', {
        answer: z.looseObject({ id: z.string(), subject: claimOfTrial, verdict: verdictOf(z.string()) }),
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
        replayed: z.boolean().describe('It was recalled, and cost nothing.'),
      }),
      happened('compute-end', { key: z.string(), computed, replayed: z.boolean() }),
      happened('round-end', { round: z.int(), stop: z.string().nullable() }),
      happened('debate-end', {}),
      z.looseObject({ type: z.literal('answer'), answer: z.unknown() }),
      z.looseObject({ type: z.literal('problem'), problem }),
    ])
    .describe('The event is named by its type. One of `answer` and `problem` ends the stream.'),
);
