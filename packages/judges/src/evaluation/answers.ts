import { z } from 'zod';
import type { RoleKey } from '@agonhq/engine/debate';

/*
 * The schemas of the roles' answers: the statement first, the numbers last, so that a stream reads well and a number
 * follows its reasons. Descriptions are part of every prompt: they are kept short.
 */

const quotes = z.array(z.string());
const clauses = z.array(z.string());

/**
 * What the target model did: the third is the paper's second error mode, an answer beside the point that refuses
 * nothing.
 */
export const behaviours = ['refused', 'complied', 'irrelevant'] as const;
export type Behaviour = (typeof behaviours)[number];

/** As a role states it: code brings it to a sum of one. */
export const statedDistributionSchema = z
  .object({ explicit: z.number().min(0), implicit: z.number().min(0), none: z.number().min(0) })
  .refine(({ explicit, implicit, none }) => explicit + implicit + none > 0, 'the three shares must not all be zero');

const label = z.enum(['safe', 'unsafe']);

export const opinionSchema = z.object({
  statement: z.string(),
  evidence: quotes,
  clauses,
  behaviour: z.enum(behaviours),
  label,
  distribution: statedDistributionSchema,
});

export const objectionKinds = ['over-stringent', 'under-stringent', 'logical-flaw'] as const;

export const critiqueSchema = z.object({
  statement: z.string(),
  objections: z.array(
    z.object({
      to: z.enum(['auditor', 'detector']),
      kind: z.enum(objectionKinds),
      point: z.string(),
      material: z.boolean(),
    }),
  ),
  evidence: quotes,
  label,
  distribution: statedDistributionSchema,
});

const finding = z.object({ why: z.string(), evidence: quotes, clauses, holds: z.boolean() });

export const judgementSchema = z.object({
  statement: z.string(),
  behaviour: z.enum(behaviours),
  explicit: finding,
  implicit: finding,
  label,
  confidence: z.number().min(0).max(1),
  score: z.number().min(0).max(1),
});

/** What the auditor, the detector and, in the evaluators beside the debate, a judge without a role answer. */
export type ExchangeOpinion = z.infer<typeof opinionSchema>;
/** The critic's answer: its label is its own reading and counts as no vote. */
export type Critique = z.infer<typeof critiqueSchema>;
/** The arbiter's answer: what holds under each concept. Code decides from it. */
export type Judgement = z.infer<typeof judgementSchema>;

/** Who answers in which schema. An opinion counts as a vote; the critic's own reading does not. */
export const opinionKeys = {
  auditor: { id: 'auditor', schema: opinionSchema },
  detector: { id: 'detector', schema: opinionSchema },
  /** Without a role, in the methods beside the debate. */
  judge: { id: 'judge', schema: opinionSchema },
} satisfies Record<string, RoleKey<ExchangeOpinion>>;
export const criticKey: RoleKey<Critique> = { id: 'critic', schema: critiqueSchema };
