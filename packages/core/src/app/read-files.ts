import { sha256 } from '@agonhq/engine/hash';
import type { DocumentPicture, NamedBytes, ReadDocumentsOptions } from '@agonhq/judges/job';
import { type Dossier, type ReportDocument, limitsFrom } from '@agonhq/documents';
import { loadFile } from '@agonhq/engine/items';
import { listPictures, ingestDossier as readNamed } from '@agonhq/documents/ingest';
import { closeImageModels, fingerprintImage, readImageText } from '@agonhq/models/senses';

/** `ocr` and `limits` as in the settings of documents; `admit` is asked before anything is read. */
export type ReadFilesOptions = ReadDocumentsOptions;

/**
 * Reads files as `analyze` does, and judges nothing: text, blocks, sentences and tables, with their boxes or cells.
 * The dossier can be passed to `analyze`, to the number tools, and to `verifyAnalysis`.
 *
 * @example const dossier = await readDossier(['report.pdf', { name: 'figures.csv', bytes }])
 */
export async function readDossier(
  files: readonly (string | NamedBytes)[],
  options: ReadFilesOptions = {},
): Promise<Dossier> {
  try {
    return await readFiles(files, options);
  } finally {
    await closeImageModels();
  }
}

/**
 * Reads one file.
 *
 * @example const { text, blocks, notes } = await readDocument('report.pdf')
 */
export async function readDocument(file: string | NamedBytes, options: ReadFilesOptions = {}): Promise<ReportDocument> {
  return (await readDossier([file], options)).documents[0]!;
}

/** The same for those who close the tools themselves, or look at pictures of text in another way. */
export async function readFiles(
  files: readonly (string | NamedBytes)[],
  { ocr = true, limits, signal, admit }: ReadFilesOptions,
  look = readImageText,
): Promise<Dossier> {
  const within = limitsFrom(limits);
  const named: NamedBytes[] = [];
  // Only paths that the caller named are ever opened.
  for (const file of files) named.push(typeof file === 'string' ? await loadFile(file, within) : file);
  if (admit) await admit(await fingerprintPictures(named, { signal, limits: within }));
  return readNamed(named, { readImageText: ocr ? look : null }, { signal, limits: within });
}

/** What stands for every picture in the files; one that is no image that can be opened is nobody's to see. */
async function fingerprintPictures(
  files: readonly NamedBytes[],
  options: Parameters<typeof listPictures>[1],
): Promise<DocumentPicture[]> {
  const found: DocumentPicture[] = [];
  for (const named of files) {
    const file = sha256(named.bytes);
    for await (const { place, image } of listPictures(named, options)) {
      const fingerprint = await fingerprintImage(image);
      if (fingerprint) found.push({ id: place, file, fingerprint });
    }
  }
  return found;
}
