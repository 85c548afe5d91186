import { AgonError } from '@agonhq/engine/agon-error';
import { decodePixels } from './images/inspect-image.ts';
import type { PixelBox } from './pixels.ts';
import type { LineRead } from './reading/read-text.ts';
import { findQuarter, type Quarter } from './reading/turn-page.ts';
import { look } from './runtime/image-models.ts';

export interface ImageText {
  text: string;
  /** Mean confidence of the letters, 0 to 1; 0 when there are none. */
  confidence: number;
  /** Each word with its place in pixels and the line it stands on. */
  words: readonly ReadWord[];
  /** By how much the page was turned, clockwise: most of its text runs that way. */
  turned: Quarter;
}

interface ReadWord extends PixelBox {
  text: string;
  /** From 0. */
  line: number;
}

/** Reads the text in an encoded image, offline. */
export async function readImageText(image: Uint8Array, options: { signal?: AbortSignal } = {}): Promise<ImageText> {
  const pixels = await decodePixels(image).catch((cause: unknown) => {
    throw new AgonError(
      'ocr-failed',
      `The text in the image could not be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Judge it without OCR, or export the image as PNG.',
      { cause },
    );
  });
  const { lines } = await look(pixels, { text: true, scene: false }, options);
  return joinLines(lines ?? []);
}

/** Lines as one text, with how sure the letters are on average. */
export function joinLines(lines: readonly LineRead[]): ImageText {
  const letters = lines.reduce((sum, { text }) => sum + text.length, 0);
  const sure = lines.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0);
  return {
    text: lines.map(({ text }) => text).join('\n'),
    confidence: letters === 0 ? 0 : sure / letters,
    words: lines.flatMap(({ words }, line) => words.map((word) => ({ ...word, line }))),
    turned: findQuarter(lines),
  };
}
