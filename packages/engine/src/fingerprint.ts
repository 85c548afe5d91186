/** What stands for an image's pixels: copies of it have nearly the same, other images another. */
export interface Fingerprint {
  /** PDQ, 256 bits in hexadecimal. */
  pdq: string;
  /** How much there is to tell it by, 0 to 100, as PDQ counts it: a blank page has nothing. */
  quality: number;
  /** The same of what is left when an edge is cut off, by which cropped copies are found; absent in lists. */
  crops?: readonly string[];
}

export const hashBits = 256;
const words = hashBits / 32;

/** With less to tell it by, an image is compared with no other: any two plain pictures look alike. */
export const leastQuality = 50;

export function isFingerprintHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function writeWords(hash: string, into: Uint32Array, start: number): void {
  for (let at = 0; at < words; at += 1) into[start + at] = Number.parseInt(hash.slice(at * 8, at * 8 + 8), 16);
}

function toWords(hash: string): Uint32Array {
  const read = new Uint32Array(words);
  writeWords(hash, read, 0);
  return read;
}

/** The PDQ of the mirrored picture: its waves of odd number along a row change sign, and with it their bit. */
export function mirrorHash(pdq: string): string {
  return [...toWords(pdq)].map((word) => ((word ^ 0x5555_5555) >>> 0).toString(16).padStart(8, '0')).join('');
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** In how many of 256 bits two hashes differ. */
export function hashDistance(one: string, other: string): number {
  const [left, right] = [toWords(one), toWords(other)];
  return left.reduce((sum, word, at) => sum + countBits(word ^ right[at]!), 0);
}

/** A hash that is near to one that was looked for. */
export interface NearHash {
  /** Its place in what the index was made of. */
  index: number;
  distance: number;
}

/**
 * Many hashes, searched whole: a hundred thousand take a few milliseconds.
 *
 * @example const [nearest] = indexHashes(known)(pdq, 31)
 */
export function indexHashes(hashes: readonly string[]): (hash: string, most: number) => NearHash[] {
  const block = new Uint32Array(hashes.length * words);
  for (const [index, hash] of hashes.entries()) writeWords(hash, block, index * words);
  return (hash, most) => {
    const wanted = toWords(hash);
    const near: NearHash[] = [];
    for (let index = 0, at = 0; index < hashes.length; index += 1, at += words) {
      let distance = 0;
      for (let word = 0; word < words && distance <= most; word += 1)
        distance += countBits(block[at + word]! ^ wanted[word]!);
      if (distance <= most) near.push({ index, distance });
    }
    return near.sort((one, other) => one.distance - other.distance);
  };
}

/** How two pictures are alike. */
export interface PictureMatch {
  distance: number;
  of: number;
  mirrored: boolean;
}

/**
 * How two pictures are alike by their pixels: whole against whole, and each against what is left of the other when an
 * edge is cut off; mirrored too. Null where they differ in more bits than `most`, or have too little to tell them by.
 */
export function matchFingerprints(one: Fingerprint, other: Fingerprint, most: number): PictureMatch | null {
  if (one.quality < leastQuality || other.quality < leastQuality) return null;
  const pairs = [one.pdq, ...(one.crops ?? [])].map((hash) => [hash, other.pdq] as const);
  for (const hash of other.crops ?? []) pairs.push([one.pdq, hash]);
  let best: PictureMatch | null = null;
  for (const [left, right] of pairs)
    for (const mirrored of [false, true]) {
      const distance = hashDistance(mirrored ? mirrorHash(left) : left, right);
      if (distance <= most && distance < (best?.distance ?? Infinity)) best = { distance, of: hashBits, mirrored };
    }
  return best;
}

/** In words: `the same picture, cropped, scaled or recompressed: distance 6 of 256`. */
export function describePictureMatch({ distance, of, mirrored }: PictureMatch): string {
  const change = [...(mirrored ? ['mirrored'] : []), ...(distance === 0 ? [] : ['cropped, scaled or recompressed'])];
  return `${['the same picture', ...change].join(', ')}: distance ${distance} of ${of}`;
}
