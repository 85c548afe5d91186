import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { type TextMark, splitAtMarks } from '../../../components/text.tsx';
import { classes, markLooks } from '../../../components/tones.ts';
import { type ReportDocument, sideTones } from '../analysis-types.ts';
import { type Highlight, type Pointed, useWidth } from './highlights.ts';
import { ColumnNames, listRowLines, type ShownLine, TableRow, textLook } from './table-rows.tsx';

/**
 * A document by its text and tables: sheets, data, and whatever has no pages to show. Only what is looked at is
 * drawn.
 */
export function BlocksView({
  document,
  highlights,
  pointed,
  onPick,
}: {
  document: ReportDocument;
  highlights: readonly Highlight[];
  pointed: Pointed | null;
  onPick: (id: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const lines = useMemo(() => listRowLines(document), [document]);
  const byBlock = useMemo(() => Map.groupBy(highlights, ({ grounding }) => grounding.block.id), [highlights]);
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[lines[index]!.kind](lines[index]!),
    overscan: 8,
    paddingStart: 8,
    paddingEnd: 24,
  });

  const found = pointed && highlights.find(({ id }) => id === pointed.id);
  const line = found ? findLine(lines, found) : -1;
  const moment = pointed?.moment;
  useEffect(() => {
    if (line < 0 || width === 0) return;
    list.scrollToIndex(line, { align: 'center' });
    const room = scroller.current;
    // A mark to the right of what is seen comes into sight, too.
    requestAnimationFrame(() =>
      room?.querySelector('[data-mark][data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    );
  }, [line, moment, list, width === 0]);

  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={`Text of ${document.name}`}
      className="h-full overflow-auto bg-surface"
      data-viewer="blocks"
    >
      <div className="relative min-w-fit" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const shown = lines[index]!;
          return (
            <div
              key={index}
              ref={list.measureElement}
              data-index={index}
              className="absolute top-0 left-0 min-w-full"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Line
                line={shown}
                document={document}
                width={width}
                highlights={'block' in shown ? (byBlock.get(shown.block.id) ?? none) : none}
                pointed={pointed?.id ?? null}
                onPick={onPick}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const none: readonly Highlight[] = [];

const heights: Record<ShownLine['kind'], (line: ShownLine) => number> = {
  sheet: () => 44,
  page: () => 36,
  columns: () => 28,
  row: () => 33,
  text: (line) => 28 + 26 * Math.ceil(('block' in line ? line.block.end - line.block.start : 0) / 70),
};

function Line({
  line,
  document,
  width,
  highlights,
  pointed,
  onPick,
}: {
  line: ShownLine;
  document: ReportDocument;
  width: number;
  highlights: readonly Highlight[];
  pointed: string | null;
  onPick: (id: string) => void;
}) {
  switch (line.kind) {
    case 'sheet':
      return <h2 className="sticky left-0 w-fit px-4 pt-4 pb-1 font-serif text-lg">{line.name}</h2>;
    case 'page':
      return <p className="sticky left-0 w-fit px-4 pt-3 text-sm text-quiet">Page {line.number}</p>;
    case 'columns':
      return <ColumnNames sheet={line.sheet} />;
    case 'row':
      return <TableRow sheet={line.sheet} row={line.row} highlights={highlights} pointed={pointed} onPick={onPick} />;
    case 'text':
      return (
        <div className="sticky left-0" style={{ width: width || undefined }}>
          <MarkedText
            text={document.text.slice(line.block.start, line.block.end)}
            start={line.block.start}
            look={classes('px-4', textLook(line.block))}
            highlights={highlights}
            pointed={pointed}
            onPick={onPick}
          />
        </div>
      );
  }
}

/** The line that a highlight stands on. */
function findLine(lines: readonly ShownLine[], { grounding }: Highlight): number {
  const row = grounding.cells[0]?.row ?? grounding.sentence?.row;
  const exact = lines.findIndex(
    (line) => line.kind === 'row' && line.block.id === grounding.block.id && line.row === row,
  );
  return exact >= 0
    ? exact
    : lines.findIndex((line) => (line.kind === 'text' || line.kind === 'row') && line.block.id === grounding.block.id);
}

/** A text of a document with what of it is cited. Plain text, whatever it says. */
function MarkedText({
  text,
  start,
  look,
  highlights,
  pointed,
  onPick,
}: {
  text: string;
  /** Where it begins in the document. */ start: number;
  look: string;
  highlights: readonly Highlight[];
  pointed: string | null;
  onPick: (id: string) => void;
}) {
  const marks = useMemo(
    () =>
      highlights
        .map(({ id, side, title, grounding }): TextMark => ({
          start: grounding.start - start,
          end: grounding.end - start,
          tone: sideTones[side],
          id,
          title,
          active: id === pointed,
        }))
        .toSorted((one, other) => Number(one.active) - Number(other.active)),
    [highlights, start, pointed],
  );
  const pieces = useMemo(() => splitAtMarks(text, marks), [text, marks]);
  return (
    <p className={classes('words max-w-3xl', look)}>
      {pieces.map(({ text: words, start: at, marks: here }) => {
        // The one that is pointed at comes last; else the shortest, which is the most exact.
        const mark =
          here.findLast(({ active }) => active) ??
          here.toSorted((one, other) => one.end - one.start - (other.end - other.start))[0];
        if (!mark) return words;
        const pick = () => onPick(mark.id!);
        return (
          <mark
            key={at}
            role="button"
            tabIndex={0}
            aria-pressed={mark.active}
            title={mark.title}
            data-mark={mark.id}
            data-active={mark.active || undefined}
            onClick={pick}
            onKeyDown={(event) => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), pick())}
            className={classes(
              'cursor-pointer rounded-sm text-ink underline decoration-2 underline-offset-3',
              markLooks[mark.tone],
              mark.active && 'outline-2 outline-link',
            )}
          >
            {words}
          </mark>
        );
      })}
    </p>
  );
}
