import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { sensitivitySchema } from '@agonhq/engine/policy/sensitivity';
import type { StoredFiles } from './job-inputs.ts';

/* What is to be judged, as it waits in the ledger: written when the input is read, read by whoever judges it. */

/** A file that an item names: where it lies on this machine, or under which hash the ledger keeps it. */
export const storedFileSchema = z.union([
  z.strictObject({ file: z.string() }),
  z.strictObject({ attachment: z.string(), name: z.string() }),
]);

/** Items may have an id of their own. */
export const identified = z.looseObject({ id: z.union([z.string(), z.number().transform(String)]).nullish() });

/** The same, over HTTP. */
export const callersId = z
  .string()
  .min(1)
  .max(256)
  .optional()
  .describe('Your own id of it; comes back in `subject.id`.');

/** How something is to be judged otherwise than a server is configured, over HTTP. */
export const requestedManner = {
  seats: z
    .record(z.string().max(50), z.string().max(200))
    .optional()
    .describe('Models by seat, as provider:model; the others are as the server says.'),
  budgetUsd: z.number().positive().optional().describe('The most that the models may cost, in US dollars.'),
};

/** The same for jobs that judge by the policy. */
export const requestedByPolicy = {
  ...requestedManner,
  sensitivity: sensitivitySchema
    .optional()
    .describe(
      'How soon the embedded reasoner calls it unsafe; by default as the server and its policy say. Has no effect ' +
        'where an LLM gives the score.',
    ),
  policy: z.string().max(200).optional().describe('The hash of a policy on record; by default the one in force.'),
};

/** A field that holds one value or a list of them. */
export const oneOrMore = z.union([z.string().transform((value) => [value]), z.array(z.string())]).nullish();

/** Reads an item of a file, or says in one line what is wrong with it. */
export function parseItem<Value>(schema: z.ZodType<Value>, value: unknown, hint: string): Value {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AgonError(
    'broken-line',
    `The item is not readable: ${issue!.path.join('.') || 'it'}: ${issue!.message}`,
    hint,
  );
}

/** Reads an item from the ledger. */
export function parseStored<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  throw new AgonError(
    'damaged-item',
    `The stored item is not readable: ${z.prettifyError(read.error)}`,
    'It was written by another version of Agon: start the run anew from its input.',
  );
}

/** The id as part of an item; a blank one is none. */
export function namedBy(id: string | null | undefined): { id?: string } {
  return id === null || id === undefined || id.trim() === '' ? {} : { id };
}

/** Refuses files of this machine where others may have put the items in. */
export function assertNoLocalFiles(files: readonly object[], { local }: StoredFiles): void {
  if (local || !files.some((file) => 'file' in file)) return;
  throw new AgonError(
    'damaged-item',
    'The stored item names a file of one machine, which no other reads.',
    'Start the run anew from its input: its files then go into the ledger.',
  );
}

/** The bytes of a file that the ledger keeps. */
export async function readStoredBytes(
  hash: string,
  name: string,
  files: StoredFiles,
): Promise<Uint8Array<ArrayBuffer>> {
  const found = await files.find(hash);
  if (found) return new Uint8Array(found.data);
  throw new AgonError(
    'missing-attachment',
    `The ledger does not hold ${name} any more.`,
    'Start the run anew from its input.',
  );
}
