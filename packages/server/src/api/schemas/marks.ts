import { z } from 'zod';
import { hash, named, share, plainText } from './common.ts';
import { agreement } from './figures.ts';

/* What people find in an item beside its label: tags, how grave it is, and the words and regions that show it. */

const tag = plainText(100);
const part = z.enum(['text', 'prompt', 'response']);
const offset = z.int().min(0).max(1_000_000);

const distinct = (words: readonly string[]) => new Set(words.map((one) => one.toLowerCase())).size === words.length;

/** What a new project asks for. */
export const newMarking = z.strictObject({
  tags: z
    .array(tag)
    .min(1)
    .max(200)
    .refine(distinct, 'must differ')
    .optional()
    .describe('What can be found in an item; by default the clauses of the policy in force.'),
  severities: z
    .array(tag)
    .max(9)
    .refine(distinct, 'must differ')
    .optional()
    .describe("The mildest first; by default the policy's (low, medium, high, critical), none where it is empty."),
});

export const marking = named(
  'Marking',
  z.object({
    tags: z.array(z.object({ id: z.string(), title: z.string().nullable() })),
    severities: z.array(z.string()),
    policy: z.object({ name: z.string(), version: z.string() }).nullable().describe('Whose clauses the tags are.'),
  }),
);

const span = {
  kind: z.literal('span'),
  part,
  start: offset.describe('In UTF-16 code units.'),
  end: offset,
  quote: z.string().min(1).max(200_000).describe('The words at this place.'),
  tag: z.string(),
};
const region = {
  kind: z.literal('region'),
  image: hash,
  x: share.describe('From the left, as a share of the width.'),
  y: share,
  width: share,
  height: share,
  tag: z.string(),
};

export const finding = named(
  'Finding',
  z.object({
    tags: z.array(z.string()),
    severity: z.string().nullable(),
    marks: z.array(z.discriminatedUnion('kind', [z.object(span), z.object(region)])),
  }),
);
export type FindingView = z.infer<typeof finding>;

export const newFinding = named(
  'NewFinding',
  z.strictObject({
    tags: z.array(tag).max(200).refine(distinct, 'must differ'),
    severity: tag.nullable().default(null),
    marks: z
      .array(
        z.discriminatedUnion('kind', [
          z.strictObject({ ...span, tag }).refine(({ start, end }) => start < end, 'must not be empty'),
          z
            .strictObject({ ...region, tag })
            .refine(({ width, height }) => width > 0 && height > 0, 'must not be empty')
            .refine(
              ({ x, y, width, height }) => x + width <= 1 + 1e-9 && y + height <= 1 + 1e-9,
              'must be within the image',
            ),
        ]),
      )
      .max(500)
      .default([]),
  }),
);
export type NewFinding = z.infer<typeof newFinding>;

const overlap = z.object({
  items: z.int().describe('Items on which somebody marked something.'),
  mean: share.nullable(),
});

export const markAgreement = named(
  'MarkAgreement',
  z
    .object({
      tags: z.array(
        z.object({
          tag: z.string(),
          given: z.int().describe('How many votes have it.'),
          percent: share.nullable(),
          kappa: z.number().nullable(),
          alpha: z.number().nullable(),
        }),
      ),
      severity: agreement.nullable().describe('Null where none is asked for.'),
      spans: overlap.describe('F1 by characters, the mean over pairs of people and items.'),
      regions: overlap.describe('Intersection over union, the mean over pairs of people and items.'),
    })
    .describe('Over the items that have all their votes.'),
);
export type MarkAgreementView = z.infer<typeof markAgreement>;
