import { z } from 'zod';
import { givenName, job, knownJob, named, readJsonText } from './common.ts';
import { expected, judgedBy, renaming } from './runs.ts';

/* Benches that are asked for over HTTP. */

/** `full,guard` or a list as JSON. */
const names = z.preprocess(
  (value) => {
    if (typeof value !== 'string') return value;
    return value.trimStart().startsWith('[') ? readJsonText(value) : value.split(',').map((name) => name.trim());
  },
  z.array(z.string().trim().min(1).max(200)).min(1).max(20),
);

export const newBench = named(
  'NewBench',
  z.strictObject({
    job: knownJob,
    title: givenName.optional().describe('By default the name of the data.'),
    systems: names
      .optional()
      .describe('Names as GET /api/bench-systems lists them, separated by commas; by default the debate alone.'),
    format: z.string().max(100).optional().describe('The layout of the data; by default recognised.'),
    map: renaming.optional().describe('Our field names and what the data calls them, as JSON: {"text":"comment"}.'),
    labels: renaming.optional().describe('The labels of the data and what they mean, as JSON: {"hateful":"unsafe"}.'),
    limit: z.coerce.number().int().min(1).max(200_000).optional().describe('Only the first so many items.'),
    repeats: z.coerce.number().int().min(1).max(10).default(1).describe('How often everything is judged, each anew.'),
    seed: z.coerce.number().int().min(1).default(1),
    budgetUsd: z.coerce.number().positive().optional().describe('The budget of the whole bench.'),
    ...judgedBy,
  }),
);

const spent = {
  calls: z.number(),
  usd: expected.nullable(),
  atMostUsd: z.number().nullable(),
};
export const benchEstimate = named(
  'BenchEstimate',
  z
    .object({
      items: z.int(),
      broken: z.int().describe('Lines that cannot be read.'),
      repeats: z.int(),
      judgements: z.int().describe('Items × systems × repeats.'),
      systems: z.array(z.object({ name: z.string(), models: z.array(z.string()), ...spent })),
      ...spent,
      budget: z
        .object({ usd: z.number(), covers: z.enum(['surely', 'likely', 'no', 'unknown']) })
        .nullable()
        .describe('Whether the budget covers the bench: even at most, as expected, or not.'),
      notes: z.array(z.string()),
    })
    .describe('What a bench would take, told by a sample of its data. Dollars are null where a price is not known.'),
);

export const benchSystems = named(
  'BenchSystems',
  z.object({
    jobs: z.array(
      z.object({
        job,
        usual: z.string().describe('What is measured where nobody names a system.'),
        systems: z.array(
          z.object({
            name: z.string().describe('With `provider:model` where a model is to be named.'),
            does: z.string(),
            takesModel: z.boolean(),
          }),
        ),
      }),
    ),
  }),
);
