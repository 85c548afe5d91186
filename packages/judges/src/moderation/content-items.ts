import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import { contextSchema, gatherContext } from '@agonhq/engine/items/item-context';
import { resolveBelow, readSafetyLabel } from '@agonhq/engine/items';
import type { JobItems, StoredFile, StoredFiles } from '../job/job-inputs.ts';
import {
  assertNoLocalFiles,
  identified,
  namedBy,
  oneOrMore,
  parseItem,
  parseStored,
  readStoredBytes,
  storedFileSchema,
} from '../job/stored-items.ts';
import { hashContext, knownContext } from '../job/shown-context.ts';
import type { Content } from './content.ts';
import type { ModerateOptions } from './moderate.ts';

const itemSchema = identified.extend({
  text: z.string().nullish(),
  image: oneOrMore,
  image_description: oneOrMore,
  audio: oneOrMore,
  video: oneOrMore,
  context: contextSchema.nullish(),
});

const storedSchema = z.strictObject({
  id: z.string().optional(),
  text: z.string().optional(),
  images: z.array(z.union([storedFileSchema, z.strictObject({ description: z.string() })])).optional(),
  audio: z.array(storedFileSchema).optional(),
  video: z.array(storedFileSchema).optional(),
  context: contextSchema.optional(),
});

type StoredContent = z.infer<typeof storedSchema>;

const hint =
  'An item has "text", "image", "image_description", "audio" or "video", and may have an "id", a "label" and a ' +
  '"context".';

/** How content is written in files of items. */
export const contentItems: JobItems<string | Content, ModerateOptions> = {
  fields: ['id', 'label', 'text', 'image', 'image_description', 'audio', 'video', 'context'],
  families: ['context'],
  parts: [['text'], ['image'], ['image_description'], ['audio'], ['video']],
  lists: ['image', 'image_description', 'audio', 'video'],
  example: '{"id":"1","text":"…"}',
  files: 'image or recording',
  readLabel: readSafetyLabel,

  async readItem(value, keepFile) {
    const item = parseItem(itemSchema, gatherContext(value), hint);
    const { id, text, image, image_description: described, audio, video } = item;
    const images: NonNullable<StoredContent['images']> = await keepAll(image, keepFile, 'image-not-found');
    for (const description of described ?? []) if (description.trim() !== '') images.push({ description });
    const [sounds, films] = [
      await keepAll(audio, keepFile, 'media-not-found'),
      await keepAll(video, keepFile, 'media-not-found'),
    ];
    const content = {
      ...(typeof text === 'string' ? { text } : {}),
      ...(images.length > 0 ? { images } : {}),
      ...(sounds.length > 0 ? { audio: sounds } : {}),
      ...(films.length > 0 ? { video: films } : {}),
    };
    // The same file under two names is the same.
    const unname = (files: readonly object[]) => files.map((one) => ('attachment' in one ? one.attachment : one));
    const { audio: _, video: __, ...rest } = content;
    const recordings = sounds.length + films.length > 0 ? { audio: unname(sounds), video: unname(films) } : {};
    const context = knownContext(item);
    const hash = hashOf({ ...rest, images: unname(images), ...recordings }) + hashContext(context);
    return { ...namedBy(id), input: { ...namedBy(id), ...content, ...context }, hash };
  },

  async openItem(stored, files) {
    const { images, audio, video, ...rest } = parseStored(storedSchema, stored);
    assertNoLocalFiles([...(images ?? []), ...(audio ?? []), ...(video ?? [])], files);
    const openFile = async <File extends object>(file: File | { attachment: string; name: string }) => {
      if (!('attachment' in file)) return file as Exclude<File, { attachment: string }>;
      const { attachment, name } = file;
      const known = (await files.find(attachment)) ? [] : ((await files.findKnown?.(attachment)) ?? []);
      return known.length > 0
        ? { withheld: attachment, known: [...known] }
        : { data: await readStoredBytes(attachment, name, files), name };
    };
    const input = {
      ...rest,
      ...(images ? { images: await Promise.all(images.map(openFile)) } : {}),
      ...(audio ? { audio: await Promise.all(audio.map(openFile)) } : {}),
      ...(video ? { video: await Promise.all(video.map(openFile)) } : {}),
    };
    return { input, options: {} };
  },
};

/** Keeps files one after the other. One that is not there is called as it is where nothing is kept: by its kind. */
async function keepAll(
  paths: readonly string[] | null | undefined,
  keepFile: (path: string) => Promise<StoredFile>,
  absent: 'image-not-found' | 'media-not-found',
): Promise<StoredFile[]> {
  const kept: StoredFile[] = [];
  for (const path of paths ?? [])
    kept.push(
      await keepFile(path).catch((cause: unknown) => {
        if (!AgonError.is(cause) || cause.code !== 'document-not-found') throw cause;
        throw new AgonError(absent, cause.message, cause.hint, { cause });
      }),
    );
  return kept;
}

const attached = z.object({ attachment: z.string() });

const recordedSchema = z.looseObject({
  id: z.string().optional(),
  text: z.string().optional(),
  images: z.array(z.union([z.object({ description: z.string() }), attached])).optional(),
  audio: z.array(attached).optional(),
  video: z.array(attached).optional(),
  context: contextSchema.optional(),
  withheld: z.array(z.string()).optional(),
});

/** Content as a case keeps it, with the bytes of images and recordings in their places again. */
export async function restoreContent(content: unknown, files: StoredFiles): Promise<Content> {
  const { images, audio, video, withheld, ...rest } = parseStored(recordedSchema, content);
  if (withheld)
    throw new AgonError(
      'withheld-case',
      'The case had an image of a list of known images, and nothing of it was kept.',
      'Its verdict stands by the list: it cannot be held again.',
    );
  const find = async ({ attachment }: { attachment: string }) => {
    const kept = await files.find(attachment);
    if (kept) return { data: new Uint8Array(kept.data) };
    throw new AgonError(
      'forgotten-case',
      'An image or recording of the case was forgotten.',
      'Only its verdict and seal are left: it cannot be held again.',
    );
  };
  return {
    ...rest,
    ...(images
      ? { images: await Promise.all(images.map(async (one) => ('description' in one ? one : find(one)))) }
      : {}),
    ...(audio ? { audio: await Promise.all(audio.map(find)) } : {}),
    ...(video ? { video: await Promise.all(video.map(find)) } : {}),
  };
}

/** Reads one item; paths are taken below `root` and nowhere else. */
export function readModerationItem(value: unknown, root: string): Content {
  const item = parseItem(itemSchema, gatherContext(value), hint);
  const { id, text, image, image_description: descriptions, audio, video } = item;
  const files = (paths: readonly string[] | null | undefined, what: string) =>
    (paths ?? []).map((file) => ({ file: resolveBelow(root, file, what) }));
  const images = [
    ...files(image, 'image'),
    ...(descriptions ?? []).filter((description) => description.trim() !== '').map((description) => ({ description })),
  ];
  return {
    ...(id === undefined || id === null ? {} : { id }),
    ...(text === undefined || text === null ? {} : { text }),
    ...(images.length > 0 ? { images } : {}),
    ...(audio?.length ? { audio: files(audio, 'recording') } : {}),
    ...(video?.length ? { video: files(video, 'recording') } : {}),
    ...knownContext(item),
  };
}
