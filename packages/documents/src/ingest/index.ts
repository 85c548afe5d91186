export { ingestDocument, ingestDossier } from './read-document.ts';
export { listPictures } from './list-pictures.ts';
export { buildDocument } from './build-document.ts';
export { type IngestLimits, type RawPart } from './raw.ts';
export { addNamedRows } from './long-tables/index.ts';
