import { AgonError } from '@agonhq/engine/agon-error';
import type { DocumentKind } from '../document.ts';
import { readExtension } from '@agonhq/engine/items';
import type { IngestLimits } from './raw.ts';
import { tableByWord } from '@agonhq/engine/text';

/** What a file turned out to be, with a line about a name that says otherwise. */
export interface FileKind {
  kind: DocumentKind;
  note: string | null;
}

const byExtension: Record<string, DocumentKind> = tableByWord([
  ['pdf', 'pdf'],
  ['xlsx', 'xlsx xlsm xltx xls'],
  ['csv', 'csv tsv'],
  ['json', 'json jsonl ndjson'],
  ['docx', 'docx docm doc'],
  ['html', 'html htm xhtml'],
  ['markdown', 'md markdown'],
  ['text', 'txt text'],
  ['image', 'png jpg jpeg gif webp bmp tif tiff'],
]);
const textKinds: ReadonlySet<DocumentKind> = new Set(['csv', 'json', 'html', 'markdown', 'text']);
const known = 'Agon reads PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, plain text, PNG and JPEG.';

/** What a file is: by its bytes first, by its name where bytes do not tell. */
export async function detectFileKind(bytes: Uint8Array, name: string, limits: IngestLimits): Promise<FileKind> {
  const extension = readExtension(name);
  const named = byExtension[extension];
  const kind = (await detectBinaryKind(bytes, name, limits)) ?? (await detectTextKind(bytes, name, named));
  const differs = named !== undefined && named !== kind;
  return {
    kind,
    note: differs ? `${name} is named .${extension}, and was read as what its content is: ${kind}.` : null,
  };
}

async function detectBinaryKind(bytes: Uint8Array, name: string, limits: IngestLimits): Promise<DocumentKind | null> {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  if (head.includes('%PDF-')) return 'pdf';
  if (/^PK(?:\x03\x04|\x05\x06|\x07\x08)/u.test(head)) return detectOfficeKind(bytes, name, limits);
  if (head.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) throw refuseOldOffice(bytes, name);
  if (isImage(head)) return 'image';
  if (head.startsWith('\x1f\x8b') || head.startsWith('7z\xbc\xaf') || head.startsWith('Rar!'))
    throw unknownFormat(name, 'an archive', `Unpack ${name} first.`);
  if (head.startsWith('{\\rtf')) throw unknownFormat(name, 'RTF', 'Save it as DOCX or PDF.');
  return null;
}

async function detectOfficeKind(bytes: Uint8Array, name: string, limits: IngestLimits): Promise<DocumentKind> {
  const { listZipEntries } = await import('./unpack-zip.ts');
  const names = new Set(listZipEntries(bytes, name, limits).map((entry) => entry.name));
  if (names.has('xl/workbook.xml')) return 'xlsx';
  if (names.has('word/document.xml')) return 'docx';
  if (names.has('xl/workbook.bin')) throw unknownFormat(name, 'a binary workbook (XLSB)', 'Save it as XLSX.');
  if ([...names].some((entry) => entry.startsWith('ppt/')))
    throw unknownFormat(name, 'a presentation', 'Export it as PDF.');
  if (names.has('content.xml')) throw unknownFormat(name, 'an OpenDocument file', 'Save it as XLSX, DOCX or PDF.');
  throw unknownFormat(name, 'an archive', `Unpack ${name} and name the files in it.`);
}

function refuseOldOffice(bytes: Uint8Array, name: string): AgonError {
  if (Buffer.from(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    return new AgonError(
      'encrypted-document',
      `${name} is protected by a password.`,
      'Save a copy without the password.',
    );
  }
  return new AgonError(
    'old-office-format',
    `${name} is in the old Office format (.xls, .doc).`,
    'Open it and save it as .xlsx or .docx.',
  );
}

function isImage(head: string): boolean {
  return (
    /^(?:\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|BM.{4}\0\0\0\0|II\*\0|MM\0\*)/su.test(head) || /^RIFF.{4}WEBP/su.test(head)
  );
}

async function detectTextKind(bytes: Uint8Array, name: string, named: DocumentKind | undefined): Promise<DocumentKind> {
  const { decodeText } = await import('./decode-text.ts');
  // A sample cut within a character would look undecodable: cut at a line's end where there is one.
  const { text } = decodeText(bytes.length > 65_536 ? cutAtLine(bytes, 65_536) : bytes, name);
  const start = text.trimStart().slice(0, 300).toLowerCase();
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*(?:<!doctype html|<html[\s>])/su.test(start)) return 'html';
  if (named !== undefined) return textKinds.has(named) ? named : detectMisnamedKind(text, named);
  if (/^[[{]/u.test(start) && isJson(bytes, text)) return 'json';
  if (!looksLikeText(text)) throw unknownFormat(name, 'none of these', known);
  return 'text';
}

/** Programs write CSV into files named .xls. A comma in any other text makes no table of it. */
async function detectMisnamedKind(text: string, named: DocumentKind): Promise<DocumentKind> {
  if (named !== 'xlsx' || !text.trim().includes('\n')) return 'text';
  const { detectDialect } = await import('./read-csv.ts');
  return detectDialect(text).columns > 1 ? 'csv' : 'text';
}

function isJson(bytes: Uint8Array, sample: string): boolean {
  if (bytes.length > 65_536) return true;
  try {
    JSON.parse(sample);
    return true;
  } catch {
    return false;
  }
}

function cutAtLine(bytes: Uint8Array, length: number): Uint8Array {
  const end = bytes.lastIndexOf(10, length);
  // Two bytes further for UTF-16, whose line feed has two.
  return bytes.subarray(0, end > 1 ? end + 1 + ((end + 1) % 2) : length - (length % 4));
}

function looksLikeText(text: string): boolean {
  const letters = text.match(/[\p{L}\p{N}\p{P}\s]/gu)?.length ?? 0;
  return letters > text.length * 0.7;
}

function unknownFormat(name: string, what: string, hint: string): AgonError {
  return new AgonError('unknown-format', `${name} is in a format that Agon does not read: ${what}.`, hint);
}
