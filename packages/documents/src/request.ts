import { z } from 'zod';
import { base64, bytesOf } from '@agonhq/engine/text/base64';
import { contextSchema } from '@agonhq/engine/items/item-context';
import type { JobRequest } from '@agonhq/judges/job/job-inputs';
import { knownContext } from '@agonhq/judges/job/shown-context';
import { requestedManner } from '@agonhq/judges/job/stored-items';
import type { Documents } from './open-documents.ts';
import type { AnalyzeOptions } from './setup.ts';

/** A list as a form gives it: one member, several of the same name, or JSON. */
const listOfTexts = (most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (value.trim().startsWith('[') ? parseJson(value) : [value]) : value),
    z.array(z.string().min(1).max(2000)).max(most),
  );

function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** What a request says beside its files. */
export const analysisRequestSchema = z.strictObject({
  factors: listOfTexts(200)
    .optional()
    .describe(
      'Claims of your own to be judged, instead of those of the documents; one or several fields, or a JSON list.',
    ),
  maxFactors: z.coerce.number().int().min(1).max(200).optional().describe('At most so many claims are debated.'),
  context: z
    .preprocess(parseJson, contextSchema.optional())
    .describe('What is known about the documents beside what they say, in a form as JSON. No debater sees it.'),
  method: z.enum(['debate', 'single', 'zero-shot', 'vote']).optional(),
  seats: z.preprocess(parseJson, requestedManner.seats).describe('Models by seat, as JSON: {"pro":"openai:gpt-5"}.'),
  budgetUsd: z.preprocess((value) => (value === undefined ? value : Number(value)), requestedManner.budgetUsd),
});

const file = z.strictObject({
  name: z
    .string()
    .max(200)
    .regex(/^[^/\\]+$/, 'must be the name of a file without its folder'),
  data: base64.max(28_000_000).describe('The bytes in base64, or a data: URL.'),
});

type Given = z.output<typeof analysisRequestSchema> & { files: readonly { name: string; data: string | Uint8Array }[] };

/** Files come in JSON, or were uploaded: then they are bytes already. */
export const documentsRequest: JobRequest<Documents, AnalyzeOptions> = {
  schema: analysisRequestSchema.extend({ files: z.array(file).min(1).max(20) }),
  read: async ({ files, factors, maxFactors, context }: Given) => ({
    input: files.map(({ name, data }) => ({ name, bytes: typeof data === 'string' ? bytesOf(data) : data })),
    options: { factors, maxFactors, ...knownContext({ context }) },
  }),
};
