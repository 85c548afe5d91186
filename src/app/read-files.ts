import type { Dossier, ReportDocument } from '../jobs/documents/index.ts';
import { loadDocumentFile, readDossier as readNamed, type IngestLimits } from '../jobs/documents/ingest/index.ts';
import type { DocumentsSettings } from '../settings/index.ts';
import { closeTools, readImageText } from '../tools/index.ts';

/** A file that is given by its bytes: the name says what it is called, and helps to tell what it is. */
export interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}

/** `ocr` and `limits` as in the settings of documents. */
export interface ReadOptions extends Pick<DocumentsSettings, 'ocr' | 'limits'> {
  signal?: AbortSignal;
}

/**
 * Reads files as `analyze` does, and judges nothing: text, blocks, sentences and tables, with their boxes or cells.
 * The dossier can be passed to `analyze`, to the number tools, and to `verifyAnalysis`.
 *
 * @example const dossier = await readDossier(['report.pdf', { name: 'figures.csv', bytes }])
 */
export async function readDossier(
  files: readonly (string | NamedBytes)[],
  options: ReadOptions = {},
): Promise<Dossier> {
  try {
    return await readFiles(files, options);
  } finally {
    await closeTools();
  }
}

/**
 * Reads one file.
 *
 * @example const { text, blocks, notes } = await readDocument('report.pdf')
 */
export async function readDocument(file: string | NamedBytes, options: ReadOptions = {}): Promise<ReportDocument> {
  return (await readDossier([file], options)).documents[0]!;
}

/** The same for those who close the tools themselves. */
export async function readFiles(
  files: readonly (string | NamedBytes)[],
  { ocr = true, limits, signal }: ReadOptions,
): Promise<Dossier> {
  const within = limitsFrom(limits);
  const named: NamedBytes[] = [];
  // Only paths that the caller named are ever opened.
  for (const file of files) named.push(typeof file === 'string' ? await loadDocumentFile(file, within) : file);
  return readNamed(named, { readImageText: ocr ? readImageText : null }, { signal, limits: within });
}

/** The limits of reading that are set; `bytes` holds for files of every kind. */
export function limitsFrom({
  bytes,
  pages,
  rows,
}: NonNullable<DocumentsSettings['limits']> = {}): Partial<IngestLimits> {
  return {
    ...(bytes ? { fileBytes: bytes, textBytes: bytes } : {}),
    ...(pages ? { pages } : {}),
    ...(rows ? { tableRows: rows } : {}),
  };
}
