import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import { needPart } from '@agonhq/engine/parts';
import type { DocumentKind, Dossier, ReportDocument } from '../document.ts';
import { buildDocument } from './build-document.ts';
import { keepLongTables, shortenParts } from './long-tables/index.ts';
import { detectFileKind } from './detect-file-kind.ts';
import { cleanFileName, assertFileSize } from '@agonhq/engine/items';
import {
  defaultLimits,
  type IngestLimits,
  type IngestTools,
  type RawPart,
  type RawReading,
  type ReadingOptions,
} from './raw.ts';

export interface IngestOptions {
  signal?: AbortSignal;
  limits?: Partial<IngestLimits>;
}

type Reader = (bytes: Uint8Array, options: ReadingOptions) => RawReading | Promise<RawReading>;

/** Parsers are loaded when a file needs them. */
const readers: Record<Exclude<DocumentKind, 'pdf'>, () => Promise<Reader>> = {
  xlsx: async () => (await import('./xlsx/read-xlsx.ts')).readXlsx,
  csv: async () => (await import('./read-csv.ts')).readCsv,
  json: async () => (await import('./json/read-json.ts')).ingestJson,
  docx: async () => (await import('./read-docx.ts')).readDocx,
  html: async () => (await import('./html/read-html.ts')).readHtml,
  markdown: async () => (await import('./read-markdown.ts')).readMarkdown,
  text: async () => (await import('./read-plain-text.ts')).readPlainText,
  image: async () => (await import('./read-image.ts')).readImage,
};

/** Kinds whose parsers come with the part. */
const ofPart: ReadonlySet<DocumentKind> = new Set(['xlsx', 'docx', 'html']);

/**
 * Reads a file of any format that Agon knows into one model: its text, and blocks that point into it.
 * What the bytes are decides, not what the name says. Nothing in the file is run or followed.
 *
 * @example const document = await readDocument(await readFile('report.xlsx'), 'report.xlsx', { readImageText: null })
 */
export async function ingestDocument(
  bytes: Uint8Array,
  name: string,
  tools: IngestTools,
  options: IngestOptions = {},
): Promise<ReportDocument> {
  const limits = { ...defaultLimits, ...options.limits };
  const shown = cleanFileName(name);
  assertFileSize(shown, bytes.length, limits);
  const { kind, note } = await detectFileKind(bytes, shown, limits);
  options.signal?.throwIfAborted();
  const document = await readByKind(bytes, kind, {
    name: shown,
    tools,
    limits,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  options.signal?.throwIfAborted();
  const notes = note === null ? document.notes : [note, ...document.notes];
  if (document.blocks.length === 0) {
    const why = notes.length === 0 ? '' : ` (${notes.join(' ')})`;
    throw new AgonError(
      'empty-document',
      `${shown} holds nothing to read${why}.`,
      'Check that it is the right file; a scan needs OCR.',
    );
  }
  return { ...document, notes };
}

async function readByKind(bytes: Uint8Array, kind: DocumentKind, options: ReadingOptions): Promise<ReportDocument> {
  if (kind === 'pdf') return (await import('./pdf/read-pdf.ts')).readPdf(bytes, options.name, options.tools, options);
  if (ofPart.has(kind)) needPart('documents');
  const reader = await readers[kind]();
  try {
    const reading = await reader(bytes, options);
    assertWidth(reading.parts, options);
    const { parts, notes, longTables } = shortenParts(reading.parts, options.limits);
    const told = { ...reading, parts, notes: [...reading.notes, ...notes] };
    const document = buildDocument({ name: options.name, kind, hash: sha256(bytes), ...told });
    const kept = [...(reading.longTables ?? []), ...longTables];
    if (kept.length > 0) keepLongTables(document, parts, kept);
    return document;
  } catch (cause) {
    // What nests without end fills the stack.
    if (!(cause instanceof RangeError)) throw cause;
    throw new AgonError(
      'document-too-deep',
      `${options.name} is nested too deep to be read.`,
      'Pass the part of it that is to be judged.',
      { cause },
    );
  }
}

function assertWidth(parts: readonly RawPart[], { name, limits }: ReadingOptions): void {
  const width = parts.reduce(
    (widest, { rows }) => (rows ?? []).reduce((most, row) => Math.max(most, row.length), widest),
    0,
  );
  if (width <= limits.tableColumns) return;
  throw new AgonError(
    'document-too-large',
    `${name} holds a table of ${width} columns; the limit is ${limits.tableColumns}.`,
    'Cut it to what is to be judged.',
  );
}

/** Reads several files to be judged together. Files of the same name are told apart by a number. */
export async function ingestDossier(
  files: readonly { name: string; bytes: Uint8Array }[],
  tools: IngestTools,
  options: IngestOptions = {},
): Promise<Dossier> {
  if (files.length === 0) throw new AgonError('empty-dossier', 'There is no file to read.', 'Name at least one file.');
  const taken = new Set<string>();
  const documents: ReportDocument[] = [];
  for (const { name, bytes } of files) {
    // One after another: parsers hold whole files in memory.
    const document = await ingestDocument(bytes, name, tools, options);
    documents.push({ ...document, name: findFreeName(document.name, taken) });
  }
  return { documents };
}

function findFreeName(name: string, taken: Set<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${stem} (${number})${extension}`;
  taken.add(free);
  return free;
}
