import {
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
  TextLayer,
  VerbosityLevel,
} from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- the bundler makes an address of it
import workerFile from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { pdfFolder } from 'virtual:pdf-files';
import { type PageArea, locateWords, type LocatedText, placeTexts, readContext } from './locate-words.ts';
import { MarkBoxes } from './mark-boxes.tsx';
import type { PageMark, PageSize } from './pdf-view.tsx';
import './pdf-page.css';

/** One page: the picture of it, its text to be marked and copied, and what of it is cited. */
export function PdfPage({
  pdf,
  number,
  scale,
  size,
  marks,
  pointed,
  onPick,
  onSize,
}: {
  pdf: PDFDocumentProxy;
  number: number;
  scale: number;
  size: PageSize;
  marks: readonly PageMark[];
  pointed: string | null;
  onPick: (id: string) => void;
  onSize?: (size: PageSize) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const page = usePage(pdf, number);
  const [drawn, setDrawn] = useState(false);
  const [texts, setTexts] = useState<readonly LocatedText[] | null>(null);

  useEffect(() => {
    if (!page || !canvas.current) return undefined;
    const density = Math.min(2, window.devicePixelRatio || 1);
    const viewport = page.getViewport({ scale: scale * density });
    canvas.current.width = Math.floor(viewport.width);
    canvas.current.height = Math.floor(viewport.height);
    const task = page.render({ canvas: canvas.current, viewport });
    task.promise.then(
      () => setDrawn(true),
      () => undefined,
    );
    return () => task.cancel();
  }, [page, scale]);

  useEffect(() => {
    const container = layer.current;
    if (!page || !container) return undefined;
    const viewport = page.getViewport({ scale: 1 });
    onSize?.({ width: viewport.width, height: viewport.height });
    let written: TextLayer | null = null;
    let left = false;
    page
      .getTextContent()
      .then(async (content) => {
        if (left) return;
        setTexts(placeTexts(content, viewport));
        written = new TextLayer({ textContentSource: content, container, viewport });
        await written.render();
      })
      .catch(() => undefined);
    return () => {
      left = true;
      written?.cancel();
      container.replaceChildren();
    };
    // The size is told once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [page]);

  return (
    <div
      className="relative size-full bg-[white] shadow-md"
      data-page={number}
      data-drawn={drawn || undefined}
      style={{ '--total-scale-factor': scale } as CSSProperties}
    >
      <canvas ref={canvas} className="block size-full" aria-hidden />
      <div ref={layer} className="pdf-text" />
      {marks.map(({ highlight, boxes }) => (
        <MarkBoxes
          key={highlight.id}
          highlight={highlight}
          areas={findAreas(highlight, boxes, texts)}
          within={size}
          active={highlight.id === pointed}
          onPick={onPick}
        />
      ))}
    </div>
  );
}

/** Cells have boxes of their own; of a sentence, the words themselves are sought. */
function findAreas(
  { grounding }: PageMark['highlight'],
  boxes: PageMark['boxes'],
  texts: readonly LocatedText[] | null,
): readonly PageArea[] {
  if (!texts || grounding.cells.length > 0) return boxes;
  return locateWords(readContext(grounding), boxes, texts) ?? boxes;
}

function usePage(pdf: PDFDocumentProxy, number: number): PDFPageProxy | null {
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  useEffect(() => {
    let left = false;
    pdf.getPage(number).then(
      (read) => !left && setPage(read),
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [pdf, number]);
  return page;
}

// oxlint-disable-next-line import/default -- the bundler makes an address of it

GlobalWorkerOptions.workerSrc = workerFile;

export { TextLayer };

/**
 * Opens a PDF of this server: what of it is looked at is fetched first. Nothing in it is run, and nothing is fetched
 * from elsewhere.
 */
export function loadPdf(url: string): PDFDocumentLoadingTask {
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
