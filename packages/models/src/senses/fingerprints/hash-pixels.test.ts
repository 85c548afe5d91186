import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { drawPicture } from '@agonhq/test/support/draw-picture.ts';
import { hashDistance, matchFingerprints, mirrorHash, type Fingerprint } from '@agonhq/engine/fingerprint';
import { inspectImage } from '../index.ts';

const hash = async (image: Sharp) => (await inspectImage(await image.toBuffer(), 'x')).fingerprint;

let original: Fingerprint;
let bytes: Buffer;
beforeAll(async () => {
  bytes = await drawPicture(3).png().toBuffer();
  original = await hash(sharp(bytes));
});

test('a fingerprint has 256 bits, half of which are set, and says how much there is to tell it by', () => {
  expect(original.pdq).toMatch(/^[0-9a-f]{64}$/);
  expect(hashDistance(original.pdq, '0'.repeat(64))).toBe(128);
  expect(original.quality).toBe(100);
  expect(original.crops).toHaveLength(12);
});

describe('a copy is found', () => {
  test.each([
    ['scaled', (image: Sharp) => image.resize(240).png()],
    ['squeezed', (image: Sharp) => image.resize(500, 500, { fit: 'fill' }).png()],
    ['recompressed', (image: Sharp) => image.jpeg({ quality: 30 })],
    ['grey', (image: Sharp) => image.greyscale().png()],
    ['mirrored', (image: Sharp) => image.flop().png()],
    ['cut at its edges', (image: Sharp) => image.extract({ left: 30, top: 20, width: 750, height: 565 }).png()],
    [
      'in a frame',
      (image: Sharp) => image.extend({ top: 30, bottom: 30, left: 40, right: 40, background: 'white' }).png(),
    ],
  ])('%s', async (name, change) => {
    const match = matchFingerprints(original, await hash(change(sharp(bytes))), 40);
    expect(match).toMatchObject({ of: 256, mirrored: name === 'mirrored' });
  });
});

test('the hash of the mirrored picture follows from its own, nearly', async () => {
  expect(hashDistance((await hash(sharp(bytes).flop().png())).pdq, mirrorHash(original.pdq))).toBeLessThan(32);
});

test('another picture is another, and a plain one is like none', async () => {
  for (const seed of [4, 5, 6, 7])
    expect(matchFingerprints(original, await hash(drawPicture(seed).png()), 60)).toBeNull();
  const plain = sharp({ create: { width: 300, height: 200, channels: 3, background: '#3366cc' } });
  const blank = await hash(plain.png());
  expect(blank.quality).toBe(0);
  expect(matchFingerprints(blank, blank, 256)).toBeNull();
});
