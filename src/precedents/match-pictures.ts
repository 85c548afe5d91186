import { indexHashes, leastQuality, hashBits, mirrorHash, type Fingerprint, type PictureMatch } from '../fingerprint.ts';
import type { KeptPrecedent } from './precedent.ts';

/** Precedents with a copy of one of these pictures, by id, and how each is one. */
export type PictureSearch = (pictures: readonly Fingerprint[]) => ReadonlyMap<string, PictureMatch>;

/** In how many of 256 bits a copy may differ, by pixels and by sight: docs/images.md says what they were chosen by. */
export const copyDistance = { pixels: 31, sight: 20 };

/** The pictures of precedents, searched whole. */
export function indexPictures(precedents: Iterable<Pick<KeptPrecedent, 'id' | 'pictures'>>): PictureSearch {
  const all = [...precedents].flatMap(({ id, pictures = [] }) =>
    pictures.filter(({ quality }) => quality >= leastQuality).map((picture) => ({ id, picture })),
  );
  const seen = all.filter(({ picture }) => picture.sight !== undefined);
  const byPixels = indexHashes(all.map(({ picture }) => picture.pdq));
  const bySight = indexHashes(seen.map(({ picture }) => picture.sight!));

  return (pictures) => {
    const found = new Map<string, PictureMatch>();
    const add = (id: string, match: PictureMatch) => {
      const known = found.get(id);
      if (!known || rank(match) < rank(known)) found.set(id, match);
    };
    for (const { pdq, quality, sight } of pictures) {
      if (quality < leastQuality) continue;
      for (const mirrored of [false, true])
        for (const { index, distance } of byPixels(mirrored ? mirrorHash(pdq) : pdq, copyDistance.pixels))
          add(all[index]!.id, { by: 'pixels', distance, of: hashBits, mirrored });
      if (sight !== undefined)
        for (const { index, distance } of bySight(sight, copyDistance.sight))
          add(seen[index]!.id, { by: 'sight', distance, of: hashBits, mirrored: false });
    }
    return found;
  };
}

/** Pixels tell more than sight. */
function rank({ by, distance }: PictureMatch): number {
  return distance + (by === 'sight' ? hashBits : 0);
}
