import { chmod, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import { inspectImage, loadImage, thumbnail } from '../index.ts';
import { writeLetters } from '@agonhq/test/support/write-letters.ts';

const plain = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } });

/** A PNG that claims to be huge in a few bytes. */
function bomb(side: number): Uint8Array {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function failure(work: Promise<unknown>): Promise<AgonError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!AgonError.is(error)) throw new Error(`expected an AgonError, not ${String(error)}`);
  expect(error.message).not.toContain('\n');
  expect(error.hint).not.toBe('');
  return error;
}

describe('an image is taken for what it contains, not for its name', () => {
  it.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
    ['tiff', 'image/tiff'],
    ['avif', 'image/avif'],
  ] as const)('%s', async (format, mediaType) => {
    const bytes = await plain(60, 40).toFormat(format).toBuffer();
    expect(await inspectImage(bytes, 'named.txt')).toMatchObject({
      mediaType,
      width: 60,
      height: 40,
      notes: [],
      hash: expect.stringMatching(/^sha256:/),
    });
  });

  it('a large one is downscaled for vision, and that is noted', async () => {
    const image = await inspectImage(await plain(3000, 1500).png().toBuffer(), 'wide.png');
    expect(await sharp(image.vision.data).metadata()).toMatchObject({ format: 'jpeg', width: 1024, height: 512 });
    expect(image).toMatchObject({
      width: 3000,
      height: 1500,
      notes: ['Downscaled from 3000×1500 to 1024 px on the long side.'],
    });
  });

  it('EXIF rotation is applied and the metadata dropped', async () => {
    const bytes = await plain(60, 40)
      .jpeg()
      .withExif({ IFD0: { Artist: 'somebody' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const image = await inspectImage(bytes, 'turned.jpg');
    expect(image).toMatchObject({ width: 40, height: 60 });
    const seen = await sharp(image.vision.data).metadata();
    expect(seen).toMatchObject({ width: 40, height: 60 });
    expect(seen.exif).toBeUndefined();
  });

  it('of an animation the first frame is looked at, and that is noted', async () => {
    const frames = Buffer.concat([Buffer.alloc(20 * 20 * 3, 255), Buffer.alloc(20 * 20 * 3, 0)]);
    const bytes = await sharp(frames, { raw: { width: 20, height: 40, channels: 3, pageHeight: 20 } })
      .gif({ loop: 0, delay: [100, 100] })
      .toBuffer();
    const image = await inspectImage(bytes, 'blink.gif');
    expect(image).toMatchObject({ width: 20, height: 20, notes: ['Only the first of its 2 frames was looked at.'] });
    expect((await sharp(image.vision.data).stats()).channels[0]!.mean).toBeGreaterThan(250);
  });

  it.each([
    ['white', 'on black'],
    ['black', 'on white'],
  ])('%s strokes on a transparent ground are shown %s', async (ink, shown) => {
    const image = await inspectImage(await writeLetters(['HI'], { ink, paper: 'none' }).png().toBuffer(), 'clear.png');
    expect(image.notes).toEqual([`Its transparent parts are shown ${shown}.`]);
    const { channels } = await sharp(image.vision.data).stats();
    expect(channels[0]!.stdev).toBeGreaterThan(20);
  });

  it.each([
    [1, 1],
    [5000, 2],
  ])('%i by %i pixels are an image too', async (width, height) => {
    const image = await inspectImage(await plain(width, height).png().toBuffer(), 'odd.png');
    expect(image).toMatchObject({ width, height });
    expect(image.pixels).toMatchObject({ width: expect.any(Number) });
  });

  it('16-bit and CMYK images are read', async () => {
    const deep = await plain(20, 20).toColourspace('rgb16').png().toBuffer();
    const print = await plain(20, 20).toColourspace('cmyk').jpeg().toBuffer();
    for (const bytes of [deep, print]) {
      const { vision } = await inspectImage(bytes, 'colours');
      expect(await sharp(vision.data).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
    }
  });
});

describe('what cannot be judged is refused in one line that names the file', () => {
  it.each([
    ['nothing', 'empty-image', async () => new Uint8Array()],
    ['a text', 'unsupported-image', async () => Buffer.from('hello, this is no image')],
    ['a PDF', 'unsupported-image', async () => Buffer.from('%PDF-1.7\n%âãÏÓ\n')],
    [
      'an SVG',
      'unsupported-image',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
    ],
    ['a truncated PNG', 'corrupt-image', async () => (await writeLetters(['HATE']).png().toBuffer()).subarray(0, 700)],
    [
      'a truncated JPEG',
      'corrupt-image',
      async () => (await writeLetters(['HATE']).jpeg().toBuffer()).subarray(0, 2000),
    ],
    [
      'a header alone',
      'corrupt-image',
      async () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]),
    ],
    ['a decompression bomb', 'image-too-many-pixels', async () => bomb(60_000)],
    ['21 MB', 'image-too-large', async () => new Uint8Array(21_000_000)],
  ])('%s', async (_name, code, make) => {
    const error = await failure(inspectImage(await make(), 'poster.png'));
    expect(error.code).toBe(code);
    expect(error.message).toContain('poster.png');
  });

  it('a thumbnail of it is refused as well', async () => {
    expect((await failure(thumbnail(bomb(60_000)))).code).toBe('image-too-many-pixels');
    expect((await failure(thumbnail(Buffer.from('no image')))).code).toBe('unsupported-image');
  });
});

it('a thumbnail is a small data URI', async () => {
  const uri = await thumbnail(await plain(2000, 1000).png().toBuffer());
  expect(uri).toMatch(/^data:image\/webp;base64,/);
  expect(await sharp(Buffer.from(uri.split(',')[1]!, 'base64')).metadata()).toMatchObject({
    format: 'webp',
    width: 480,
    height: 240,
  });
});

describe('an image file is loaded', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'agon-images-'))));
  afterAll(async () => rm(folder, { recursive: true }));

  it('whole', async () => {
    const bytes = await plain(5, 5).png().toBuffer();
    await writeFile(path.join(folder, 'a.png'), bytes);
    expect(Buffer.from(await loadImage(path.join(folder, 'a.png'))).equals(bytes)).toBe(true);
  });

  it('unless it is missing, a folder, empty or too big', async () => {
    const [empty, big] = [path.join(folder, 'empty.png'), path.join(folder, 'big.png')];
    await writeFile(empty, '');
    await writeFile(big, '');
    await truncate(big, 3_000_000_000);
    expect((await failure(loadImage(path.join(folder, 'none.png')))).code).toBe('image-not-found');
    expect((await failure(loadImage(folder))).code).toBe('image-is-directory');
    expect((await failure(loadImage(empty))).code).toBe('empty-image');
    expect((await failure(loadImage(big))).code).toBe('image-too-large');
  });

  it.skipIf(process.getuid?.() === 0)('unless it may not be read', async () => {
    const secret = path.join(folder, 'secret.png');
    await writeFile(secret, 'x');
    await chmod(secret, 0);
    expect((await failure(loadImage(secret))).code).toBe('unreadable-image');
  });
});
