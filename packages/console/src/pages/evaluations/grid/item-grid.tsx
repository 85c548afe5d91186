import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, ChevronDown, ChevronRight } from 'lucide-react';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { Loading, QueryView } from '../../../components/page.tsx';
import { classes } from '../../../components/tones.ts';
import { useTopOf } from '../../../components/window-list.ts';

/** Its width is a share, as CSS; a click on its head puts the rows in order by what it sorts. */
export type GridColumn<Row> = readonly [title: string, width: string, cell: (row: Row) => ReactNode, sort?: string];

export interface GridOrder {
  by: string;
  descending: boolean;
}

interface ItemGridProps<Row> {
  columns: readonly GridColumn<Row>[];
  list: UseInfiniteQueryResult<{ pages: readonly { rows: readonly Row[]; total: number | null }[] }>;
  nameRow: (row: Row) => string;
  /** The position of the row that is open, and what is shown of it. */
  open: number | null;
  onToggle: (position: number | null) => void;
  details: (row: Row) => ReactNode;
  /** Whether something about a row catches the eye. */
  isMarked?: (row: Row) => boolean;
  order: GridOrder;
  onOrder: (order: GridOrder) => void;
}

/** So many rows before the end the next page is asked for. */
const ahead = 80;
const rowHeight = 68;
const wide = 'sm:grid sm:[grid-template-columns:var(--columns)] sm:gap-x-4';

/** Items by systems: however many there are, only those on the screen are in the page. A row opens in place. */
export function ItemGrid<Row extends { position: number }>(props: ItemGridProps<Row>) {
  return (
    <QueryView query={props.list} lines={6} what="Loading items">
      {({ pages }) =>
        pages[0]!.rows.length === 0 ? (
          <p className="text-quiet">No matching items.</p>
        ) : (
          <Rows {...props} total={pages[0]!.total} />
        )
      }
    </QueryView>
  );
}

function Rows<Row extends { position: number }>(props: ItemGridProps<Row> & { total: number | null }) {
  const { list, columns, total } = props;
  const rows = useMemo(() => list.data!.pages.flatMap((page) => page.rows), [list.data]);
  const complete = !list.hasNextPage;
  const body = useRef<HTMLDivElement>(null);
  const top = useTopOf(body);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => rows[index]!.position,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (!complete && !list.isFetching && last >= rows.length - ahead) void list.fetchNextPage();
  }, [last, rows.length, complete, list]);
  const leastWidth = columns.length > 7 ? `${columns.length * 9}rem` : undefined;
  return (
    <div className={classes('rounded-xl border bg-surface', leastWidth && 'sm:overflow-x-auto')}>
      <div
        role="table"
        aria-label="Items"
        aria-rowcount={total === null ? -1 : total + 1}
        style={{
          ['--columns' as string]: columns.map(([, width]) => width).join(' '),
          ['--least' as string]: leastWidth ?? 'auto',
        }}
        className="sm:min-w-(--least)"
      >
        <Head {...props} isSticky={leastWidth === undefined} />
        <div ref={body} role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              role="presentation"
              className="absolute inset-x-0 top-0 border-b"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <GridRow {...props} row={rows[index]!} index={index} />
            </div>
          ))}
        </div>
      </div>
      {!complete && (
        <div className="p-4">
          <Loading lines={2} what="Loading more items" />
        </div>
      )}
    </div>
  );
}

function Head<Row>({ columns, order, onOrder, isSticky }: ItemGridProps<Row> & { isSticky: boolean }) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={classes(
        'items-center rounded-t-xl border-b bg-surface px-3 py-2 text-sm text-quiet max-sm:sr-only',
        wide,
        isSticky && 'sm:sticky sm:top-14 sm:z-5 lg:top-0',
      )}
    >
      {columns.map(([title, , , sort], column) => {
        const isChosen = sort !== undefined && sort === order.by;
        const Arrow = order.descending ? ArrowDown : ArrowUp;
        return (
          <div
            key={column}
            role="columnheader"
            aria-sort={isChosen ? (order.descending ? 'descending' : 'ascending') : undefined}
            className="min-w-0 font-medium"
          >
            {sort === undefined ? (
              <span className="line-clamp-2">{title}</span>
            ) : (
              <button
                type="button"
                className="inline-flex min-h-6 max-w-full items-center gap-1 text-left hover:text-ink"
                onClick={() => onOrder({ by: sort, descending: isChosen ? !order.descending : sort !== 'position' })}
              >
                <span className="line-clamp-2">{title}</span>
                {isChosen && <Arrow aria-hidden className="size-3.5 flex-none" />}
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}

function GridRow<Row extends { position: number }>(props: ItemGridProps<Row> & { row: Row; index: number }) {
  const { columns, row, index, nameRow, open, onToggle, details, isMarked } = props;
  const isOpen = open === row.position;
  const name = nameRow(row);
  return (
    <>
      <div
        role="row"
        aria-rowindex={index + 2}
        data-row={index}
        className={classes(
          'grid gap-y-1.5 border-l-3 px-3 py-2',
          wide,
          isMarked?.(row) ? 'border-l-both' : 'border-l-transparent',
        )}
      >
        {columns.map(([title, , cell], column) => (
          <div
            key={column}
            role="cell"
            className={classes(
              'min-w-0',
              column === 0
                ? 'flex gap-2'
                : 'max-sm:grid max-sm:grid-cols-[6rem_minmax(0,1fr)] max-sm:items-start max-sm:gap-2 max-sm:pl-11.5',
            )}
          >
            {column === 0 && (
              <Button
                size="small"
                variant="quiet"
                icon={isOpen ? ChevronDown : ChevronRight}
                className="h-8 flex-none px-1.5"
                aria-expanded={isOpen}
                aria-label={`${isOpen ? 'Close' : 'Open'} ${name}`}
                onClick={() => onToggle(isOpen ? null : row.position)}
              />
            )}
            {column > 0 && <span className="words line-clamp-2 text-sm text-quiet sm:hidden">{title}</span>}
            {cell(row)}
          </div>
        ))}
      </div>
      {isOpen && (
        <div role="row">
          <div role="cell" aria-colspan={columns.length} className="border-t bg-paper px-4 py-4 sm:px-12">
            {details(row)}
          </div>
        </div>
      )}
    </>
  );
}
