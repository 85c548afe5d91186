import type { Canvas } from '@napi-rs/canvas';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/types/src/display/api.js';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ReadImageText } from '../raw.ts';
import { cleanText, turnArea, type QuarterTurn, type GlyphRun } from './read-runs.ts';

/** A word that OCR placed, in pixels of the image. */
export interface SeenWord {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Words of the same line share a number. */
  line: number;
}

/** A reader may also place its words, and say how the page lies. */
export type SeenText = Awaited<ReturnType<ReadImageText>> & { words?: readonly SeenWord[]; turned?: QuarterTurn };

interface CanvasFactory {
  create(width: number, height: number): { canvas: Canvas };
}

/** OCR reads best at this resolution; a huge page is rendered smaller. */
const dotsPerInch = 200;
const mostPixels = 25_000_000;

/**
 * Reads a rendered page by OCR: runs with boxes where words are placed, else lines spread over the page. Those of a
 * page that lies on its side are upright in coordinates that are turned with it.
 */
export async function readScannedPage(
  document: PDFDocumentProxy,
  page: PDFPageProxy,
  readImageText: ReadImageText,
  signal: AbortSignal | undefined,
): Promise<{ runs: GlyphRun[]; turned: QuarterTurn }> {
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(dotsPerInch / 72, Math.sqrt(mostPixels / (width * height)));
  const image = await renderPage(document, page, scale);
  signal?.throwIfAborted();
  const seen: SeenText = await readImageText(image, signal ? { signal } : {});
  if (!seen.words) return { runs: spreadLines(seen.text, width, height), turned: 0 };
  return placeUpright(seen.words, scale, seen.turned ?? 0, { width, height });
}

/** Words of a page as runs that are upright, whichever way the page lies. */
export function placeUpright(
  words: readonly SeenWord[],
  scale: number,
  turned: QuarterTurn,
  page: { width: number; height: number },
): { runs: GlyphRun[]; turned: QuarterTurn } {
  const pixels = { width: page.width * scale, height: page.height * scale };
  return {
    runs: placeWords(turned === 0 ? words : words.map((word) => turnArea(word, turned, pixels)), scale),
    turned,
  };
}

/** A page as an image, `scale` pixels to a point. */
export async function renderPage(document: PDFDocumentProxy, page: PDFPageProxy, scale: number): Promise<Uint8Array> {
  const viewport = page.getViewport({ scale });
  const factory = document.canvasFactory as CanvasFactory;
  const { canvas } = factory.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
  try {
    // The library names the browser's canvas; on Node it draws on this one.
    await page.render({ canvas: canvas as never, viewport, background: 'white' }).promise;
    return await canvas.encode('png');
  } catch (cause) {
    throw new AgonError(
      'page-not-rendered',
      `Page ${page.pageNumber} could not be drawn for OCR.`,
      'Export the page as an image and pass that.',
      { cause },
    );
  }
}

/** Words as runs; `scale` is how many pixels of the image make a point. */
function placeWords(words: readonly SeenWord[], scale: number): GlyphRun[] {
  const lines = Map.groupBy(words, (word) => word.line);
  return [...lines.values()]
    .flatMap((line) => {
      const top = Math.min(...line.map((word) => word.y)) / scale;
      const end = Math.max(...line.map((word) => word.y + word.height)) / scale;
      const height = end - top;
      return line.map((word): GlyphRun => ({
        text: cleanText(word.text).trim(),
        x: word.x / scale,
        y: top,
        width: word.width / scale,
        height,
        baseline: end - height * 0.2,
        size: height * 0.9,
        bold: false,
        italic: false,
        spaced: true,
      }));
    })
    .filter((run) => run.text !== '');
}

/** Without the places of words, a line is known to be somewhere on the page: its box is the whole width at its turn. */
function spreadLines(text: string, width: number, height: number): GlyphRun[] {
  const lines = text
    .split('\n')
    .map((line) => cleanText(line).trim())
    .filter((line) => line !== '');
  const step = height / Math.max(lines.length, 1);
  return lines.map((line, index) => ({
    text: line,
    x: 0,
    y: index * step,
    width,
    height: step,
    baseline: (index + 0.8) * step,
    size: step * 0.8,
    bold: false,
    italic: false,
    spaced: true,
  }));
}
