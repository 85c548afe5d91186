import { createRequire } from 'node:module';
import path from 'node:path';
import type { PDFDocumentLoadingTask } from 'pdfjs-dist/types/src/display/api.js';
import { AgonError } from '../../../../errors.ts';

type PdfLibrary = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

export async function loadPdfLibrary(): Promise<PdfLibrary> {
  return await import('pdfjs-dist/legacy/build/pdf.mjs');
}

/** Starts reading a PDF. Nothing in it is run, and nothing outside the library's own folder is loaded for it. */
export function openPdf(library: PdfLibrary, bytes: Uint8Array): PDFDocumentLoadingTask {
  const folder = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return library.getDocument({
    // The library takes the buffer over; the caller keeps its own.
    data: new Uint8Array(bytes),
    verbosity: library.VerbosityLevel.ERRORS,
    stopAtErrors: false,
    disableFontFace: true,
    // The names of fonts, which tell bold from plain.
    fontExtraProperties: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    cMapUrl: path.join(folder, 'cmaps/'),
    standardFontDataUrl: path.join(folder, 'standard_fonts/'),
    wasmUrl: path.join(folder, 'wasm/'),
  });
}

/** What went wrong while opening, as the user should hear it. */
export function describeOpeningError(cause: unknown, name: string): AgonError {
  const kind = cause instanceof Error ? cause.name : '';
  if (kind === 'PasswordException') {
    return new AgonError(
      'encrypted-document',
      `${name} is encrypted with a password.`,
      'Remove the password (print it to a new PDF) and pass that file.',
      { cause },
    );
  }
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AgonError(
    'corrupt-document',
    `${name} cannot be read as a PDF: ${why}`,
    'Open it in a viewer and save or print it to a new PDF.',
    { cause },
  );
}
