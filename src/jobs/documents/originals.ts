import type { Dossier, Original, ReportDocument, DocumentKind } from './index.ts';
import type { NamedBytes } from '../job.ts';

const byKind: Record<Exclude<DocumentKind, 'image'>, string> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  csv: 'text/csv',
  json: 'application/json',
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
};

const images: readonly [begins: RegExp, type: string][] = [
  [/^\x89PNG/u, 'image/png'],
  [/^\xff\xd8\xff/u, 'image/jpeg'],
  [/^GIF8/u, 'image/gif'],
  [/^RIFF.{4}WEBP/su, 'image/webp'],
  [/^BM/u, 'image/bmp'],
  [/^(?:II\*\0|MM\0\*)/u, 'image/tiff'],
];

/** The media type of a file, by what it was read as: never by its name. */
function mediaTypeOf(kind: DocumentKind, bytes: Uint8Array): string {
  if (kind !== 'image') return byKind[kind];
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return images.find(([begins]) => begins.test(head))?.[1] ?? 'application/octet-stream';
}

const megabyte = 1_000_000;
/** A ledger is no file server: a larger file is left where it is. */
export const largestOriginal = 100 * megabyte;

/** The files of a dossier as they are kept beside its analysis; a document whose file is too large says so. */
export function withOriginals(
  { documents }: Dossier,
  files: readonly NamedBytes[],
  most = largestOriginal,
): { dossier: Dossier; originals: Original[] } {
  const pairs = documents.map((document, index) => ({ document, data: files[index]!.bytes }));
  return {
    dossier: {
      documents: pairs.map(({ document, data }) =>
        data.length > most ? noted(document, data.length, most) : document,
      ),
    },
    originals: pairs.flatMap(({ document, data }) =>
      data.length > most ? [] : [{ hash: document.hash, mediaType: mediaTypeOf(document.kind, data), data }],
    ),
  };
}

function noted(document: ReportDocument, bytes: number, most: number): ReportDocument {
  const note =
    `The file itself has ${(bytes / megabyte).toFixed(1)} MB and is not kept in the ledger, which ` +
    `takes files of up to ${most / megabyte} MB: its text is.`;
  return { ...document, notes: [...document.notes, note] };
}
