import { z } from 'zod';
import { AgonError, type ErrorCode, type Hint } from '../errors.ts';
import type { Evidence, Source } from '../evidence/index.ts';
import { answerVersion, type Answer, type AnswerUsage } from './answer.ts';
import { calibrationSchema } from './calibration.ts';
import type { Observation } from './case-file.ts';
import type { Precedent, Retrieval } from './precedent.ts';
import type { FailureReason } from './reasoner.ts';
import type { Transcript } from './transcript.ts';

/* The JSON of an answer, as far as every job has it. Loose: what another release adds is kept, and sealed with it. */

const evidence: z.ZodType<Evidence> = z.discriminatedUnion('verified', [
  z.looseObject({ quote: z.string(), source: z.string(), start: z.int(), end: z.int(), verified: z.literal(true) }),
  z.looseObject({ quote: z.string(), source: z.null(), verified: z.literal(false) }),
]);

const usage = z.looseObject({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  costUsd: z.number().nullable(),
});

/** Any word: a reason that a later release knows must not make an answer unreadable. */
const failureReason = z.custom<FailureReason>((value) => typeof value === 'string');

const transcript: z.ZodType<Transcript> = z.array(
  z.discriminatedUnion('kind', [
    z.looseObject({
      kind: z.literal('turn'),
      key: z.string(),
      inputHash: z.string(),
      seat: z.string(),
      role: z.string(),
      round: z.number().nullable(),
      statement: z.string(),
      score: z.number().nullable(),
      evidence: z.array(evidence),
      answer: z.unknown(),
      reasoner: z.string(),
      usage,
      latencyMs: z.number(),
      fallback: z.object({ reason: failureReason, detail: z.string() }).optional(),
      notes: z.array(z.string()).optional(),
    }),
    z.looseObject({
      kind: z.literal('computed'),
      key: z.string(),
      inputHash: z.string(),
      name: z.string(),
      round: z.number().nullable(),
      value: z.unknown(),
    }),
    z.looseObject({ kind: z.literal('stop'), key: z.string(), round: z.number(), reason: z.string() }),
  ]),
);

const sources: z.ZodType<readonly (Source | Observation)[]> = z.array(
  z.looseObject({ id: z.string(), text: z.string() }),
);

const precedents: z.ZodType<readonly Precedent[]> = z.array(
  z.looseObject({
    id: z.string(),
    label: z.enum(['safe', 'unsafe']),
    category: z.string().nullable(),
    summary: z.string(),
    cues: z.array(z.string()),
    similarity: z.number(),
  }),
);

const retrieval: z.ZodType<Omit<Retrieval, 'precedents'>> = z.looseObject({
  excluded: z.array(
    z.looseObject({
      id: z.string(),
      reason: z.enum(['itself', 'near-duplicate', 'evaluation-set', 'left-out', 'collapsed']),
      similarity: z.number().optional(),
    }),
  ),
  furtherExcluded: z.int().optional(),
  library: z.looseObject({ size: z.int(), problem: z.string().nullable() }),
});

const answerUsage: z.ZodType<AnswerUsage> = usage.extend({
  latencyMs: z.number(),
  byModel: z.record(z.string(), usage),
  bySeat: z.record(z.string(), usage),
});

export const degradationSchema = z.object({ kind: z.string(), at: z.string(), detail: z.string() });

export const provenanceSchema = z.looseObject({
  agon: z.string(),
  /** The protocol in words: `supporter, 2 rounds together, arbiter`. */
  protocol: z.string(),
  policy: z.object({ name: z.string(), version: z.string(), hash: z.string() }),
  /** Hash of the roles' own words. */
  prompts: z.string(),
  /** Which model each seat is filled with. */
  models: z.record(z.string(), z.string()),
  precedents: z.string().nullable(),
  configuration: z.string(),
  setup: z.string().optional(),
  calibration: calibrationSchema.optional(),
});

/** What every answer holds beside its subject and its verdict. */
export const answerShape = {
  version: z.literal(answerVersion),
  id: z.string(),
  sources,
  transcript,
  precedents,
  retrieval: retrieval.optional(),
  usage: answerUsage,
  provenance: provenanceSchema,
  seal: z.string(),
};

export function verdictSchema<Label extends string>(label: z.ZodType<Label>) {
  return z.looseObject({
    label,
    score: z.number().nullable(),
    probability: z.number().nullable(),
    confidence: z.number().nullable(),
    escalate: z.boolean(),
    rule: z.object({ id: z.string(), why: z.string() }),
    categories: z.array(z.object({ id: z.string(), clause: z.string() })),
    evidence: z.array(evidence),
    degraded: z.array(degradationSchema),
  });
}

const answerSchema = z.looseObject({
  ...answerShape,
  job: z.string(),
  subject: z.looseObject({ hash: z.string() }),
  verdict: verdictSchema(z.string()),
});

/** What a schema describes, without the room that it leaves for more, and not to be changed. */
export type Described<Value> = Value extends readonly (infer Item)[]
  ? number extends Value['length']
    ? readonly Described<Item>[]
    : Value
  : Value extends object
    ? { [Key in keyof Value as IsRoom<Value, Key> extends true ? never : Key]: Described<Value[Key]> }
    : Value;

type IsRoom<Value, Key extends keyof Value> = string extends Key ? (unknown extends Value[Key] ? true : false) : false;

/** Reads an answer from its JSON, or says in one line why it is none. `name` is the file, for the message. */
export function readAnswer(json: string, name: string): Answer {
  return parseAnswer(answerSchema, json, name, {
    code: 'not-an-answer',
    what: 'an answer',
    hint: { library: 'Pass the JSON of an answer.', cli: 'Pass a file written by --json or --report answer.json.' },
  });
}

/** Reads the JSON of an answer by a job's own schema. */
export function parseAnswer<Read>(
  schema: z.ZodType<Read>,
  json: string,
  name: string,
  { code, what, hint }: { code: ErrorCode; what: string; hint: Hint },
): Read {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AgonError(code, `${name} is not JSON: ${why}`, hint, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new AgonError(
    code,
    `${name} is not ${what} of Agon: ${first!.path.join('.') || 'it'}: ${first!.message}`,
    hint,
  );
}
