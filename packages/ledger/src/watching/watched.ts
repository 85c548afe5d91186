import { z } from 'zod';
import { sensitivities } from '@agonhq/engine/policy/sensitivity';

/* What is watched over time, when somebody is told, and what may come into force. */

/** What cases are told apart by. */
export const watchGroups = ['job', 'clause', 'language', 'channel', 'run'] as const;
export type WatchGroup = (typeof watchGroups)[number];

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{C}+$/u, 'must be plain text');

/** What a rule can be about. */
export const watchedFigures = [
  'flagged',
  'undecided',
  'escalated',
  'degraded',
  'overridden',
  'risk',
  'cost',
  'latency',
  'cases',
] as const;

/** When somebody is to be told: the figure of a window has drifted from that of the windows before, or left a bound. */
export const watchRuleSchema = z.strictObject({
  name,
  figure: z.enum(watchedFigures),
  job: z.string().max(100).nullable().default(null).describe('Only cases of this job.'),
  by: z.enum(watchGroups).nullable().default(null).describe('Each group is compared with itself; null for all cases.'),
  value: z.string().max(256).nullable().default(null).describe('Only this group.'),
  windowMinutes: z
    .int()
    .min(5)
    .max(60 * 24 * 31)
    .describe('How much time is looked at, up to now.'),
  test: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('drift'),
      windows: z.int().min(1).max(60).default(7).describe('How many windows before it are what it is held against.'),
      z: z.number().min(1).max(20).default(4).describe('How many standard errors are too far.'),
      change: z.number().min(0).default(0).describe('A smaller difference is none, however sure it is.'),
      least: z.int().min(2).max(1_000_000).default(30).describe('With fewer cases in either, nothing is said.'),
      direction: z.enum(['up', 'down', 'both']).default('both'),
    }),
    z.strictObject({
      kind: z.literal('bound'),
      above: z.number().nullable().default(null),
      below: z.number().nullable().default(null),
      least: z.int().min(0).max(1_000_000).default(30).describe('With fewer cases nothing is said.'),
    }),
  ]),
});
export type WatchRule = z.infer<typeof watchRuleSchema>;

/** What was found when an alert was raised, or when it was looked at last. */
export const findingSchema = z.strictObject({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** The figure now, with the cases behind it. */
  now: z.number(),
  cases: z.int(),
  /** The same before; null where a bound is what it is held against. */
  before: z.number().nullable(),
  casesBefore: z.int().nullable(),
  z: z.number().nullable(),
  why: z.string(),
});
export type WatchFinding = z.infer<typeof findingSchema>;

/** What may come into force: another policy, other models, another sensitivity or method. */
export const candidateSchema = z.strictObject({
  name,
  job: z.string().max(100),
  policy: z.string().max(80).nullable().default(null).describe('The hash of a policy on record, or how it begins.'),
  seats: z.record(z.string().max(60), z.string().max(200)).default({}).describe('Other models, by seat.'),
  sensitivity: z.enum(sensitivities).nullable().default(null),
  method: z.string().max(60).nullable().default(null),
  share: z.number().gt(0).max(1).default(0.1).describe('Which part of the traffic it judges.'),
  concurrency: z.int().min(1).max(16).default(1).describe('How many cases it judges at once, on each server.'),
  budgetUsd: z.number().positive().nullable().default(null).describe('It ends when it has spent so much.'),
});
export type WatchedCandidate = z.infer<typeof candidateSchema>;
