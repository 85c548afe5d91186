import type { InputLayout } from '@agonhq/engine/items';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { listItemParts, type AnnotationContent } from './item-content.ts';

/** How a dataset is laid out: in the words that runs and benches read, too. */
export const layout: InputLayout = {
  fields: ['id', 'text', 'image', 'images', 'prompt', 'response', 'category', 'model', 'label'],
  parts: [['text'], ['image'], ['images'], ['prompt'], ['response']],
  lists: ['image', 'images'],
  example: '{"id":"1","text":"…","image":"cat.png"}',
};

/** An item as a row of the dataset says it. */
export interface ReadRow {
  id: string | null;
  content: AnnotationContent;
  /** The files that it names, as it names them. */
  images: readonly string[];
}

const most = { letters: 200_000, images: 20, id: 256, note: 200 };

const textSchema = z
  .string()
  .max(most.letters, `has more than ${most.letters.toLocaleString('en')} characters`)
  .nullish();
const fileNamesSchema = z
  .union(
    [z.string().transform((name) => [name]), z.array(z.string())],
    'must be the name of a file, or a list of names',
  )
  .nullish();
const noteSchema = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish().catch(null);
const rowSchema = z.looseObject(
  {
    id: z
      .union([z.string(), z.number()], 'must be a text or a number')
      .transform((id) => String(id).trim())
      .pipe(
        z
          .string()
          .max(most.id, `has more than ${most.id} characters`)
          .regex(/^\P{C}*$/u, 'must be plain text'),
      )
      .nullish(),
    text: textSchema,
    prompt: textSchema,
    response: textSchema,
    image: fileNamesSchema,
    images: fileNamesSchema,
    category: noteSchema,
    model: noteSchema,
    label: noteSchema,
  },
  'must be an object',
);

/** Reads one row; what is wrong with it is an AgonError. */
export function readRow(value: unknown): ReadRow {
  const { success, data, error } = rowSchema.safeParse(value);
  if (!success) {
    const [{ path, message }] = error.issues as [z.core.$ZodIssue];
    throw brokenRow(`${path.join('.') || 'The row'} ${message.startsWith('Invalid') ? 'is not valid' : message}.`);
  }
  const content: AnnotationContent = Object.fromEntries(
    Object.entries({
      text: data.text,
      prompt: data.prompt,
      response: data.response,
      category: shortenNote(data.category),
      model: shortenNote(data.model),
      given: shortenNote(data.label),
    }).filter(([, words]) => typeof words === 'string' && words.trim() !== ''),
  );
  const images = [...(data.image ?? []), ...(data.images ?? [])].filter((name) => name.trim() !== '');
  if (images.length > most.images)
    throw brokenRow(`It has ${images.length} images; an item has at most ${most.images}.`);
  if (listItemParts(content, images).length === 0) throw brokenRow('It has neither text, image, prompt nor response.');
  return { id: data.id || null, content, images };
}

function shortenNote(words: string | null | undefined): string | undefined {
  return words?.slice(0, most.note).toWellFormed();
}

function brokenRow(message: string): AgonError {
  return new AgonError('broken-line', message, `A row is laid out as ${layout.example}.`);
}
