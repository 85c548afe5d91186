import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { KnownImage } from '@agonhq/engine/debate';
import { indexHashes, leastQuality, mirrorHash, type Fingerprint, type NearHash } from '@agonhq/engine/fingerprint';
import { readKnownImageList, type ListEntry } from './read-list.ts';

/** Lists of known images, held against what comes in. */
export interface KnownImageLists {
  /** Which of these images stand on a list: each list that has it, by its nearest entry. */
  find(images: readonly { id: string; fingerprint: Fingerprint }[]): Promise<KnownImage[]>;
  /** The lists as they are now. */
  describe(): Promise<readonly LoadedList[]>;
}

export interface LoadedList {
  name: string;
  file: string;
  entries: number;
  changedAt: string;
}

/** In how many of 256 bits a copy may differ: docs/images.md says what that was chosen by. */
export const usualDistance = 31;

interface OpenList {
  name: string;
  file: string;
  stamp: string;
  changedAt: string;
  entries: readonly ListEntry[];
  search: (hash: string, most: number) => NearHash[];
}

/**
 * Opens lists of known images. A file that changed is read anew before the next image is looked at; one that cannot be
 * read stops every image, since an unchecked one must not pass.
 *
 * @example const known = await openKnownImageLists(['lists/stop.txt']).find([{ id: 'image-1', fingerprint }])
 */
export function openKnownImageLists(
  files: readonly string[],
  { distance = usualDistance }: { distance?: number | undefined } = {},
): KnownImageLists {
  const opened = new Map<string, Promise<OpenList>>();

  async function refresh(file: string): Promise<OpenList> {
    const known = await opened.get(file)?.catch(() => undefined);
    const { mtime, size } = await stat(file).catch(() => ({ mtime: new Date(0), size: -1 }));
    const stamp = `${mtime.getTime()} ${size}`;
    if (known?.stamp === stamp) return known;
    const reading = readKnownImageList(file).then((entries) => ({
      name: path.parse(file).name,
      file,
      stamp,
      changedAt: mtime.toISOString(),
      entries,
      search: indexHashes(entries.map(({ hash }) => hash)),
    }));
    opened.set(file, reading);
    return reading;
  }

  return {
    async find(images) {
      if (files.length === 0 || images.length === 0) return [];
      const lists = await Promise.all(files.map(refresh));
      return images.flatMap(({ id, fingerprint }) =>
        lists.flatMap(({ name, entries, search }) => {
          const near = findNearest(fingerprint, search, distance);
          if (!near) return [];
          const { index, ...found } = near;
          return [{ image: id, pdq: fingerprint.pdq, list: name, entry: entries[index]!, ...found }];
        }),
      );
    },
    async describe() {
      const lists = await Promise.all(files.map(refresh));
      return lists.map(({ name, file, entries, changedAt }) => ({ name, file, entries: entries.length, changedAt }));
    },
  };
}

/**
 * The nearest entry: of the whole or of what is left when an edge is cut off, as it is or mirrored. Of what has little
 * to tell it by, only the very same.
 */
function findNearest(
  { pdq, quality, crops = [] }: Fingerprint,
  search: OpenList['search'],
  most: number,
): (NearHash & { mirrored: boolean }) | undefined {
  const hashes = quality >= leastQuality ? [pdq, ...crops] : [pdq];
  return hashes
    .flatMap((hash) => [
      { hash, mirrored: false },
      { hash: mirrorHash(hash), mirrored: true },
    ])
    .flatMap(({ hash, mirrored }) =>
      search(hash, quality >= leastQuality ? most : 0).map((near) => ({ ...near, mirrored })),
    )
    .toSorted((one, other) => one.distance - other.distance)[0];
}
