import { AgonError } from '@agonhq/engine/agon-error';
import { needPart } from '@agonhq/engine/parts';
import type { SeenText } from './pdf/read-scanned-page.ts';
import { readTextParts } from './read-plain-text.ts';
import type { RawPart, RawReading, ReadingOptions } from './raw.ts';

const maxPixels = 50_000_000;
/** OCR reads best at this size of the longer side. */
const bestSide = { least: 1200, most: 2400 };

/** Reads the text in an image by OCR. */
export async function readImage(bytes: Uint8Array, { name, tools, signal }: ReadingOptions): Promise<RawReading> {
  if (tools.readImageText === null)
    throw new AgonError(
      'ocr-is-off',
      `${name} is an image, and OCR is off.`,
      'Turn OCR on, or name a document with text.',
    );
  const { width, height, rendering, scale } = await renderForOcr(bytes, name);
  const { text, confidence, words, turned }: SeenText = await tools.readImageText(rendering, signal ? { signal } : {});
  const parts = words
    ? await placeParts(words, scale, { width, height }, turned)
    : readTextParts(text).map((part) => ({ ...part, page: 1, ocr: true as const }));
  return {
    parts,
    pages: [{ number: 1, width, height, ocr: true }],
    notes: [`Its text was read by OCR, with a confidence of ${Math.round(confidence * 100)} %.`],
  };
}

/** As a scanned page of a PDF is read: paragraphs, tables and boxes by where the words stand. */
async function placeParts(
  words: NonNullable<SeenText['words']>,
  scale: number,
  size: { width: number; height: number },
  turned: SeenText['turned'],
): Promise<RawPart[]> {
  const { readImageParts } = await import('./pdf/read-pdf.ts');
  return readImageParts(
    words.map((word) => ({
      ...word,
      x: word.x / scale,
      y: word.y / scale,
      width: word.width / scale,
      height: word.height / scale,
    })),
    size,
    turned,
  );
}

/** The image as OCR reads it best, `scale` times its size. */
async function renderForOcr(
  bytes: Uint8Array,
  name: string,
): Promise<{ width: number; height: number; rendering: Uint8Array; scale: number }> {
  needPart('vision');
  const { default: sharp } = await import('sharp');
  try {
    const open = () => sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
    const {
      autoOrient: { width, height },
    } = await open().metadata();
    const side = Math.max(width, height);
    const target = Math.min(bestSide.most, Math.max(side, Math.min(bestSide.least, side * 4)));
    const rendering = await open()
      .autoOrient()
      .flatten({ background: '#fff' })
      .greyscale()
      .normalise()
      .resize({ width: target, height: target, fit: 'inside' })
      .png()
      .toBuffer();
    return { width, height, rendering, scale: target / side };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AgonError(
      'corrupt-document',
      `${name} cannot be shown as an image: ${why}.`,
      `Export ${name} again as PNG or JPEG, of at most 50 megapixels.`,
      { cause },
    );
  }
}
