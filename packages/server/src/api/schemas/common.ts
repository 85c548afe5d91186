import { z } from 'zod';
import { safetyLabels, usageSchema } from '@agonhq/engine/debate';
import { severities } from '@agonhq/engine/policy/known-actions';

/** Names a schema in the OpenAPI document. */
export function named<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  return schema.meta({ id });
}

export const moment = z.iso.datetime().describe('A moment in ISO 8601, in UTC.');
/** The same in a query. */
export const askedMoment = moment.transform((given) => new Date(given));
export const share = z.number().min(0).max(1);
export const hash = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .describe('sha256:…');
export const safetyLabel = z.enum(safetyLabels);
export const job = z.string().max(100).describe('The id of a job: one of `GET /api/jobs`.');
/** The same in a request: the server must have it, which is looked at when a request is read. */
export const knownJob = job.describe('The id of a job: one of `GET /api/jobs`, and no other.');

/** An id as it stands in a path: of a case, a run, a key … */
export const id = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w.~:-]+$/, 'is no id');
export const byId = z.strictObject({ id });

/** A place that stands in a path, from 0. */
export function placeOf(digits: number, problem: string) {
  const text = z.string().regex(new RegExp(`^\\d{1,${digits}}$`), problem);
  return z.union([
    z
      .int()
      .min(0)
      .max(10 ** digits - 1),
    text.transform(Number),
  ]);
}

/** A line of words, without characters that cannot be seen. */
export function plainText(most: number) {
  const letters = /^\P{C}+$/u;
  return z.string().trim().min(1).max(most).regex(letters, 'must be plain text');
}

const noOption = /^(?!-)\P{C}+$/u;
/** What people call something they start. */
export const givenName = z.string().trim().min(1).max(100).regex(noOption);
/** Who says so, or decides, where no key tells. */
export const person = z.string().min(1).max(200).optional();
/** How grave a clause is. */
export const severity = z.enum(severities);

/** The fields of a form are text: what is JSON is read as such. */
export function readJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Pages are asked for by what the one before said. */
export const paging = {
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('The maximum number of rows.'),
  after: z.string().max(1000).optional().describe('`next` of the previous page; omit it for the first page.'),
};

export function pageOf<Row extends z.ZodType>(name: string, row: Row) {
  return named(
    name,
    z.object({
      rows: z.array(row),
      next: z.string().nullable().describe('Where the next page starts; null at the end.'),
    }),
  );
}

/** `true` and `false` as a query says them. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

export const offsetMinutes = z.coerce.number().int().min(-840).max(840).default(0);

/** RFC 9457, with the code and the hint of AgonError. */
export const problem = named(
  'Problem',
  z.looseObject({
    type: z.string().describe('A link to what the code means.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What is wrong, in one line.'),
    instance: z.string().optional().describe('The id of the request.'),
    code: z.string().describe('Stable, for programs to compare.'),
    hint: z.string().describe('What to do next.'),
    issues: z
      .array(z.object({ line: z.int(), column: z.int(), reason: z.string() }))
      .optional()
      .describe('Each problem in a file that was sent, with its place.'),
  }),
);
export type Problem = z.infer<typeof problem>;

export const usage = usageSchema;
