import type { Sharp } from 'sharp';
import { AgonError } from '@agonhq/engine/agon-error';
import { needPart } from '@agonhq/engine/parts';
import type { Fingerprint } from '@agonhq/engine/fingerprint';
import { sha256 } from '@agonhq/engine/hash';
import type { InspectedImage } from '@agonhq/judges/job/job-kit';
import { hashedSide, hashPixels } from '../fingerprints/hash-pixels.ts';
import type { Pixels } from '../pixels.ts';
import { assertImageSize } from './load-image.ts';

const megapixel = 1_000_000;
const maxPixels = 50 * megapixel;
const visionSide = 1024;
const thumbnailSide = 480;
const pixelSide = 2000;
const readable = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/tiff', 'image/avif']);
const readableList = 'PNG, JPEG, WebP, GIF, TIFF or AVIF';

/**
 * Checks an image by its content, never by its name, and prepares it for a vision model and the embedded image models.
 * Whatever cannot be judged (not an image, corrupt, truncated, too large) is an AgonError that names the file.
 *
 * @example const image = await inspectImage(await loadImage('poster.png'), 'poster.png')
 */
export async function inspectImage(bytes: Uint8Array, name: string): Promise<InspectedImage> {
  assertImageSize(bytes.length, name);
  const mediaType = await typeOf(bytes, name);
  const { width, height, pages } = await dimensions(bytes, name);

  try {
    const { shown, background } = await onOpaqueBackground(bytes);
    const [vision, pixels, small] = await Promise.all([
      renderForVision(shown()),
      readPixels(shown()),
      readPixels(shown().resize(atMost(hashedSide, { width, height }))),
    ]);
    const notes: string[] = [];
    if (pages > 1) notes.push(`Only the first of its ${pages} frames was looked at.`);
    if (Math.max(width, height) > visionSide)
      notes.push(`Downscaled from ${width}×${height} to ${visionSide} px on the long side.`);
    if (background) notes.push(`Its transparent parts are shown ${background}.`);
    return {
      hash: sha256(bytes),
      mediaType,
      width,
      height,
      notes,
      vision: { mediaType: 'image/jpeg', data: vision },
      pixels,
      fingerprint: hashPixels(small),
    };
  } catch (cause) {
    throw corrupt(name, cause);
  }
}

/** The fingerprint of an image; null of what is none that can be opened: a drawing of lines, a damaged file. */
export async function fingerprintImage(bytes: Uint8Array): Promise<Fingerprint | null> {
  return inspectImage(bytes, 'the image').then(
    ({ fingerprint }) => fingerprint,
    (error: unknown) => {
      if (AgonError.is(error) && error.code !== 'image-too-large') return null;
      throw error;
    },
  );
}

/** A small WebP as a data URI, for reports. */
export async function thumbnail(bytes: Uint8Array): Promise<string> {
  await typeOf(bytes, 'the image');
  await dimensions(bytes, 'the image');
  try {
    const open = await opener();
    const data = await open(bytes).autoOrient().resize(within(thumbnailSide)).webp({ quality: 75 }).toBuffer();
    return `data:image/webp;base64,${data.toString('base64')}`;
  } catch (cause) {
    throw corrupt('the image', cause);
  }
}

async function typeOf(bytes: Uint8Array, name: string): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = await fileTypeFromBuffer(bytes);
  const mediaType = detected?.mime === 'image/apng' ? 'image/png' : detected?.mime;
  if (mediaType && readable.has(mediaType)) return mediaType;
  if (looksLikeSvg(bytes)) {
    throw new AgonError(
      'unsupported-image',
      `${name} is an SVG, which can refer to other files and is not opened.`,
      `Convert ${name} to PNG, for instance with a screenshot, and pass that.`,
    );
  }
  throw new AgonError(
    'unsupported-image',
    mediaType
      ? `${name} is ${mediaType}, which is not an image that can be read.`
      : `${name} is not an image that can be read.`,
    `Convert ${name} to ${readableList}.`,
  );
}

function looksLikeSvg(bytes: Uint8Array): boolean {
  return /<svg[\s>]/i.test(new TextDecoder('latin1').decode(bytes.subarray(0, 4096)));
}

async function dimensions(bytes: Uint8Array, name: string): Promise<{ width: number; height: number; pages: number }> {
  const open = await opener();
  const metadata = await open(bytes)
    .metadata()
    .catch((cause: unknown) => {
      throw isTooLarge(cause) ? tooManyPixels(name) : corrupt(name, cause);
    });
  const { width, height } = metadata.autoOrient;
  if (width * height > maxPixels) throw tooManyPixels(name, `${width}×${height}`);
  return { width, height, pages: metadata.pages ?? 1 };
}

/** Opens bytes with the guards of every image that comes from outside. */
async function opener(): Promise<(bytes: Uint8Array) => Sharp> {
  needPart('vision');
  const { default: sharp } = await import('sharp');
  return (bytes) => sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
}

/** Light strokes on a transparent ground would vanish on white, and with them the text that OCR should read. */
async function onOpaqueBackground(bytes: Uint8Array): Promise<{ shown: () => Sharp; background?: string }> {
  const open = await opener();
  const { default: sharp } = await import('sharp');
  const { data, info } = await open(bytes)
    .autoOrient()
    .toColourspace('srgb')
    .resize(within(pixelSide))
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const decoded = (): Sharp =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  if (info.channels !== 2 && info.channels !== 4) return { shown: decoded };
  const { channels } = await decoded().stats();
  const opacity = channels.at(-1)!.mean;
  if (opacity === 255) return { shown: () => decoded().removeAlpha() };

  const onBlack = await decoded().flatten({ background: 'black' }).greyscale().raw().toBuffer();
  const lightness = onBlack.reduce((total, pixel) => total + pixel, 0) / onBlack.length;
  const background = lightness > 0.6 * opacity ? 'black' : 'white';
  return { shown: () => decoded().flatten({ background }), background: `on ${background}` };
}

async function renderForVision(image: Sharp): Promise<Uint8Array> {
  return image.resize(within(visionSide)).jpeg({ quality: 85, chromaSubsampling: '4:4:4' }).toBuffer();
}

/**
 * Decodes an encoded image that Agon rendered itself: a scanned page, a picture in a document.
 *
 * @example const { lines } = await look(await decodePixels(png), { text: true, scene: false })
 */
export async function decodePixels(bytes: Uint8Array): Promise<Pixels> {
  const open = await opener();
  return readPixels(open(bytes).flatten({ background: 'white' }));
}

async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data: new Uint8Array(data), width: info.width, height: info.height };
}

function within(side: number): { width: number; height: number; fit: 'inside'; withoutEnlargement: true } {
  return { width: side, height: side, fit: 'inside', withoutEnlargement: true };
}

/** Each side for itself, whatever becomes of its proportions. */
function atMost(side: number, { width, height }: { width: number; height: number }) {
  return { width: Math.min(side, width), height: Math.min(side, height), fit: 'fill' as const };
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof Error && /pixel limit|exceeds|too large/i.test(cause.message);
}

function tooManyPixels(name: string, size = 'more pixels than allowed'): AgonError {
  return new AgonError(
    'image-too-many-pixels',
    `${name} unpacks to ${size}; the limit is ${maxPixels / megapixel} megapixels.`,
    `Scale ${name} down and try again.`,
  );
}

function corrupt(name: string, cause: unknown): AgonError {
  return new AgonError('corrupt-image', `${name} is corrupt or cut short.`, `Export or download ${name} again.`, {
    cause,
  });
}
