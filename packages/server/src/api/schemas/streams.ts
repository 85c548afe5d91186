import { z } from 'zod';
import { moment } from './common.ts';

const streamName = z
  .string()
  .regex(/^[\w.:-]{1,100}$/, 'letters, digits, and . : _ -')
  .describe('A name of your own, under which the server remembers how far it delivered.');

const offset = z.int().min(0);
/** So that where to go on behind it is a number that every language reads, too: below 2^53. */
export const lastOffset = Number.MAX_SAFE_INTEGER - 1;

export const byStream = z.strictObject({ stream: streamName });

export const streamQuery = z.strictObject({
  stream: streamName.optional(),
  from: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The offset of the first line, where the lines do not say theirs; 0 by default.'),
  job: z.string().optional().describe('Which job judges the lines; moderation by default.'),
});

export const streamItem = z
  .looseObject({
    offset: offset
      .max(lastOffset)
      .optional()
      .describe('Its place; by default, one more than the highest before. One that comes again is answered again.'),
    key: z.string().max(256).optional().describe('What you call it.'),
  })
  .describe('And what a request to judge one of them holds: `text`, `images`, `context`, `method` …');

const streamError = z.strictObject({ code: z.string(), message: z.string(), hint: z.string() });

export const streamLine = z.union([
  z.strictObject({
    stream: z.string(),
    partition: z.string(),
    offset,
    key: z.string(),
    case: z.string().describe('Its case on record.'),
    label: z.string(),
    risk: z.number().nullable().describe('Null where the job states none.'),
    escalate: z.boolean().describe('Whether a person should look at it.'),
    rule: z.string(),
    categories: z.array(z.string()),
  }),
  z.strictObject({ stream: z.string(), partition: z.string(), offset, key: z.string(), error: streamError }),
  z.strictObject({
    end: z
      .strictObject({
        next: offset.describe('Where to go on.'),
        judged: z.int(),
        failed: z.int(),
        complete: z.boolean().describe('All that was sent has its line; otherwise send the rest again.'),
      })
      .describe('The last line. A connection that was cut off has none.'),
  }),
]);

export const streamPosition = z.strictObject({
  stream: streamName,
  offset: offset.describe('The last one whose result was sent.'),
  movedAt: moment,
});
