import type { PDFPageProxy } from 'pdfjs-dist/types/src/display/api.js';
import { AgonError } from '@agonhq/engine/agon-error';
import { needPart } from '@agonhq/engine/parts';
import type { FoundPicture } from '../list-pictures.ts';
import { readGraphics } from './read-graphics.ts';
import { describeOpeningError, openPdf, type PdfLibrary } from './open-pdf.ts';
import { renderPage } from './read-scanned-page.ts';

/** Pixels as the library decodes them; `kind` counts from black and white over RGB to RGBA. */
interface DecodedPicture {
  width: number;
  height: number;
  kind: number;
  data?: Uint8Array | Uint8ClampedArray | null;
}

/** So much of a page in pictures makes the page one: a scan may be cut into strips. */
const coversPage = 0.5;
/** More pixels tell nothing more. */
const longestSide = 1024;

/** The pictures that the pages of a PDF show, each once, and the pages that are mostly pictures. */
export async function* listPdfPictures(
  bytes: Uint8Array,
  name: string,
  { signal }: { signal?: AbortSignal | undefined },
): AsyncGenerator<FoundPicture, void, void> {
  const { library, document, close } = await openPdf(bytes, name);
  try {
    for (let number = 1; number <= document.numPages; number += 1) {
      signal?.throwIfAborted();
      // A page that cannot be read is not shown either.
      const page = await document.getPage(number).catch(() => null);
      if (!page) continue;
      const place = `${name}, page ${number}`;
      for (const [index, picture] of (await decodePictures(page, library.OPS)).entries())
        yield { place: `${place}, picture ${index + 1}`, image: await encode(picture) };
      const viewport = page.getViewport({ scale: 1 });
      const { imageShare } = await readGraphics(page, library.OPS, viewport);
      const scale = longestSide / Math.max(viewport.width, viewport.height);
      if (imageShare >= coversPage) yield { place, image: await renderPage(document, page, scale) };
      page.cleanup();
    }
  } catch (error) {
    // What was not looked at is not let through.
    if (AgonError.is(error) || signal?.aborted) throw error;
    throw describeOpeningError(error, name);
  } finally {
    await close();
  }
}

type Operations = PdfLibrary['OPS'];

async function decodePictures(page: PDFPageProxy, operations: Operations): Promise<DecodedPicture[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const named = new Set<string>();
  const pictures: DecodedPicture[] = [];
  for (const [index, operation] of fnArray.entries()) {
    const [drawn] = (argsArray[index] ?? []) as [unknown];
    if (operation === operations.paintInlineImageXObject) pictures.push(drawn as DecodedPicture);
    if (operation === operations.paintImageXObject || operation === operations.paintImageXObjectRepeat)
      named.add(drawn as string);
  }
  for (const id of named) {
    const decoded = await findObject(page, id);
    if (decoded) pictures.push(decoded);
  }
  return pictures.filter(({ data }) => data);
}

/** What is drawn on several pages belongs to the document. */
function findObject(page: PDFPageProxy, id: string): Promise<DecodedPicture | null> {
  const objects = id.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => objects.get(id, (decoded: DecodedPicture | null) => resolve(decoded)));
}

async function encode({ width, height, kind, data }: DecodedPicture): Promise<Uint8Array> {
  needPart('vision');
  const { default: sharp } = await import('sharp');
  const pixels = kind === 1 ? spreadBits(data!, width, height) : data!;
  const channels = kind === 1 ? 1 : kind === 2 ? 3 : 4;
  return sharp(pixels, { raw: { width, height, channels } })
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Black and white, a bit each, every row in whole bytes. */
function spreadBits(bits: ArrayLike<number>, width: number, height: number): Uint8Array {
  const row = Math.ceil(width / 8);
  const spread = new Uint8Array(width * height);
  for (let at = 0; at < spread.length; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    spread[at] = (bits[y * row + (x >> 3)]! >> (7 - (x & 7))) & 1 ? 255 : 0;
  }
  return spread;
}
