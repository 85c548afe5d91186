import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { contextSchema, dropEmptyContext } from '@agonhq/engine/items/item-context';
import type { SubjectModality } from './moderation-answer.ts';

/** A file that came before, in which an image of a list was found: none of its bytes are left. */
const withheldSchema = z.strictObject({
  withheld: z.string(),
  known: z
    .array(
      z.strictObject({
        image: z.string(),
        pdq: z.string(),
        list: z.string(),
        entry: z.strictObject({ hash: z.string(), label: z.string().nullable(), source: z.string().nullable() }),
        distance: z.number(),
        mirrored: z.boolean(),
        file: z.string().nullish(),
      }),
    )
    .min(1),
});

const imageSchema = z.union([
  withheldSchema,
  z.strictObject({ file: z.string() }),
  z.strictObject({ data: z.instanceof(Uint8Array), name: z.string().optional() }),
  z.strictObject({ description: z.string() }),
]);

const recordingSchema = z.union([
  withheldSchema,
  z.strictObject({ file: z.string() }),
  z.strictObject({ data: z.instanceof(Uint8Array), name: z.string().optional() }),
]);
const recordingsSchema = z.array(recordingSchema).max(4).optional();

/** What is to be judged: a text, recordings, images (by file, by bytes, or by a description made elsewhere), or all. */
export const contentSchema = z.strictObject({
  id: z.string().optional(),
  text: z.string().optional(),
  images: z.array(imageSchema).max(16).optional(),
  audio: recordingsSchema,
  video: recordingsSchema,
  /** What is known about it beside what it says; debaters see what the settings allow them to. */
  context: contextSchema.optional(),
});

export type Content = z.infer<typeof contentSchema>;
export type ImageInput = z.infer<typeof imageSchema>;
export type RecordingInput = z.infer<typeof recordingSchema>;

/** Reads what a caller passed as content, or says in one line what is wrong with it. */
export function readContent(input: string | Content, limits: { maxCharacters: number }): Content {
  const parsed = contentSchema.safeParse(typeof input === 'string' ? { text: input } : input);
  if (!parsed.success) {
    throw new AgonError(
      'bad-content',
      `The content is not readable: ${z.prettifyError(parsed.error)}`,
      'Pass a text, or { text, images, audio, video, context }.',
    );
  }
  const content = dropEmptyContext(parsed.data);
  const hasMedia = [content.images, content.audio, content.video].some((media) => media?.length);
  const blankText = content.text !== undefined && content.text.trim() === '';
  if ((blankText || content.text === undefined) && !hasMedia) {
    throw new AgonError('empty-subject', `There is nothing to judge${blankText ? ': the text is empty' : ''}.`, {
      library: 'Pass a text, an image or a recording.',
      cli: 'Pass a text, --image, --audio or --video FILE, or --stdin.',
      api: 'Send a text, an image or a recording.',
    });
  }
  if (content.text !== undefined) checkText(content.text, limits.maxCharacters);
  for (const image of content.images ?? [])
    if ('description' in image) checkDescription(image.description, limits.maxCharacters);
  return blankText ? { ...content, text: undefined } : content;
}

export function modalityOf(content: Content): SubjectModality {
  if (content.video?.length) return 'video';
  if (content.audio?.length) return 'audio';
  if (!content.images?.length) return 'text';
  return content.text === undefined ? 'image' : 'text+image';
}

function checkDescription(description: string, maxCharacters: number): void {
  if (description.trim() === '') {
    throw new AgonError(
      'empty-subject',
      'An image description is empty: there is nothing to judge.',
      'Describe the image, or pass the image itself.',
    );
  }
  checkText(description, maxCharacters);
}

function checkText(text: string, maxCharacters: number): void {
  if (text.length > maxCharacters) {
    throw new AgonError(
      'text-too-long',
      `The text has ${text.length.toLocaleString('en')} characters; at most ${maxCharacters.toLocaleString('en')} ` +
        'are judged at once.',
      'Split it, or raise moderation.maxCharacters if your models can read that much.',
    );
  }
  if (!text.isWellFormed()) {
    throw new AgonError(
      'ill-formed-text',
      'The text holds half of a surrogate pair.',
      'Repair the encoding where the text comes from, or pass text.toWellFormed().',
    );
  }
  const controls = text.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/g)?.length ?? 0;
  if (text.includes('\u0000') || controls > text.length / 20) {
    throw new AgonError('binary-text', 'The text looks like binary data.', {
      library: 'Pass images as `images`, and text as UTF-8.',
      cli: 'Pass images with --image, and text as UTF-8.',
      api: 'Send images in `images`, and text as UTF-8.',
    });
  }
}
