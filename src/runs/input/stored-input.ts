import { z } from 'zod';
import type { NamedBytes } from '../../app/index.ts';
import { AgonError } from '../../errors.ts';
import { readExchange, type Exchange } from '../../jobs/evaluation/index.ts';
import type { Attachment } from '../../ledger/index.ts';
import type { Content } from '../../jobs/moderation/index.ts';

/* What is to be judged, as it waits in the ledger: written when the input is read, read by whoever judges it. */

/** A file that an item names: where it lies on this machine, or under which hash the ledger keeps it. */
const fileSchema = z.union([
  z.strictObject({ file: z.string() }),
  z.strictObject({ attachment: z.string(), name: z.string() }),
]);

const contentSchema = z.strictObject({
  id: z.string().optional(),
  text: z.string().optional(),
  images: z.array(z.union([fileSchema, z.strictObject({ description: z.string() })])).optional(),
});

const documentsSchema = z.strictObject({
  id: z.string().optional(),
  files: z.array(fileSchema).min(1),
  /** The user's own claims, instead of those that the documents make. */
  claims: z.array(z.string()).optional(),
});

export type StoredFile = z.infer<typeof fileSchema>;
export type StoredContent = z.infer<typeof contentSchema>;
export type StoredDocuments = z.infer<typeof documentsSchema>;

/** Finds a file that the ledger keeps. */
export type FindAttachment = (hash: string) => Promise<Attachment | undefined>;

interface InputFiles {
  /** Whether it may name files of this machine: not where others put items in, who could have any file of it read. */
  local?: boolean;
}

/** What a stored item of moderation judges. */
export async function contentOfInput(
  input: unknown,
  find: FindAttachment,
  { local = true }: InputFiles = {},
): Promise<Content> {
  const { images, ...rest } = stored(contentSchema, input);
  if (!images) return rest;
  if (!local) assertNoneHere(images);
  const opened = images.map(async (image) =>
    'attachment' in image ? { data: await bytesOf(image.attachment, image.name, find), name: image.name } : image,
  );
  return { ...rest, images: await Promise.all(opened) };
}

/** What a stored item of evaluation judges; one that names its model knows better than the run. */
export function exchangeOfInput(input: unknown, model: string | null = null): Exchange {
  return { ...(model === null ? {} : { model }), ...readExchange(input) };
}

/** The files of a stored item of documents, and the claims it comes with. */
export async function documentsOfInput(
  input: unknown,
  find: FindAttachment,
  { local = true }: InputFiles = {},
): Promise<{ documents: readonly (string | NamedBytes)[]; factors?: readonly string[] }> {
  const { files, claims } = stored(documentsSchema, input);
  if (!local) assertNoneHere(files);
  const documents = files.map(async (file) =>
    'file' in file ? file.file : { name: file.name, bytes: await bytesOf(file.attachment, file.name, find) },
  );
  return { documents: await Promise.all(documents), ...(claims ? { factors: claims } : {}) };
}

function assertNoneHere(files: readonly object[]): void {
  if (!files.some((file) => 'file' in file)) return;
  throw new AgonError(
    'damaged-item',
    'The stored item names a file of one machine, which no other reads.',
    'Start the run anew from its input: its files then go into the ledger.',
  );
}

function stored<Value>(schema: z.ZodType<Value>, input: unknown): Value {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  throw new AgonError(
    'damaged-item',
    `The stored item is not readable: ${z.prettifyError(read.error)}`,
    'It was written by another version of Agon: start the run anew from its input.',
  );
}

async function bytesOf(hash: string, name: string, find: FindAttachment): Promise<Uint8Array<ArrayBuffer>> {
  const found = await find(hash);
  if (!found)
    throw new AgonError(
      'missing-attachment',
      `The ledger does not hold ${name} any more.`,
      'Start the run anew from its input.',
    );
  return new Uint8Array(found.data);
}
