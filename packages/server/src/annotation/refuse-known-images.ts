import { readFile } from 'node:fs/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import { openKnownImageLists } from '@agonhq/core/known-images';
import { inspectImage } from '@agonhq/models/senses';
import type { Settings } from '@agonhq/core/settings';
import type { UploadedFile } from '../http/read-upload.ts';

/**
 * People are shown what they label, and what a bench measured: refuses files with an image of a list, before anything
 * of them is kept.
 */
export async function refuseKnownImages(
  images: readonly UploadedFile[],
  { knownImages = [], knownImageDistance }: Settings,
): Promise<void> {
  if (knownImages.length === 0) return;
  const lists = openKnownImageLists(knownImages, { distance: knownImageDistance });
  for (const { name, path } of images) {
    const { fingerprint } = await inspectImage(await readFile(path), name);
    const [known] = await lists.find([{ id: name, fingerprint }]);
    if (known)
      throw new AgonError(
        'known-image',
        `${name} is on the list ${known.list} of known images.`,
        'Nothing was created or kept. Leave it out, and tell those who look after the list.',
      );
  }
}
