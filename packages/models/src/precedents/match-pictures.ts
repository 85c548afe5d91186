import {
  hashBits,
  indexHashes,
  leastQuality,
  matchFingerprints,
  mirrorHash,
  type Fingerprint,
  type PictureMatch,
} from '@agonhq/engine/fingerprint';
import type { KeptPrecedent } from './precedent.ts';

/** Precedents with a copy of one of these pictures, by id, and how each is one. */
export type PictureSearch = (pictures: readonly Fingerprint[]) => ReadonlyMap<string, PictureMatch>;

/** In how many of 256 bits a copy may differ: docs/images.md says what it was chosen by. */
const copyDistance = 56;

/**
 * The pictures of precedents, searched whole: whole against whole, and each against what is left of the other when an
 * edge is cut off; mirrored too.
 */
export function indexPictures(precedents: Iterable<Pick<KeptPrecedent, 'id' | 'pictures'>>): PictureSearch {
  const all = [...precedents].flatMap(({ id, pictures = [] }) =>
    pictures.filter(isTelling).map((picture) => ({ id, picture })),
  );
  const searchWhole = searchFor(all.map(({ id, picture }) => ({ id, hash: picture.pdq })));
  const searchCrops = searchFor(all.flatMap(({ id, picture }) => (picture.crops ?? []).map((hash) => ({ id, hash }))));
  return (pictures) => {
    const found = new Map<string, PictureMatch>();
    for (const { pdq, crops = [] } of pictures.filter(isTelling))
      for (const [id, match] of [...[pdq, ...crops].flatMap(searchWhole), ...searchCrops(pdq)])
        if (match.distance < (found.get(id)?.distance ?? Infinity)) found.set(id, match);
    return found;
  };
}

/** Whether two cases share a picture. */
export function haveSamePicture(ones: readonly Fingerprint[], others: readonly Fingerprint[]): boolean {
  return ones.some((one) => others.some((other) => matchFingerprints(one, other, copyDistance) !== null));
}

function isTelling({ quality }: Fingerprint): boolean {
  return quality >= leastQuality;
}

function searchFor(known: readonly { id: string; hash: string }[]): (hash: string) => [string, PictureMatch][] {
  const search = indexHashes(known.map(({ hash }) => hash));
  const near = (hash: string, mirrored: boolean) =>
    search(hash, copyDistance).map(({ index, distance }): [string, PictureMatch] => [
      known[index]!.id,
      { distance, of: hashBits, mirrored },
    ]);
  return (hash) => [...near(hash, false), ...near(mirrorHash(hash), true)];
}
