export { readPdf, type ReadPdfOptions } from './read-pdf.ts';
