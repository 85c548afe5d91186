import type { BlendMode, PDFDocument, PDFFont, PDFPage } from 'pdf-lib';
import { AgonError } from '@agonhq/engine/agon-error';
import { needPart } from '@agonhq/engine/parts';
import type { FindSource, ReportExtras } from '@agonhq/judges/job/job-report';
import type { Analysis, Box, Grounding, ReportDocument } from '../index.ts';
import { describeClaimLabel } from '../view.ts';
import {
  describeEdit,
  describePlaces,
  dropLeftOut,
  listFindings,
  type ListedFinding,
} from '../findings/list-findings.ts';
import { toneColours } from './pdf-brief.ts';
import { placeNotes, toPageCoordinates, type PageFrame } from './place-notes.ts';
import { inStandardLetters } from './standard-letters.ts';

const margin = { width: 190, inner: 10, gap: 7, top: 24, bottom: 24 };
const size = { title: 8, text: 7.5, line: 9.2 };
const listed = { width: 595, height: 842, edge: 50 };

interface Note {
  title: string;
  colour: string;
  lines: readonly string[];
  /** Where on its page, from the upper left corner. */
  x: number;
  y: number;
  height: number;
}

interface Mark {
  page: number;
  box: Box;
  colours: { text: string; ground: string };
  /** Of the claim that is stated here. */
  number: string;
}

interface Tools {
  pdf: PDFDocument;
  fonts: { plain: PDFFont; bold: PDFFont };
  colour(hex: string): ReturnType<typeof import('pdf-lib').rgb>;
  multiply: BlendMode;
}

/**
 * A copy of the PDFs that were judged with the findings in a margin of its own, and what has no place there at its end.
 */
export async function annotatePdf(
  analysis: Analysis,
  findSource: FindSource,
  words: ReportExtras = {},
): Promise<Uint8Array> {
  const documents = analysis.documents.filter(({ kind }) => kind === 'pdf');
  const files: { document: ReportDocument; bytes: Uint8Array }[] = [];
  for (const document of documents) {
    const bytes = await findSource(document.hash);
    if (bytes) files.push({ document, bytes });
  }
  if (files.length === 0) throw nothingToAnnotate(documents);
  needPart('documents');
  const { BlendMode, PDFDocument, PDFName, StandardFonts, rgb } = await import('pdf-lib');
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const first = new Map<string, number>();
  for (const { document, bytes } of files) {
    first.set(document.name, pdf.getPageCount());
    for (const page of await copyPages(pdf, bytes, document.name)) {
      // What would act when a page is opened stays in the original.
      page.node.delete(PDFName.of('AA'));
      pdf.addPage(page);
    }
  }
  const fonts = {
    plain: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  };
  const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  const colour = (hex: string) => rgb(channel(hex, 1), channel(hex, 3), channel(hex, 5));
  const tools: Tools = { pdf, fonts, colour, multiply: BlendMode.Multiply };
  pdf.setTitle(inStandardLetters(`Annotated: ${files.map(({ document }) => document.name).join(', ')}`));
  pdf.setProducer('Agon');
  writeFindings(analysis, dropLeftOut(listFindings(analysis, words)), first, tools);
  return await pdf.save();
}

function writeFindings(
  analysis: Analysis,
  findings: readonly ListedFinding[],
  first: ReadonlyMap<string, number>,
  tools: Tools,
): void {
  const pages = tools.pdf.getPages();
  const notes = new Map<number, Note[]>();
  const rest: Note[] = [];
  const marks = new Map<string, Mark>();
  for (const finding of findings) {
    const { tone } = describeVerdict(finding.verdict);
    const isShown = tone === 'bad' || tone === 'between';
    const places = [...(finding.stated ? [finding.stated] : []), ...(isShown ? finding.places : [])];
    const here = places.flatMap((place) => locate(place, first)).filter(({ page }) => page < pages.length);
    // The worst comes first: it gives a place its colour.
    for (const [index, { page, box }] of here.entries()) {
      const key = [page, box.x, box.y].map(Math.round).join(':');
      const number = index === 0 && finding.claim !== null ? String(finding.claim) : '';
      if (!marks.has(key)) marks.set(key, { page, box, colours: toneColours[tone], number });
    }
    const [anchor] = here;
    const isBeside = anchor !== undefined && readFrame(pages[anchor.page]!).turned === 0;
    const note = writeNote(finding, analysis, tools, { isBeside, x: anchor?.box.x ?? 0, y: anchor?.box.y ?? 0 });
    if (isBeside) notes.set(anchor.page, [...(notes.get(anchor.page) ?? []), note]);
    else rest.push(note);
  }
  for (const mark of marks.values()) highlight(pages[mark.page]!, mark, tools);
  for (const [page, some] of [...notes].toSorted(([one], [other]) => one - other))
    rest.push(...addMargin(pages[page]!, some, tools));
  addList(rest, tools);
}

function locate({ document, boxes }: Grounding, first: ReadonlyMap<string, number>): { page: number; box: Box }[] {
  const start = first.get(document.name);
  return start === undefined ? [] : boxes.map((box) => ({ page: start + box.page - 1, box }));
}

function describeVerdict(verdict: string) {
  return verdict === 'conflict' ? { title: 'Numbers conflict', tone: 'bad' as const } : describeClaimLabel(verdict);
}

