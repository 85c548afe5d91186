import { z } from 'zod';
import { AgonError } from '../../errors.ts';
import type { Content } from '../../jobs/moderation/index.ts';
import { below } from './below.ts';
import { safetyLabel } from './safety-label.ts';

const oneOrMore = z.union([z.string().transform((value) => [value]), z.array(z.string())]);

/** A line of --file, in the words of the bench's contract. Other fields (label, category, …) are left alone. */
const itemSchema = z.looseObject({
  id: z.union([z.string(), z.number().transform(String)]).optional(),
  text: z.string().nullish(),
  image: oneOrMore.nullish(),
  image_description: oneOrMore.nullish(),
});

/** Reads one item; image paths are taken below `root` and nowhere else. */
export function readModerationItem(value: unknown, root: string): Content {
  const parsed = itemSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AgonError(
      'broken-line',
      `The item is not readable: ${issue!.path.join('.') || 'it'}: ${issue!.message}`,
      'An item has "text", "image" or "image_description", and may have an "id".',
    );
  }
  const { id, text, image, image_description: descriptions } = parsed.data;
  const images = [
    ...(image ?? []).map((file) => ({ file: below(root, file) })),
    ...(descriptions ?? []).filter((description) => description.trim() !== '').map((description) => ({ description })),
  ];
  return {
    ...(id === undefined ? {} : { id }),
    ...(text === undefined || text === null ? {} : { text }),
    ...(images.length > 0 ? { images } : {}),
  };
}

/** An item with the label that it may carry. */
export interface LabelledContentItem {
  id?: string;
  content: Content;
  label?: 'safe' | 'unsafe';
}

/** The same with its label, where it has one that is known. */
export function readLabelledItem(value: unknown, root: string): LabelledContentItem {
  const content = readModerationItem(value, root);
  const label = safetyLabel((value as { label?: unknown }).label);
  return { ...(content.id === undefined ? {} : { id: content.id }), content, ...(label ? { label } : {}) };
}
