import { z } from 'zod';

/* The lines of an export. JSON within them is taken as it is: a schema that rebuilt it would change the order of its members. */

const version = z.int().min(1);
const moment = z.iso.datetime();
const text = z.string();

const amount = z.int().min(0);
const result = z.strictObject({
  case: text, label: text, score: z.number().nullable(), escalate: z.boolean(), by: z.enum(['debate', 'guard']),
  usage: z.strictObject({ calls: amount, inputTokens: amount, outputTokens: amount, cachedTokens: amount, costUsd: z.number().nullable(), latencyMs: z.number() }),
});

export const lineSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ledger'), version }),
  z.strictObject({ kind: z.literal('policy'), version, hash: text, name: text, policyVersion: text, document: z.unknown(), keptAt: moment.optional() }),
  z.strictObject({ kind: z.literal('attachment'), version, hash: text, mediaType: text, data: z.base64() }),
  z.strictObject({
    kind: z.literal('subject'), version, hash: text, content: z.unknown(), excerpt: text.nullable(), attachments: z.array(text), openedAt: moment, forgottenAt: moment.nullable(),
  }),
  z.strictObject({
    kind: z.literal('run'), version, id: text, name: text.nullable(), job: text, configuration: text, settings: z.unknown(), input: text.nullable(),
    state: z.enum(['running', 'stopped', 'finished', 'failed', 'cancelled']),
    problem: text.optional(), total: z.int().min(0).optional(), startedAt: moment, endedAt: moment.nullable(),
  }),
  z.strictObject({
    kind: z.literal('run-item'), version, run: text, position: z.int().min(0), key: text, hash: text, input: z.unknown(), expected: text.nullable(),
    state: z.enum(['waiting', 'done', 'failed', 'same']), sameAs: z.int().min(0).nullable(), attempts: z.int().min(0), result: result.nullable(),
    error: z.strictObject({ code: text, message: text, hint: text }).nullable(), endedAt: moment.nullable(),
  }),
  z.strictObject({
    kind: z.literal('debate'), version, id: text, job: text, subject: text, configuration: text, settings: z.unknown(), policy: text, run: text.nullable(),
    again: z.strictObject({ of: text, how: z.enum(['replay', 'appeal']) }).nullable(), openedAt: moment, forgottenAt: moment.nullable(),
  }),
  z.strictObject({ kind: z.literal('entry'), version, debate: text, entry: z.unknown(), createdAt: moment }),
  z.strictObject({
    kind: z.literal('verdict'), version, debate: text, label: text, score: z.number().nullable(), probability: z.number().nullable(), escalate: z.boolean(), rule: text,
    categories: z.array(text), degraded: z.boolean(), modality: text.nullable(), answer: z.unknown(), seal: text, closedAt: moment,
    marks: z.strictObject({ confidence: z.number().nullable(), disagreement: z.number().nullable(), models: z.array(text), costUsd: z.number().nullable().optional(), latencyMs: z.number().nullable().optional() }).optional(),
  }),
  z.strictObject({
    kind: z.literal('decision'), version, id: text, case: text, label: z.enum(['safe', 'unsafe']), why: text.nullable(), clause: text.nullable(), by: text, at: moment, learntAt: moment.nullable(),
  }),
  z.strictObject({ kind: z.literal('precedent'), version, precedent: z.unknown() }),
  z.strictObject({ kind: z.literal('cache'), version, key: text, value: z.unknown(), keptAt: moment }),
  z.strictObject({
    kind: z.literal('bench'), version, id: text, name: text, plan: z.unknown(), state: z.enum(['running', 'done', 'stopped', 'failed']), startedAt: moment, endedAt: moment.nullable(), touchedAt: moment,
  }),
  z.strictObject({ kind: z.literal('bench-judgement'), version, bench: text, key: text, result: z.unknown() }),
  z.strictObject({ kind: z.literal('bench-attachment'), version, bench: text, name: text, value: z.unknown() }),
  z.strictObject({
    kind: z.literal('annotation-project'), version, id: text, name: text, labels: z.array(text), votes: z.int().min(1), guidelines: text.nullable(), createdBy: text.nullable(), createdAt: moment,
  }),
  z.strictObject({ kind: z.literal('annotation-item'), version, project: text, position: amount, key: text, content: z.unknown(), images: z.array(z.strictObject({ name: text, hash: text })) }),
  z.strictObject({
    kind: z.literal('annotation-vote'), version, project: text, position: amount, by: text, label: text, why: text.nullable(), viewed: z.array(text), tookMs: amount.nullable(), at: moment,
  }),
  z.strictObject({ kind: z.literal('annotation-adjudication'), version, project: text, position: amount, by: text, label: text, why: text, at: moment }),
]);

export type Line = z.infer<typeof lineSchema>;
export type LineOf<Kind extends Line['kind']> = Extract<Line, { kind: Kind }>;
