import { compute, defineStep, type KnownImage, type Observation, type Protocol } from '@agonhq/engine/debate';
import type { Source } from '@agonhq/engine/evidence';
import { hashBits } from '@agonhq/engine/fingerprint';
import type { ModerationCase, ModerationCaseFile } from './case-file.ts';
import type { Content } from './content.ts';
import type { JudgedImage } from './moderation-answer.ts';

/* An image that stands on a list of known images: the list decides, and nobody looks. */

/** What an answer says of it: not what the list says of its entry, which is for those who may see the queue. */
export type ListedImage = Omit<KnownImage, 'entry'>;

export const knownImages = defineStep<readonly ListedImage[]>('known-images');

export function listedImage({ image, pdq, list, distance, mirrored }: KnownImage): ListedImage {
  return { image, pdq, list, distance, mirrored };
}

/** Puts on record which images are known, and by which list. */
export function recordKnownImages(known: readonly ListedImage[]): Protocol<ModerationCase> {
  return compute(knownImages, () => known, { known });
}

/** The case file of content that nobody is to see: its own words, and for each image that it is withheld. */
export function withholdContent(content: Content, images: readonly JudgedImage[]): ModerationCaseFile {
  const withheld = images.map((image): Observation => ({
    id: `${image.id}/description`,
    text: withheldText,
    tool: 'withheld',
    of: image.id,
  }));
  const text: Source[] = content.text === undefined ? [] : [{ id: 'text', text: content.text }];
  return {
    modality: text.length > 0 ? 'text+image' : 'image',
    images: images.map((image) => ({ ...image, withheld: true })),
    sources: [...text, ...withheld],
  };
}

const withheldText = 'The image is withheld: it is on a list of known images, or came with one that is.';

/** Why content with known images is unsafe, in a sentence. */
export function explainKnownImages(known: readonly ListedImage[]): string {
  const each = known.map(
    ({ image, list, distance, mirrored }) =>
      `${image} is on the list ${list} (${mirrored ? 'mirrored, ' : ''}distance ${distance} of ${hashBits})`,
  );
  return `${each.join('; ')}. Nobody looked at it, and it was not kept.`;
}
