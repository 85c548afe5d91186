export { readImageParts, readPdf, type ReadPdfOptions } from './read-pdf.ts';
export type { SeenText } from './read-scanned-page.ts';
