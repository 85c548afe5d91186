import type { DocumentKind } from '../jobs/documents/index.ts';

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
export function mediaTypeOf(kind: DocumentKind, bytes: Uint8Array): string {
  if (kind !== 'image') return byKind[kind];
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return images.find(([begins]) => begins.test(head))?.[1] ?? 'application/octet-stream';
}
