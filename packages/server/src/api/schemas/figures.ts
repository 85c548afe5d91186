import { z } from 'zod';
import { named, share } from './common.ts';

export const figure = z.number().nullable();
export const spread = z.object({ p50: figure, p95: figure }).describe('Null where nothing was measured.');

export const agreement = named(
  'Agreement',
  z.object({
    items: z.int().describe('Items judged by two or more people.'),
    raters: z.array(z.string()),
    percent: share.nullable().describe('The share of pairs that agree.'),
    kappa: z.number().nullable().describe("Cohen's κ of two raters; of more, the mean over their pairs."),
    alpha: z.number().nullable().describe("Krippendorff's α."),
    pairs: z.array(
      z.object({
        between: z.tuple([z.string(), z.string()]),
        items: z.int(),
        percent: share.nullable(),
        kappa: z.number().nullable(),
      }),
    ),
  }),
);

export const agreedShare = named(
  'AgreedShare',
  z.object({
    of: z.int(),
    agreed: z.int(),
    interval: z.tuple([share, share]).nullable().describe('Of the share that agreed: 95 %, by Wilson.'),
  }),
);
