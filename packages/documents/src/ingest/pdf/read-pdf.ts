import type { PDFDocumentProxy } from 'pdfjs-dist/types/src/display/api.js';
import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import type { Box, ReportDocument } from '../../document.ts';
import { buildDocument } from '../build-document.ts';
import { defaultLimits, type IngestLimits, type IngestTools, type RawPart } from '../raw.ts';
import { joinPages, findRunningLines } from './join-pages.ts';
import { buildLines, buildSegments } from './build-lines.ts';
import { describeOpeningError, openPdf, type PdfLibrary } from './open-pdf.ts';
import { readPageLayout, type Fonts, type PageLayout } from './read-page.ts';
import { buildPageParts } from './build-parts.ts';
import type { QuarterTurn } from './read-runs.ts';
import { placeUpright, readScannedPage, type SeenWord } from './read-scanned-page.ts';
import { listVocabulary } from './group-lines.ts';

export interface ReadPdfOptions {
  signal?: AbortSignal | undefined;
  limits?: Partial<IngestLimits> | undefined;
}

interface PagesRead {
  pages: PageLayout[];
  /** Pages with an image in place of text that OCR did not read. */
  unread: number[];
  /** Pages the file holds only in part. */
  broken: number[];
}

/** Reads a PDF in reading order with boxes, headings, lists and tables; scanned pages by OCR. Nothing in it is run. */
export async function readPdf(
  bytes: Uint8Array,
  name: string,
  tools: IngestTools,
  { signal, limits }: ReadPdfOptions = {},
): Promise<ReportDocument> {
  const { fileBytes, pages: mostPages } = { ...defaultLimits, ...limits };
  if (bytes.length === 0) throw emptyDocument(name, 'it has no bytes');
  if (bytes.length > fileBytes) throw tooLarge(`${name} has ${bytes.length} bytes; at most ${fileBytes} are read.`);
  signal?.throwIfAborted();
  const hash = sha256(bytes);
  const { library, document, close } = await openPdf(bytes, name);
  try {
    if (document.numPages === 0) throw emptyDocument(name, 'it has no pages');
    if (document.numPages > mostPages)
      throw tooLarge(`${name} has ${document.numPages} pages; at most ${mostPages} are read.`);
    const read = await readPages(document, library, tools, signal);
    if (read.broken.length === document.numPages)
      throw describeOpeningError(new Error('none of its pages can be read'), name);
    if (read.pages.every((page) => page.runs.length + page.aside.length === 0)) {
      throw emptyDocument(
        name,
        read.unread.length > 0 ? `it holds images only, and OCR is off` : 'no page holds any text',
      );
    }
    const { parts, leftOut } = layOutPages(read.pages);
    return buildDocument({
      name,
      kind: 'pdf',
      hash,
      parts,
      pages: read.pages.map(({ number, width, height, ocr }) => ({
        number,
        width,
        height,
        ...(ocr ? { ocr: true as const } : {}),
      })),
      notes: [...describePages(read, leftOut), ...(await describeActiveContent(document, library.AnnotationType.LINK))],
    });
  } finally {
    await close();
  }
}

/** The parts of an image by the words that OCR placed; laid out as paper, because gaps are judged in points. */
export function readImageParts(
  words: readonly SeenWord[],
  { width, height }: { width: number; height: number },
  turned: QuarterTurn = 0,
): RawPart[] {
  const scale = width / sheetWidth;
  const size = { width: sheetWidth, height: height / scale };
  const { runs } = placeUpright(words, scale, turned, size);
  const sheet: PageLayout = {
    ...makeBlankPage(1),
    ...size,
    turned,
    runs,
    lines: buildLines(buildSegments(runs)),
    scanned: true,
    ocr: true,
  };
  const pixels = (points: number): number => Math.floor(points * scale * 100) / 100;
  const inPixels = ({ page, x, y, width: across, height: down }: Box): Box => ({
    page,
    x: pixels(x),
    y: pixels(y),
    width: pixels(across),
    height: pixels(down),
  });
  return layOutPages([sheet]).parts.map((part) => ({
    ...part,
    ...(part.boxes ? { boxes: part.boxes.map(inPixels) } : {}),
    ...(part.lineBoxes ? { lineBoxes: part.lineBoxes.map((line) => ({ ...line, box: inPixels(line.box) })) } : {}),
    ...(part.rows
      ? {
          rows: part.rows.map((row) =>
            row.map((cell) => (cell?.boxes ? { ...cell, boxes: cell.boxes.map(inPixels) } : cell)),
          ),
        }
      : {}),
  }));
}

const sheetWidth = 612;

