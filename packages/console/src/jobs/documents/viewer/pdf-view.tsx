import { useVirtualizer } from '@tanstack/react-virtual';
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Loading } from '../../../components/page.tsx';
import { classes } from '../../../components/tones.ts';
import type { Box } from '../analysis-types.ts';
import { type Highlight, type Pointed, useWidth } from './highlights.ts';
import { loadPdf, PdfPage } from './pdf-page.tsx';

export interface PageSize {
  width: number;
  height: number;
}

const gap = 16;
const letter: PageSize = { width: 612, height: 792 };

/** A PDF, page below page: those that are looked at are drawn, and no others. */
export function PdfView({
  url,
  name,
  sizes,
  highlights,
  pointed,
  onPick,
  onFail,
}: {
  url: string;
  name: string;
  /** Where they are known before the PDF was read. */ sizes: readonly PageSize[] | null;
  highlights: readonly Highlight[];
  pointed: Pointed | null;
  onPick: (id: string) => void;
  onFail: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const pdf = usePdf(url, onFail);
  const width = useWidth(scroller);
  const [zoom, setZoom] = useState<Zooming>('fit');
  const [first, setFirst] = useState<PageSize | null>(null);
  const count = pdf?.numPages ?? 0;
  const sizeOf = useCallback((index: number) => sizes?.[index] ?? sizes?.[0] ?? first ?? letter, [sizes, first]);
  const scale = zoom === 'fit' ? Math.min(2.5, Math.max(0.2, (width - 2 * gap) / sizeOf(0).width)) : zoom;
  const pages = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => Math.round(sizeOf(index).height * scale) + gap,
    overscan: 1,
    paddingStart: gap,
  });
  useEffect(() => pages.measure(), [pages, scale, sizeOf]);
  const byPage = useMemo(() => groupBoxesByPage(highlights), [highlights]);

  const place = pointed && findFirstBox(highlights, pointed.id);
  const [page, top] = [place?.page, place?.y];
  const moment = pointed?.moment;
  useEffect(() => {
    const room = scroller.current;
    if (!room || count === 0 || page === undefined || top === undefined || width === 0) return;
    let start = gap;
    for (let index = 0; index < page - 1; index += 1) start += Math.round(sizeOf(index).height * scale) + gap;
    room.scrollTo({ top: Math.max(0, start + top * scale - room.clientHeight * 0.3) });
    // A change of the scale alone leaves the reader where they are.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [count, page, top, moment, width === 0]);

  return (
    <div className="relative h-full min-h-0">
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={`Pages of ${name}`}
        className="h-full overflow-auto bg-paper"
        data-viewer="pdf"
        data-pages={count || undefined}
      >
        {!pdf && (
          <div className="p-6">
            <Loading what={`Opening ${name}`} lines={8} />
          </div>
        )}
        {pdf && width > 0 && (
          <div
            className="relative mx-auto"
            style={{ height: pages.getTotalSize(), width: Math.round(findWidest(sizes, first) * scale) }}
          >
            {pages.getVirtualItems().map(({ index, start }) => {
              const size = sizeOf(index);
              return (
                <div
                  key={index}
                  className="absolute left-1/2 -translate-x-1/2"
                  style={{ top: start, width: Math.round(size.width * scale), height: Math.round(size.height * scale) }}
                >
                  <PdfPage
                    pdf={pdf}
                    number={index + 1}
                    scale={scale}
                    size={size}
                    marks={byPage.get(index + 1) ?? []}
                    pointed={pointed?.id ?? null}
                    onPick={onPick}
                    onSize={index === 0 && !sizes ? setFirst : undefined}
                  />
                </div>
              );
            })}
          </div>
        )}
      </div>
      {pdf && (
        <Zoom
          value={zoom}
          scale={scale}
          onChange={setZoom}
          pages={{ count, current: currentPage(pages.getVirtualItems(), pages.scrollOffset ?? 0) }}
        />
      )}
    </div>
  );
}

function usePdf(url: string, onFail: () => void): PDFDocumentProxy | null {
  const [opened, setOpened] = useState<{ url: string; pdf: PDFDocumentProxy } | null>(null);
  const failed = useRef(onFail);
  failed.current = onFail;
  useEffect(() => {
    let left = false;
    const task = loadPdf(url);
    task.promise.then(
      (pdf) => !left && setOpened({ url, pdf }),
      () => !left && failed.current(),
    );
    return () => {
      left = true;
      void task.destroy();
    };
  }, [url]);
  return opened?.url === url ? opened.pdf : null;
}

/** A highlight with the boxes that it has on one page. */
export interface PageMark {
  highlight: Highlight;
  boxes: readonly Box[];
}

function groupBoxesByPage(highlights: readonly Highlight[]): Map<number, PageMark[]> {
  const pages = new Map<number, PageMark[]>();
  for (const highlight of highlights) {
    for (const [page, boxes] of Map.groupBy(highlight.grounding.boxes, (box) => box.page))
      pages.set(page, [...(pages.get(page) ?? []), { highlight, boxes }]);
  }
  return pages;
}

function findFirstBox(highlights: readonly Highlight[], id: string): Box | undefined {
  return highlights.find((highlight) => highlight.id === id)?.grounding.boxes[0];
}

function findWidest(sizes: readonly PageSize[] | null, first: PageSize | null): number {
  return Math.max(...(sizes ?? [first ?? letter]).map(({ width }) => width));
}

function currentPage(items: readonly { index: number; end: number }[], offset: number): number {
  return (items.find(({ end }) => end > offset + 100)?.index ?? 0) + 1;
}

/** A scale, or as wide as there is room. */
type Zooming = number | 'fit';

const steps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const look = 'rounded-md p-1.5 text-quiet hover:text-ink disabled:opacity-40';

/** How large the pages are, and which one it is. */
function Zoom({
  value,
  scale,
  onChange,
  pages,
}: {
  value: Zooming;
  scale: number;
  onChange: (value: Zooming) => void;
  pages: { count: number; current: number };
}) {
  const smaller = steps.findLast((step) => step < scale - 0.01);
  const larger = steps.find((step) => step > scale + 0.01);
  return (
    <div
      className={classes(
        'absolute right-4 bottom-4 flex items-center gap-1 rounded-lg border bg-surface px-2 py-1 text-sm',
        'shadow-md',
      )}
    >
      <span className="px-1 whitespace-nowrap tabular-nums">
        {pages.current} of {pages.count}
      </span>
      {(
        [
          ['Zoom out', smaller, ZoomOut],
          ['Zoom in', larger, ZoomIn],
        ] as const
      ).map(([label, step, Icon]) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          className={look}
          disabled={step === undefined}
          onClick={() => onChange(step!)}
        >
          <Icon aria-hidden className="size-4" />
        </button>
      ))}
      <button
        type="button"
        aria-label="Fit width"
        aria-pressed={value === 'fit'}
        className={look}
        onClick={() => onChange('fit')}
      >
        <Maximize2 aria-hidden className="size-4" />
      </button>
    </div>
  );
}
