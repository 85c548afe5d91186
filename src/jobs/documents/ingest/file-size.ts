import { AgonError } from '../../../errors.ts';
import { readExtension } from './file-name.ts';
import { defaultLimits, type IngestLimits } from './raw.ts';

const textExtensions = new Set([
  'csv',
  'tsv',
  'json',
  'jsonl',
  'ndjson',
  'html',
  'htm',
  'md',
  'markdown',
  'txt',
  'text',
]);

/** Refuses a file by its size, before a byte of it is read. */
export function assertFileSize(name: string, bytes: number, limits: Partial<IngestLimits> = {}): void {
  const { fileBytes, textBytes } = { ...defaultLimits, ...limits };
  if (bytes === 0) throw new AgonError('empty-file', `${name} is empty.`, `Export or download ${name} again.`);
  assertWithin(name, bytes, textExtensions.has(readExtension(name)) ? Math.min(textBytes, fileBytes) : fileBytes);
}

export function assertTextSize(name: string, bytes: number, limits: IngestLimits): void {
  assertWithin(name, bytes, limits.textBytes);
}

function assertWithin(name: string, bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw new AgonError(
    'document-too-large',
    `${name} has ${formatMegabytes(bytes)} MB; the limit is ${formatMegabytes(limit)} MB.`,
    `Split ${name}, or cut it to what is to be judged.`,
  );
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1, useGrouping: false });
}
