import { defaultFileLimits, type FileLimits } from '@agonhq/engine/items';
import type { BlockKind, Box, ReportDocument } from '../document.ts';
import type { Cube } from './long-tables/summarize-table.ts';

/** A cell as a reader of files found it. */
export interface RawCell {
  text: string;
  /** The raw number behind the text, where the file has one. */
  value?: number;
  span?: { rows: number; columns: number };
  /** `B3` in a spreadsheet. */
  address?: string;
  boxes?: readonly Box[];
}

/** Part of a file in reading order, before it has a place in the document's text. */
export interface RawPart {
  kind: BlockKind;
  /** Of all but tables. A list has one item per line. */
  text?: string;
  /** Of a table: null where a merged cell covers the place. */
  rows?: readonly (readonly (RawCell | null)[])[];
  /** Of a table: how many header rows and columns it has, where the file says so; detected otherwise. */
  headerRows?: number;
  headerColumns?: number;
  /** Of a paragraph: its lines are no wrapped text, each stands by itself. */
  linesApart?: true;
  /** Of a paragraph or heading: it names the table that follows. */
  caption?: true;
  /** Of a heading: 1 for the outermost. */
  level?: number;
  page?: number;
  boxes?: readonly Box[];
  /** Which characters of `text` stand where: a line each, or finer. */
  lineBoxes?: readonly { start: number; end: number; box: Box }[];
  sheet?: string;
  /** Its number in the file, where the file counts its parts itself. */
  sourceIndex?: number;
  ocr?: true;
}

/** What a reader makes of a file. */
export interface RawReading {
  parts: readonly RawPart[];
  pages?: ReportDocument['pages'];
  notes: readonly string[];
  /** Tables that are told by their totals. */
  longTables?: readonly Cube[];
}

/** Reads the text in an image, offline. */
export type ReadImageText = (
  image: Uint8Array,
  options: { signal?: AbortSignal },
) => Promise<{ text: string; confidence: number }>;

/** What reading needs from outside. */
export interface IngestTools {
  /** Null when OCR is off: images and scanned pages are then refused or noted. */
  readImageText: ReadImageText | null;
}

/** How much is read of a file before it is refused. */
export interface IngestLimits extends FileLimits {
  /** Of one table. */
  tableRows: number;
  /** A table with more rows is not laid out: it is told by its totals and the rows that are named. */
  laidOutRows: number;
  /** A file or sheet with more rows, or more cells, is taken for one table and read without being held. */
  heldRows: number;
  heldCells: number;
  /** Of one table: as many as a sheet of a workbook can have. */
  tableColumns: number;
  /** Of a table or a sheet, covered and empty ones counted. */
  tableCells: number;
  pages: number;
  /** Of an archive (XLSX, DOCX): files in it, bytes unpacked, and how many times larger than packed. */
  zipEntries: number;
  unpackedBytes: number;
  zipRatio: number;
}

export const defaultLimits: IngestLimits = {
  ...defaultFileLimits,
  tableRows: 2_000_000,
  laidOutRows: 1000,
  heldRows: 20_000,
  heldCells: 2_000_000,
  tableColumns: 16_384,
  tableCells: 20_000_000,
  pages: 3000,
  zipEntries: 10_000,
  unpackedBytes: 500_000_000,
  zipRatio: 200,
};

export interface ReadingOptions {
  /** The base name, for messages. */
  name: string;
  tools: IngestTools;
  limits: IngestLimits;
  signal?: AbortSignal;
}