async function readPages(
  document: PDFDocumentProxy,
  library: PdfLibrary,
  tools: IngestTools,
  signal: AbortSignal | undefined,
): Promise<PagesRead> {
  const read: PagesRead = { pages: [], unread: [], broken: [] };
  const fonts: Fonts = { typefaces: new Map() };
  for (let number = 1; number <= document.numPages; number += 1) {
    signal?.throwIfAborted();
    const page = await document.getPage(number).catch(() => null);
    const layout = page && (await readPageLayout(page, library, fonts).catch(() => null));
    if (!page || !layout) {
      read.broken.push(number);
      read.pages.push(makeBlankPage(number));
      continue;
    }
    if (layout.scanned && tools.readImageText) {
      const seen = await readScannedPage(document, page, tools.readImageText, signal);
      const runs = [...seen.runs, ...(layout.turned === 0 || seen.turned !== 0 ? [] : layout.runs)];
      const { turned } = seen;
      read.pages.push({ ...layout, turned, runs, lines: buildLines(buildSegments(runs)), rules: [], ocr: true });
    } else {
      if (layout.scanned) read.unread.push(number);
      read.pages.push(layout);
    }
    page.cleanup();
  }
  return read;
}

/** A page that cannot be read still has its number, so that the others keep theirs. */
function makeBlankPage(number: number): PageLayout {
  return {
    number,
    width: 612,
    height: 792,
    turned: 0,
    runs: [],
    lines: [],
    rules: [],
    aside: [],
    scanned: false,
    ocr: false,
  };
}

function layOutPages(pages: readonly PageLayout[]): { parts: RawPart[]; leftOut: number } {
  const running = findRunningLines(
    pages.map((page) => ({
      number: page.number,
      height: page.turned % 180 === 0 ? page.height : page.width,
      lines: page.lines,
    })),
  );
  const vocabulary = listVocabulary(
    pages.flatMap((page) => page.lines.flatMap((line) => line.segments.map((segment) => segment.text))),
  );
  const bodySize = findUsualSize(pages);
  const found = joinPages(pages.map((page) => buildPageParts(page, running, bodySize, vocabulary)));
  const styles = [...new Set(found.flatMap(({ style }) => (style === undefined ? [] : [style])))].toSorted(
    (one, other) => other - one,
  );
  const parts = found.map(({ part, style }) =>
    style === undefined ? part : { ...part, level: Math.min(6, styles.indexOf(style) + 1) },
  );
  return { parts, leftOut: running.size };
}

/** Fewer words than this on a line are a label or a title. */
const proseWords = 6;

/** The size that most letters of prose are set in: in a report of many tables most letters are in tables. */
function findUsualSize(pages: readonly PageLayout[]): number {
  const letters = new Map<number, number>();
  for (const { runs, text } of pages.flatMap((page) => page.lines.flatMap((line) => line.segments))) {
    const size = Math.round(runs[0]!.size * 2) / 2;
    letters.set(size, (letters.get(size) ?? 0) + (text.split(' ').length < proseWords ? 0.01 : 1) * text.length);
  }
  return [...letters].toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? 10;
}

function describePages({ pages, unread, broken }: PagesRead, leftOut: number): string[] {
  const seen = pages.filter((page) => page.ocr).map((page) => page.number);
  const turned = pages.filter((page) => page.ocr && page.turned !== 0).map((page) => page.number);
  return [
    ...(seen.length > 0 ? [`Read by OCR, letters may be wrong: ${formatPageList(seen)}.`] : []),
    ...(turned.length > 0 ? [`Scanned lying on its side or head, and read upright: ${formatPageList(turned)}.`] : []),
    ...(unread.length > 0 ? [`Not read, an image with no text while OCR is off: ${formatPageList(unread)}.`] : []),
    ...(broken.length > 0 ? [`Not read, the file is damaged there: ${formatPageList(broken)}.`] : []),
    ...(leftOut > 0 ? [`Running heads, feet and page numbers were left out (${leftOut} lines).`] : []),
  ];
}

function formatPageList(numbers: readonly number[]): string {
  const stretches: [number, number][] = [];
  for (const number of numbers) {
    const last = stretches.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else stretches.push([number, number]);
  }
  const named = stretches.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  return `${numbers.length === 1 ? 'page' : 'pages'} ${named.join(', ')}`;
}

/** What in the file would act if a viewer opened it, as far as a damaged file tells. */
async function describeActiveContent(document: PDFDocumentProxy, link: number): Promise<string[]> {
  const unknown = () => null;
  const [scripts, attachments, action, links] = await Promise.all([
    document.hasJSActions().catch(unknown),
    document.getAttachments().catch(unknown),
    document.getOpenAction().catch(unknown),
    document.getAnnotationsByType(new Set([link]), new Set()).catch(unknown) as Promise<
      { url?: string; unsafeUrl?: string }[] | null
    >,
  ]);
  const outside = (links ?? []).filter(({ url, unsafeUrl }) => url !== undefined || unsafeUrl !== undefined).length;
  return [
    ...(scripts ? ['The file holds JavaScript, which was not run.'] : []),
    ...(attachments ? ['Files attached to the PDF were not opened.'] : []),
    ...(action?.has('action') ? ['An action the file asks for on opening was not carried out.'] : []),
    ...(outside > 0 ? [`Links in the file were not followed (${outside}).`] : []),
  ];
}

function emptyDocument(name: string, why: string): AgonError {
  return new AgonError(
    'empty-document',
    `There is nothing to read in ${name}: ${why}.`,
    'Pass a PDF with text, or turn OCR on for scanned pages.',
  );
}

function tooLarge(message: string): AgonError {
  return new AgonError('document-too-large', message, 'Split the file, or raise the limit.');
}
