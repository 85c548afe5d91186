import { z } from 'zod';
import { base64, bytesOf } from '@agonhq/engine/text/base64';
import { AgonError } from '@agonhq/engine/agon-error';
import type { JobRequest, RequestMeans } from '../job/job-inputs.ts';
import { contextSchema } from '@agonhq/engine/items/item-context';
import { callersId, requestedByPolicy } from '../job/stored-items.ts';
import type { Content, ImageInput, RecordingInput } from './content.ts';
import type { ModerateOptions } from './moderate.ts';

const image = z
  .union([
    z.strictObject({
      data: base64.max(28_000_000).describe('The bytes in base64, or a data: URL.'),
      name: z.string().max(200).optional(),
    }),
    z.strictObject({
      url: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .describe('Fetched only where the server allows it (`server.fetch.images`), and never from a private address.'),
    }),
    z.strictObject({
      description: z.string().min(1).max(100_000).describe('What the image shows, in words that were made elsewhere.'),
    }),
  ])
  .meta({ id: 'Image' });

const recording = z
  .strictObject({
    data: base64.max(1_400_000_000).describe('The bytes in base64, or a data: URL.'),
    name: z.string().max(200).optional(),
  })
  .meta({ id: 'Recording' });

export const moderationRequestSchema = z
  .strictObject({
    id: callersId,
    text: z.string().max(4_000_000).optional(),
    images: z.array(image).max(16).optional(),
    audio: z
      .array(recording)
      .max(4)
      .optional()
      .describe('WAV, MP3, M4A, Ogg or FLAC: judged by what is said. Longer than the server judges whole: 413.'),
    video: z
      .array(recording)
      .max(4)
      .optional()
      .describe(
        'MP4, MOV or WebM: judged by its frames and by what is said. Longer than the server judges whole: 413.',
      ),
    context: contextSchema.optional(),
    method: z
      .enum(['debate', 'judge', 'vote', 'role-free', 'refusal-match', 'guard'])
      .optional()
      .describe('How it is judged; by default as the server is configured. `guard` is the small model alone.'),
    ...requestedByPolicy,
  })
  .describe('A text, images, recordings and films: one of them, or several as one message.');

type ModerationRequest = z.output<typeof moderationRequestSchema>;

export const moderationRequest: JobRequest<Content, ModerateOptions> = {
  schema: moderationRequestSchema,
  async read(given: ModerationRequest, means) {
    const { id = means.item, text, context, images, audio, video } = given;
    const input = {
      ...(id === undefined ? {} : { id }),
      ...(text === undefined ? {} : { text }),
      ...(context === undefined ? {} : { context }),
      ...(images ? { images: await Promise.all(images.map((each) => readImage(each, means))) } : {}),
      ...(audio ? { audio: audio.map(readRecording) } : {}),
      ...(video ? { video: video.map(readRecording) } : {}),
    };
    return { input };
  },
};

async function readImage(given: z.output<typeof image>, { fetchImage }: RequestMeans): Promise<ImageInput> {
  if ('description' in given) return given;
  if ('url' in given) return { data: await fetchImage(given.url) };
  return { data: decodeImage(given.data), ...(given.name === undefined ? {} : { name: given.name }) };
}

function readRecording({ data, name }: z.output<typeof recording>): RecordingInput {
  return { data: bytesOf(data), ...(name === undefined ? {} : { name }) };
}

/** The bytes of an image in base64, or of a data: URL. */
export function decodeImage(data: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(data);
  if (bytes.length === 0) throw new AgonError('unreadable-image', 'The image has no bytes.', 'Send it in base64.');
  return bytes;
}
