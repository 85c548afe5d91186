import { z } from 'zod';
import { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import { resolveBelow, readSafetyLabel } from '../../items/index.ts';
import type { JobItems, StoredFiles } from '../job.ts';
import {
  assertNoLocalFiles,
  identified,
  namedBy,
  oneOrMore,
  parseItem,
  parseStored,
  readStoredBytes,
  storedFileSchema,
} from '../stored-items.ts';
import type { Content } from './content.ts';
import type { ModerateOptions } from './moderate.ts';

const itemSchema = identified.extend({ text: z.string().nullish(), image: oneOrMore, image_description: oneOrMore });

const storedSchema = z.strictObject({
  id: z.string().optional(),
  text: z.string().optional(),
  images: z.array(z.union([storedFileSchema, z.strictObject({ description: z.string() })])).optional(),
});

const hint = 'An item has "text", "image" or "image_description", and may have an "id" and a "label".';

/** How content is written in files of items. */
export const contentItems: JobItems<string | Content, ModerateOptions> = {
  fields: ['id', 'label', 'text', 'image', 'image_description'],
  parts: [['text'], ['image'], ['image_description']],
  lists: ['image', 'image_description'],
  example: '{"id":"1","text":"…"}',
  files: 'image',
  readLabel: readSafetyLabel,

  async readItem(value, keepFile) {
    const { id, text, image, image_description: described } = parseItem(itemSchema, value, hint);
    const images: NonNullable<z.infer<typeof storedSchema>['images']> = [];
    for (const file of image ?? []) images.push(await keepFile(file));
    for (const description of described ?? []) if (description.trim() !== '') images.push({ description });
    const content = { ...(typeof text === 'string' ? { text } : {}), ...(images.length > 0 ? { images } : {}) };
    // The same picture under two names is the same picture.
    const hash = hashOf({ ...content, images: images.map((one) => ('attachment' in one ? one.attachment : one)) });
    return { ...namedBy(id), input: { ...namedBy(id), ...content }, hash };
  },

  async openItem(stored, files) {
    const { images, ...rest } = parseStored(storedSchema, stored);
    if (!images) return { input: rest, options: {} };
    assertNoLocalFiles(images, files);
    const opened = images.map(async (image) =>
      'attachment' in image
        ? { data: await readStoredBytes(image.attachment, image.name, files), name: image.name }
        : image,
    );
    return { input: { ...rest, images: await Promise.all(opened) }, options: {} };
  },
};

const recordedSchema = z.looseObject({
  id: z.string().optional(),
  text: z.string().optional(),
  images: z.array(z.union([z.object({ description: z.string() }), z.object({ attachment: z.string() })])).optional(),
});

/** Content as a case keeps it, with the images' bytes in their places again. */
export async function restoreContent(content: unknown, files: StoredFiles): Promise<Content> {
  const { images, ...rest } = parseStored(recordedSchema, content);
  if (!images) return rest;
  const restored = images.map(async (image) => {
    if ('description' in image) return image;
    const kept = await files.find(image.attachment);
    if (kept) return { data: new Uint8Array(kept.data) };
    throw new AgonError(
      'forgotten-case',
      'An image of the case was forgotten.',
      'Only its verdict and seal are left: it cannot be held again.',
    );
  });
  return { ...rest, images: await Promise.all(restored) };
}

/** Reads one item; image paths are taken below `root` and nowhere else. */
export function readModerationItem(value: unknown, root: string): Content {
  const { id, text, image, image_description: descriptions } = parseItem(itemSchema, value, hint);
  const images = [
    ...(image ?? []).map((file) => ({ file: resolveBelow(root, file) })),
    ...(descriptions ?? []).filter((description) => description.trim() !== '').map((description) => ({ description })),
  ];
  return {
    ...(id === undefined || id === null ? {} : { id }),
    ...(text === undefined || text === null ? {} : { text }),
    ...(images.length > 0 ? { images } : {}),
  };
}
