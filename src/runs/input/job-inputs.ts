import { z } from 'zod';
import type { Job } from '../../app/index.ts';
import { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import { exchangeExample, exchangeIn } from '../exchanges/exchanges-in.ts';
import type { ItemFiles } from './item-files.ts';
import type { StoredContent, StoredDocuments } from './stored-input.ts';

/** What an item says, ready for the ledger. */
export interface ReadInput {
  id?: string;
  input: unknown;
  /** Of what is judged, without what it is called. */
  hash: string;
}

/** How the items of a job are written. */
export interface JobInput {
  /** Every field that is read, and that --map may name otherwise. */
  fields: readonly string[];
  /** An item has one of these at least. */
  parts: readonly (readonly string[])[];
  /** What a label may mean. */
  verdicts: readonly string[];
  /** Fields that may hold a list. */
  lists: readonly string[];
  example: string;
  read(value: unknown, files: ItemFiles): Promise<ReadInput>;
}

const identified = z.looseObject({ id: z.union([z.string(), z.number().transform(String)]).nullish() });
const oneOrMore = z.union([z.string().transform((value) => [value]), z.array(z.string())]).nullish();
const contentItem = identified.extend({ text: z.string().nullish(), image: oneOrMore, image_description: oneOrMore });
const documentsItem = z.preprocess(
  (value) => (typeof value === 'string' ? { file: value } : value),
  identified.extend({ file: oneOrMore, files: oneOrMore, claims: oneOrMore }),
);

export const jobInputs: Record<Job, JobInput> = {
  moderation: {
    fields: ['id', 'label', 'text', 'image', 'image_description'],
    parts: [['text'], ['image'], ['image_description']],
    verdicts: ['safe', 'unsafe', 'undecided'],
    lists: ['image', 'image_description'],
    example: '{"id":"1","text":"…"}',
    async read(value, files) {
      const {
        id,
        text,
        image,
        image_description: described,
      } = itemFrom(
        contentItem,
        value,
        'An item has "text", "image" or "image_description", and may have an "id" and a "label".',
      );
      const images: NonNullable<StoredContent['images']> = [];
      for (const file of image ?? []) images.push(await files(file));
      for (const description of described ?? []) if (description.trim() !== '') images.push({ description });
      const content = { ...(typeof text === 'string' ? { text } : {}), ...(images.length > 0 ? { images } : {}) };
      // The same picture under two names is the same picture.
      const hash = hashOf({ ...content, images: images.map((one) => ('attachment' in one ? one.attachment : one)) });
      return { ...named(id), input: { ...named(id), ...content } satisfies StoredContent, hash };
    },
  },
  evaluation: {
    fields: ['id', 'label', 'prompt', 'response', 'messages', 'model'],
    parts: [['prompt', 'response'], ['messages']],
    verdicts: ['safe', 'unsafe', 'undecided'],
    lists: ['messages'],
    example: exchangeExample,
    async read(value) {
      const exchange = exchangeIn(value);
      const { id, ...judged } = exchange;
      return { ...named(id), input: exchange, hash: hashOf(judged) };
    },
  },
  documents: {
    fields: ['id', 'label', 'file', 'files', 'claims'],
    parts: [['file'], ['files']],
    verdicts: ['positive', 'mixed', 'negative', 'undecided'],
    lists: ['files', 'claims'],
    example: '{"id":"1","file":"report.pdf"}',
    async read(value, files) {
      const hint = 'An item has a "file" or "files" that belong together, and may have an "id" and "claims".';
      const { id, file, files: more, claims } = itemFrom(documentsItem, value, hint);
      const paths = [...(file ?? []), ...(more ?? [])].filter((one) => one.trim() !== '');
      if (paths.length === 0) throw new AgonError('broken-line', 'The item names no file.', hint);
      const stored: StoredDocuments['files'] = [];
      for (const one of paths) stored.push(await files(one));
      const dossier = { files: stored, ...(claims && claims.length > 0 ? { claims } : {}) };
      return { ...named(id), input: { ...named(id), ...dossier } satisfies StoredDocuments, hash: hashOf(dossier) };
    },
  },
};

function itemFrom<Value>(schema: z.ZodType<Value>, value: unknown, hint: string): Value {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AgonError(
    'broken-line',
    `The item is not readable: ${issue!.path.join('.') || 'it'}: ${issue!.message}`,
    hint,
  );
}

function named(id: string | null | undefined): { id?: string } {
  return id === null || id === undefined || id.trim() === '' ? {} : { id };
}