/** Beside its sentence a claim need not be repeated. */
function writeNote(
  { claim, verdict, text, why, corrections, numbers, places, edit }: ListedFinding,
  analysis: Analysis,
  { fonts }: Tools,
  { isBeside, x, y }: { isBeside: boolean; x: number; y: number },
): Note {
  const { title, tone } = describeVerdict(verdict);
  const where = describePlaces(places, analysis);
  const parts = [
    ...(isBeside && claim !== null ? [] : [text]),
    ...corrections.map((said) => `Corrected: ${said}`),
    ...describeEdit({ edit }),
    why,
    ...numbers.flatMap(({ statement, arithmetic }) => [statement === text ? '' : statement, arithmetic]),
    where === '' ? '' : `See ${where}`,
  ].filter((part) => part !== '');
  const across = isBeside ? margin.width - 2 * margin.inner : listed.width - 2 * listed.edge;
  const lines = parts.flatMap((part) => wrap(inStandardLetters(part), fonts.plain, across));
  return {
    title: `${claim === null ? '' : `${claim}  `}${inStandardLetters(title)}`,
    colour: toneColours[tone].text,
    lines,
    x,
    y,
    height: size.line * (lines.length + 1),
  };
}

function wrap(text: string, font: PDFFont, across: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/u).flatMap((one) => one.match(/.{1,40}/gu) ?? [])) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && font.widthOfTextAtSize(longer, size.text) > across) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}

function readFrame(page: PDFPage): PageFrame {
  return { ...page.getCropBox(), turned: ((page.getRotation().angle % 360) + 360) % 360 };
}

/** Over the letters as a marker pen does it, which darkens nothing. */
function highlight(page: PDFPage, { box, colours, number }: Mark, { colour, fonts, multiply }: Tools): void {
  const frame = readFrame(page);
  const place = toPageCoordinates(box, frame);
  page.drawRectangle({ ...place, color: colour(colours.ground), blendMode: multiply });
  if (number !== '' && frame.turned === 0)
    page.drawText(number, {
      // Above the line: beside the first word stands the one before it.
      x: place.x,
      y: place.y + place.height + 0.5,
      size: 5,
      font: fonts.bold,
      color: colour(colours.text),
    });
}

/** Widens a page to the right by a margin with notes; returns those that found no room. */
function addMargin(page: PDFPage, notes: readonly Note[], tools: Tools): Note[] {
  const frame = readFrame(page);
  const [left, top] = [frame.x + frame.width, frame.y + frame.height];
  page.setMediaBox(frame.x, frame.y, frame.width + margin.width, frame.height);
  page.setCropBox(frame.x, frame.y, frame.width + margin.width, frame.height);
  page.drawRectangle({
    x: left,
    y: frame.y,
    width: margin.width,
    height: frame.height,
    color: tools.colour('#f7f5f0'),
  });
  const { placed, left: over } = placeNotes(notes, {
    top: margin.top,
    bottom: frame.height - margin.bottom,
    gap: margin.gap,
  });
  for (const { note, y } of placed) {
    page.drawLine({
      start: { x: left, y: top - note.y - 4 },
      end: { x: left + margin.inner - 2, y: top - y - 4 },
      thickness: 0.6,
      color: tools.colour(note.colour),
    });
    drawNote(page, note, { x: left + margin.inner, y: top - y }, tools);
  }
  return over;
}

function drawNote(page: PDFPage, note: Note, { x, y }: { x: number; y: number }, { fonts, colour }: Tools): void {
  page.drawText(note.title, {
    x,
    y: y - size.line + 2,
    size: size.title,
    font: fonts.bold,
    color: colour(note.colour),
  });
  for (const [index, line] of note.lines.entries())
    page.drawText(line, {
      x,
      y: y - size.line * (index + 2) + 2,
      size: size.text,
      font: fonts.plain,
      color: colour('#26221c'),
    });
}

/** What is about other files, or found no room, at the end. */
function addList(notes: readonly Note[], tools: Tools): void {
  let page: PDFPage | null = null;
  let y = 0;
  for (const note of notes) {
    for (let from = 0; from === 0 || from < note.lines.length;) {
      const needed = Math.min(note.height, 6 * size.line);
      if (page === null || y - needed < listed.edge) {
        page = tools.pdf.addPage([listed.width, listed.height]);
        y = listed.height - listed.edge;
        page.drawText('Further findings', { x: listed.edge, y, size: 12, font: tools.fonts.bold });
        y -= 14;
      }
      const room = Math.max(1, Math.floor((y - listed.edge) / size.line) - 1);
      const lines = note.lines.slice(from, from + room);
      drawNote(page, { ...note, lines }, { x: listed.edge, y }, tools);
      y -= size.line * (lines.length + 1) + margin.gap;
      from += Math.max(1, lines.length);
    }
  }
}

async function copyPages(pdf: PDFDocument, bytes: Uint8Array, name: string): Promise<PDFPage[]> {
  const { PDFDocument } = await import('pdf-lib');
  try {
    const source = await PDFDocument.load(bytes, { updateMetadata: false });
    return await pdf.copyPages(source, source.getPageIndices());
  } catch (cause) {
    const isLocked = cause instanceof Error && /encrypted/iu.test(cause.message);
    throw new AgonError(
      'cannot-annotate',
      `${name} cannot be annotated: ${isLocked ? 'it is encrypted' : 'it cannot be written again'}.`,
      'Print it to a new PDF and analyze that, or take the page: --report trace.html.',
      { cause },
    );
  }
}

function nothingToAnnotate(documents: readonly ReportDocument[]): AgonError {
  return documents.length === 0
    ? new AgonError(
        'cannot-annotate',
        'There is no PDF among the files to annotate.',
        'Take the page, which shows every kind of file: --report trace.html.',
      )
    : new AgonError(
        'cannot-annotate',
        `The file itself is needed to annotate it: ${documents.map(({ name }) => name).join(', ')}.`,
        'Analyze it again, or keep originals in the ledger (documents.keepOriginals).',
      );
}
