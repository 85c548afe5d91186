import { z } from 'zod';
import { hash, moment, named, pageOf, paging, givenName, id, placeOf, plainText, readJsonText } from './common.ts';
import { agreement } from './figures.ts';
import { finding, markAgreement, marking, newFinding, newMarking } from './marks.ts';

/* Annotation: people label a dataset by independent votes, what they disagree about is adjudicated. */

const label = plainText(60);
const by = plainText(200).optional().describe('The person who votes, unless the key names one.');
const itemState = z
  .enum(['open', 'disputed', 'agreed', 'adjudicated'])
  .describe('`open`: votes are missing. `disputed`: they differ, and an adjudicator decides.');

export const newAnnotation = named(
  'NewAnnotation',
  z.strictObject({
    name: givenName,
    labels: z
      .preprocess(
        readJsonText,
        z
          .array(label)
          .min(2)
          .max(12)
          .refine((labels) => new Set(labels.map((one) => one.toLowerCase())).size === labels.length, 'must differ'),
      )
      .default(['safe', 'unsafe'])
      .describe('The labels to vote for, as a JSON list.'),
    votes: z.coerce.number().int().min(2).max(9).default(2).describe('How many people vote on each item.'),
    guidelines: z.string().max(20_000).optional().describe('Instructions for the annotators, as plain text.'),
    marking: z
      .preprocess(readJsonText, newMarking)
      .optional()
      .describe('Asks for tags, a severity, and marks in texts and images beside the label, as JSON; `{}` for all.'),
    format: z.enum(['jsonl', 'csv', 'tsv']).optional().describe('By default derived from the file name.'),
    map: z
      .preprocess(readJsonText, z.record(z.string().max(100), z.string().max(200)))
      .optional()
      .describe(
        'Our field names (id, text, image, prompt, response, category, model, label) and what the input calls ' +
          'them, as JSON.',
      ),
    by: by.describe('The person who creates it, unless the key names one.'),
  }),
);

const progress = z.object({
  items: z.int(),
  open: z.int(),
  disputed: z.int(),
  agreed: z.int(),
  adjudicated: z.int(),
  votes: z.int(),
});

export const annotationProject = named(
  'AnnotationProject',
  z.object({
    id: z.string(),
    name: z.string(),
    labels: z.array(z.string()),
    votes: z.int(),
    guidelines: z.string().nullable(),
    marking: marking.nullable().describe('What is asked for beside the label; null for a label alone.'),
    createdAt: moment,
    createdBy: z.string().nullable(),
    progress,
    agreement,
    markAgreement: markAgreement.nullable(),
    annotators: z.array(z.object({ name: z.string(), votes: z.int() })),
    yours: z.object({
      voted: z.int(),
      waiting: z.int().describe('Items that you have not voted on, and that still need a vote.'),
    }),
  }),
);
export type AnnotationProjectView = z.infer<typeof annotationProject>;
export const annotationList = named('AnnotationList', z.object({ rows: z.array(annotationProject) }));
export const annotatorQuery = z.strictObject({ by });

export const annotationVote = z.object({
  by: z.string(),
  label: z.string(),
  why: z.string().nullable(),
  finding: finding.nullable(),
  at: moment,
});

export const annotationItem = named(
  'AnnotationItem',
  z.object({
    position: z.int(),
    id: z.string(),
    text: z.string().nullable(),
    prompt: z.string().nullable(),
    response: z.string().nullable(),
    images: z.array(z.object({ hash, mediaType: z.string() })),
    parts: z.array(z.enum(['text', 'image', 'prompt', 'response'])).describe('What must be looked at before a vote.'),
    state: itemState,
    voted: z.int(),
    votes: z.array(annotationVote).nullable().describe('Null until all votes are cast: votes are independent.'),
    yours: annotationVote.nullable(),
    adjudication: annotationVote.nullable(),
    label: z
      .string()
      .nullable()
      .describe(
        'What it came to: what all voted for, or what was adjudicated. Null for a dispute, however large the majority.',
      ),
    finding: finding
      .nullable()
      .describe('What it came to beside the label: what was adjudicated, or the marks that more than half made.'),
  }),
);
export type AnnotationItemView = z.infer<typeof annotationItem>;
export const annotationItemPage = pageOf('AnnotationItemPage', annotationItem);
export const annotationItemQuery = z.strictObject({
  limit: paging.limit,
  after: paging.after,
  state: itemState.optional(),
  by,
});
export const annotationNextQuery = z.strictObject({
  by,
  skip: z
    .string()
    .max(2000)
    .regex(/^\d{1,9}(?:,\d{1,9})*$/, 'must be positions, divided by commas')
    .transform((list) => list.split(',').map(Number))
    .optional()
    .describe('Positions to skip this time: `3,17`.'),
});
export const annotationNext = named(
  'AnnotationNext',
  z.object({
    item: annotationItem
      .nullable()
      .describe('Null when nothing is waiting for you, or others are working on all that is left.'),
    waiting: z.int(),
  }),
);

export const byItem = z.strictObject({
  id,
  position: placeOf(7, 'is no position').describe('Its place in the file, from 0.'),
});

export const byImage = z.strictObject({ id, hash });

export const newVote = named(
  'NewVote',
  z.strictObject({
    label,
    why: z.string().trim().max(5000).optional(),
    finding: newFinding.optional(),
    viewed: z
      .array(z.enum(['text', 'image', 'prompt', 'response']))
      .max(4)
      .describe('The parts that were looked at: without all parts of the item, the vote is refused.'),
    tookMs: z.int().min(0).max(86_400_000).optional(),
    by,
  }),
);
export const newAdjudication = named(
  'NewAdjudication',
  z.strictObject({ label, why: z.string().trim().min(1).max(5000), finding: newFinding.optional(), by }),
);
export const annotationExportQuery = z.strictObject({
  format: z.enum(['jsonl', 'csv']).default('jsonl'),
  only: z.enum(['all', 'settled']).default('all'),
});
