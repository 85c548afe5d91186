import { getDocument, GlobalWorkerOptions, TextLayer, VerbosityLevel, type PDFDocumentLoadingTask } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- the bundler makes an address of it
import workerFile from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { pdfFolder } from 'virtual:pdf-files';

GlobalWorkerOptions.workerSrc = workerFile;

export { TextLayer };

/**
 * Opens a PDF of this server: what of it is looked at is fetched first. Nothing in it is run, and nothing is fetched
 * from elsewhere.
 */
export function openPdf(url: string): PDFDocumentLoadingTask {
  return getDocument({
    url,
    rangeChunkSize: 2 ** 18,
    verbosity: VerbosityLevel.ERRORS,
    // What a page looks like must not depend on the fonts of a machine.
    useSystemFonts: false,
    useWasm: false,
    enableXfa: false,
    cMapUrl: `${pdfFolder}cmaps/`,
    standardFontDataUrl: `${pdfFolder}standard_fonts/`,
    wasmUrl: `${pdfFolder}wasm/`,
  });
}
