import { createRequire } from 'node:module';
import path from 'node:path';
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist/types/src/display/api.js';
import { AgonError } from '@agonhq/engine/agon-error';
import { needPart } from '@agonhq/engine/parts';

export type PdfLibrary = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

/** A PDF that was opened, and is closed by whoever is done with it. */
export interface OpenedPdf {
  library: PdfLibrary;
  document: PDFDocumentProxy;
  close(): Promise<void>;
}

/** Opens a PDF. Nothing in it is run, and nothing outside the library's own folder is loaded for it. */
export async function openPdf(bytes: Uint8Array, name: string): Promise<OpenedPdf> {
  const part = needPart('documents');
  const library: PdfLibrary = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const listening = listenForStrays();
  const task = startReading(library, bytes, part);
  const close = async () => {
    await task.destroy();
    // What was rejected last is told in this turn.
    setImmediate(listening.stop);
  };
  try {
    return { library, document: await task.promise, close };
  } catch (cause) {
    await close();
    throw describeOpeningError(cause, name);
  }
}

let listeners = 0;

/**
 * In a damaged file the library leaves promises rejected that nobody waits for any more, which would end the process.
 * What it could not read it says elsewhere; anybody else's still end the process.
 */
function listenForStrays(): { stop(): void } {
  if (listeners === 0) process.on('unhandledRejection', onStray);
  listeners += 1;
  return {
    stop() {
      listeners -= 1;
      if (listeners === 0) process.off('unhandledRejection', onStray);
    },
  };
}

function onStray(reason: unknown): void {
  const isOfLibrary = reason instanceof Error && reason.stack?.includes('pdfjs-dist');
  if (isOfLibrary || process.listenerCount('unhandledRejection') > 1) return;
  setImmediate(() => {
    throw reason;
  });
}

function startReading(library: PdfLibrary, bytes: Uint8Array, part: string): PDFDocumentLoadingTask {
  const folder = path.dirname(createRequire(path.join(part, 'package.json')).resolve('pdfjs-dist/package.json'));
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
