import { z } from 'zod';

/*
 * The schemas of the roles' answers. Each puts the statement first and the score last, so that a stream reads
 * well and a number follows its reasons. Descriptions are part of every prompt: they are kept short.
 */

/** The words alone: code finds the source they stand in, and naming it would cost tokens in every schema and answer. */
const quotes = z.array(z.string());

export const briefSchema = z.object({
  summary: z.string(),
  cues: z.array(z.object({ precedent: z.string(), cue: z.string(), difference: z.string() })),
  patterns: z.array(z.string()),
});

export const argumentSchema = z.object({
  statement: z.string(),
  concession: z.string().nullable(),
  evidence: quotes,
  clauses: z.array(z.string()),
  score: z.number().min(0).max(1),
});

export const opinionSchema = argumentSchema.omit({ concession: true });

const finding = z.object({ why: z.string(), evidence: quotes, holds: z.boolean() });

export const findingsSchema = z.object({
  statement: z.string(),
  exoneration: finding,
  risk: finding.extend({ clauses: z.array(z.string()) }),
  confidence: z.number().min(0).max(1),
  score: z.number().min(0).max(1),
});

export const descriptionSchema = z.object({ description: z.string() });

/** The supporter's answer: what the case is, what the precedents teach, and where they differ from it. */
export type Brief = z.infer<typeof briefSchema>;
/** A debater's answer. */
export type ModerationArgument = z.infer<typeof argumentSchema>;
/** What a judge without a role answers, in the methods beside the debate. */
export type Opinion = z.infer<typeof opinionSchema>;
/** The arbiter's answer: what holds under each rule. Code applies their priority. */
export type Findings = z.infer<typeof findingsSchema>;
export type ImageDescription = z.infer<typeof descriptionSchema>;
