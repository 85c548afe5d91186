import type { z } from 'zod';
import type { schemas } from '../../api/index.ts';
import { bytesOf } from '../../base64.ts';
import { AgonError } from '../../errors.ts';
import type { Content, ImageInput } from '../../jobs/moderation/index.ts';
import type { Outbound } from '../outbound/outbound.ts';

type Given = Omit<z.output<typeof schemas.moderationRequest>, 'method'>;

/** What is to be judged, as a request gives it. */
export async function readContent(
  { images, ...given }: Given,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<Content> {
  if (!images) return given;
  return { ...given, images: await Promise.all(images.map((image) => readImage(image, outbound, signal))) };
}

type GivenImage = NonNullable<Given['images']>[number];

async function readImage(image: GivenImage, outbound: Outbound, signal: AbortSignal): Promise<ImageInput> {
  if ('description' in image) return image;
  if ('url' in image) return { data: new Uint8Array((await outbound.fetchImage(image.url, signal)).bytes) };
  return { data: decodeImage(image.data), ...(image.name === undefined ? {} : { name: image.name }) };
}

/** The bytes of an image in base64, or of a data: URL. */
export function decodeImage(data: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(data);
  if (bytes.length === 0) throw new AgonError('unreadable-image', 'The image has no bytes.', 'Send it in base64.');
  return bytes;
}
