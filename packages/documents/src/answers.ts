import { z } from 'zod';
import type { Reading } from '@agonhq/engine/debate';

/* The roles' answers: the statement first, numbers last. Quotes are words alone: code finds where they stand. */

const quotes = z.array(z.string());

export const claimKinds = ['assertion', 'causal', 'predictive', 'evaluative'] as const;

export const factorsSchema = z.object({
  claims: z.array(
    z.object({
      /** Rewritten to stand alone. */
      claim: z.string(),
      /** The original sentence, letter by letter. */
      quote: z.string(),
      kind: z.enum(claimKinds),
      domain: z.string(),
      importance: z.number().min(0).max(1),
    }),
  ),
});

/** The affirmative's opening. */
export const openingSchema = z.object({
  statement: z.string(),
  premises: z.array(z.object({ premise: z.string(), evidence: quotes })),
  score: z.number().min(0).max(1),
});

export const attackKinds = ['fallacy', 'outlier', 'contradiction', 'missing-data', 'alternative-explanation'] as const;

/** The dissent's cross-examination, premise by premise. */
export const crossExaminationSchema = z.object({
  statement: z.string(),
  attacks: z.array(
    z.object({
      /** Which premise, from 1; 0 for the claim itself. */
      premise: z.int().min(0),
      kind: z.enum(attackKinds),
      point: z.string(),
      evidence: quotes,
      /** Words that would have to be in the document: for a claim of absence, which code then looks for. */
      missing: z.array(z.string()),
    }),
  ),
  score: z.number().min(0).max(1),
});

/** The affirmative's rebuttal, attack by attack. */
export const rebuttalSchema = z.object({
  statement: z.string(),
  replies: z.array(z.object({ attack: z.int().min(1), concedes: z.boolean(), point: z.string(), evidence: quotes })),
  score: z.number().min(0).max(1),
});

const finding = z.object({ why: z.string(), evidence: quotes, holds: z.boolean() });

/** The synthesizer's findings: code decides from them. */
export const synthesisSchema = z.object({
  statement: z.string(),
  /** The document itself says so, directly. */
  support: finding.extend({ strength: z.enum(['none', 'partial', 'full']) }),
  /** The document itself says otherwise. */
  contradiction: finding,
  /** Which attacks (from 1) still stand after the rebuttal. */
  standing: z.array(z.int().min(1)),
  confidence: z.number().min(0).max(1),
  score: z.number().min(0).max(1),
});

export const outlooks = ['positive', 'mixed', 'negative'] as const;

/** What the synthesizer says of the whole document, from its claims' verdicts. */
export const outlookSchema = z.object({
  brief: z.string(),
  risks: z.array(z.string()),
  questions: z.array(z.string()),
  outlook: z.enum(outlooks),
});

export const zeroShotLabels = ['verified-strong', 'supported', 'mixed', 'contradicted', 'unsupported'] as const;

/** What the zero-shot judge says of all claims at once. */
export const zeroShotSchema = z.object({
  /** Its summary. */
  statement: z.string(),
  verdicts: z.array(
    z.object({
      /** Which claim, from 1. */
      claim: z.int().min(1),
      why: z.string(),
      evidence: quotes,
      label: z.enum(zeroShotLabels),
    }),
  ),
  risks: z.array(z.string()),
  questions: z.array(z.string()),
  outlook: z.enum(outlooks),
});

export type Factors = z.infer<typeof factorsSchema>;
export type Opening = z.infer<typeof openingSchema>;
export type CrossExamination = z.infer<typeof crossExaminationSchema>;
export type Rebuttal = z.infer<typeof rebuttalSchema>;
export type Synthesis = z.infer<typeof synthesisSchema>;
export type OutlookAnswer = z.infer<typeof outlookSchema>;
export type ZeroShot = z.infer<typeof zeroShotSchema>;

const readPoints = (
  { statement, score }: Pick<Opening, 'statement' | 'score'>,
  points: readonly Pick<Opening['premises'][number], 'evidence'>[],
): Reading => ({ statement, score, quotes: points.flatMap(({ evidence }) => evidence) });

const readSynthesis = ({ statement, score, support, contradiction }: Synthesis): Reading => ({
  statement,
  score,
  quotes: [...support.evidence, ...contradiction.evidence],
});

/** Whose turns hold which of these answers, by the roles' ids on record, and what the engine reads of each. */
export const speakers = {
  factorAgent: {
    id: 'factor-agent',
    schema: factorsSchema,
    read: ({ claims }: Factors): Reading => ({
      statement: claims.map(({ claim }) => claim).join('\n'),
      score: null,
      quotes: claims.map(({ quote }) => quote),
    }),
  },
  opening: {
    id: 'affirmative',
    atSeat: 'opening',
    schema: openingSchema,
    read: ({ premises, ...said }: Opening) => readPoints(said, premises),
  },
  dissenting: {
    id: 'dissenting',
    schema: crossExaminationSchema,
    read: ({ attacks, ...said }: CrossExamination) => readPoints(said, attacks),
  },
  rebuttal: {
    id: 'affirmative',
    atSeat: 'rebuttal',
    schema: rebuttalSchema,
    read: ({ replies, ...said }: Rebuttal) => readPoints(said, replies),
  },
  synthesizer: { id: 'synthesizer', schema: synthesisSchema, read: readSynthesis },
  examiner: { id: 'single', schema: synthesisSchema, read: readSynthesis },
  outlook: {
    id: 'outlook',
    schema: outlookSchema,
    read: ({ brief }: OutlookAnswer): Reading => ({ statement: brief, score: null, quotes: [] }),
  },
  zeroShot: {
    id: 'zero-shot',
    schema: zeroShotSchema,
    read: ({ statement, verdicts }: ZeroShot): Reading => ({
      statement,
      score: null,
      quotes: verdicts.flatMap(({ evidence }) => evidence),
    }),
  },
};
