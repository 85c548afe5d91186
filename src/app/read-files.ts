import type { NamedBytes, ReadDocumentsOptions } from '../jobs/index.ts';
import { type Dossier, type ReportDocument, limitsFrom } from '../jobs/documents/index.ts';
import { loadFile } from '../items/index.ts';
import { readDossier as readNamed } from '../jobs/documents/ingest/index.ts';
import { closeEyes, readImageText } from '../senses/index.ts';

/** `ocr` and `limits` as in the settings of documents. */
export type ReadOptions = ReadDocumentsOptions;

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
    await closeEyes();
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
  for (const file of files) named.push(typeof file === 'string' ? await loadFile(file, within) : file);
  return readNamed(named, { readImageText: ocr ? readImageText : null }, { signal, limits: within });
}
