import type { Attachment, KnownImage } from '@agonhq/engine/debate';
import type { InspectedImage, KitTools } from '../job/job-kit.ts';
import type { ImageInput } from './content.ts';
import type { JudgedImage } from './moderation-answer.ts';

type ImageTools = Pick<KitTools, 'loadImage' | 'inspectImage'>;

/** An image that passed inspection, the description that was given in its place, or one that is known from before. */
export type OpenedImage = { image: JudgedImage } & (
  | { given: string }
  | { known: readonly KnownImage[] }
  | { bytes: Uint8Array; attachment: Attachment; pixels: InspectedImage['pixels']; notes: string[] }
);

/** Opens every image before anything is paid for: what cannot be judged is refused here. */
export async function openImages(images: readonly ImageInput[], tools: ImageTools): Promise<OpenedImage[]> {
  return Promise.all(images.map((input, index) => openImage(input, `image-${index + 1}`, tools)));
}

export async function openImage(input: ImageInput, id: string, tools: ImageTools): Promise<OpenedImage> {
  if ('description' in input) {
    return { image: { id, hash: null, mediaType: null, width: null, height: null }, given: input.description };
  }
  if ('withheld' in input) {
    const image = { id, hash: input.withheld, mediaType: null, width: null, height: null };
    return { image, known: input.known.map((known) => ({ ...known, image: id })) };
  }
  const bytes = 'file' in input ? await tools.loadImage(input.file) : input.data;
  const inspected = await tools.inspectImage(bytes, 'file' in input ? input.file : (input.name ?? id));
  const { hash, mediaType, width, height, notes, pixels, vision, fingerprint } = inspected;
  const image = { id, hash, mediaType, width, height, fingerprint };
  return { image, bytes, attachment: { id, hash, ...vision }, pixels, notes };
}
