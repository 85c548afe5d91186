export { readDocument, readDossier, type IngestOptions } from './read-document.ts';
export { buildDocument, type DocumentParts } from './build-document.ts';
export {
  defaultLimits,
  type IngestLimits,
  type IngestTools,
  type RawCell,
  type RawPart,
  type Reading,
  type ReadingOptions,
  type ReadImageText,
} from './raw.ts';
export { assertFileSize, cleanFileName, loadDocumentFile } from './load-file.ts';
