import { z } from 'zod';
import { AgonError } from '../errors.ts';
import { answerVersion, type Answer } from './answer.ts';
import { calibrationSchema } from './calibration.ts';

const evidence = z.discriminatedUnion('verified', [
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

const entry = z.discriminatedUnion('kind', [
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
    fallback: z.object({ reason: z.string(), detail: z.string() }).optional(),
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
]);

const answerSchema = z.looseObject({
  version: z.literal(answerVersion),
  id: z.string(),
  job: z.string(),
  subject: z.looseObject({ hash: z.string() }),
  sources: z.array(z.looseObject({ id: z.string(), text: z.string() })),
  verdict: z.looseObject({
    label: z.string(),
    score: z.number().nullable(),
    probability: z.number().nullable(),
    confidence: z.number().nullable(),
    escalate: z.boolean(),
    rule: z.object({ id: z.string(), why: z.string() }),
    categories: z.array(z.object({ id: z.string(), clause: z.string() })),
    evidence: z.array(evidence),
    degraded: z.array(z.object({ kind: z.string(), at: z.string(), detail: z.string() })),
  }),
  transcript: z.array(entry),
  precedents: z.array(z.looseObject({ id: z.string(), label: z.string() })),
  retrieval: z
    .looseObject({
      excluded: z.array(z.looseObject({ id: z.string(), reason: z.string(), similarity: z.number().optional() })),
      furtherExcluded: z.int().optional(),
      library: z.looseObject({ size: z.int(), problem: z.string().nullable() }),
    })
    .optional(),
  usage: usage.extend({
    latencyMs: z.number(),
    byModel: z.record(z.string(), usage),
    bySeat: z.record(z.string(), usage),
  }),
  provenance: z.looseObject({
    agon: z.string(),
    policy: z.object({ name: z.string(), version: z.string(), hash: z.string() }),
    configuration: z.string(),
    calibration: calibrationSchema.optional(),
  }),
  seal: z.string(),
});

/** Reads an answer from its JSON, or says in one line why it is none. `name` is the file, for the message. */
export function readAnswer(json: string, name: string): Answer {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new AgonError(
      'not-an-answer',
      `${name} is not JSON: ${(error as Error).message}`,
      { library: 'Pass the JSON of an answer.', cli: 'Pass a file written by --json or --report answer.json.' },
      { cause: error },
    );
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    throw new AgonError(
      'not-an-answer',
      `${name} is not an answer of Agon: ${first!.path.join('.') || 'it'}: ${first!.message}`,
      { library: 'Pass the JSON of an answer.', cli: 'Pass a file written by --json or --report answer.json.' },
    );
  }
  return parsed.data as unknown as Answer;
}
