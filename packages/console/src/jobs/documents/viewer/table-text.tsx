import { Fragment, type ReactNode } from 'react';
import { shownRows } from '@agonhq/documents/trace';
import { toOneLine } from '@agonhq/engine/text';
import { formatPlural, type CitedPassage } from '@agonhq/engine/view';
import { PlainText } from '../../../components/text.tsx';
import { classes } from '../../../components/tones.ts';
import type { Block, Cell } from '../analysis-types.ts';
import { isNumber } from './table-rows.tsx';

type Table = NonNullable<Block['table']>;

interface TableTextProps {
  /** Of the document, and its text. */
  name: string;
  text: string;
  block: Block;
  passages: readonly CitedPassage[];
  isLong: boolean;
  /** Words of a cell, with what is cited of them. */
  write: (cell: Cell) => ReactNode;
}

const mostRows = { short: 200, long: 30 };

/** A table as a table: its own headers and merged cells. */
export function TableText({ name, text, block, passages, isLong, write }: TableTextProps) {
  const table = block.table!;
  const { cells, headerRows, headerColumns, caption } = table;
  const byRow = Map.groupBy(cells, ({ row }) => row);
  const isCited = (cell: Cell) => passages.some(({ start, end }) => cell.start < end && cell.end > start);
  const cited = new Set(cells.filter(isCited).map(({ row }) => row));
  const extent = measure(table);
  const rows = shownRows(extent.rows, headerRows, cited, isLong ? mostRows.long : mostRows.short);
  const isWhole = rows.length === extent.rows;
  const covered = new Set(cells.flatMap(listCovered));
  return (
    <div
      className="my-2 overflow-x-auto"
      tabIndex={0}
      role="region"
      aria-label={`Table, block ${block.id.slice(1)} of ${name}`}
    >
      <table className="min-w-1/2 border-collapse text-left">
        {caption !== undefined && !standsAbove(text, block, caption) && (
          <caption className="words pb-1 text-left text-sm text-quiet">
            <PlainText text={caption} />
          </caption>
        )}
        <tbody>
          {rows.map((row, at) => {
            const hidden = row - (rows[at - 1] ?? -1) - 1;
            const byColumn = new Map((byRow.get(row) ?? []).map((cell) => [cell.column, cell]));
            return (
              <Fragment key={row}>
                {hidden > 0 && (
                  <tr>
                    <td colSpan={extent.columns} className="border border-dashed p-1 text-center text-xs text-quiet">
                      {formatPlural(hidden, 'row')} not shown
                    </td>
                  </tr>
                )}
                <tr>
                  {Array.from({ length: extent.columns }, (_, column) => {
                    const cell = byColumn.get(column);
                    if (!cell)
                      return isWhole && covered.has(`${row},${column}`) ? null : <td key={column} className="border" />;
                    const scope =
                      cell.text.trim() === '' ? null : row < headerRows ? 'col' : column < headerColumns ? 'row' : null;
                    const Tag = scope ? 'th' : 'td';
                    return (
                      <Tag
                        key={column}
                        {...(scope ? { scope } : {})}
                        {...(isWhole && cell.span
                          ? { rowSpan: count(cell.span.rows), colSpan: count(cell.span.columns) }
                          : {})}
                        title={cell.address}
                        className={classes(
                          'max-w-96 min-w-12 border px-2 py-1 align-top',
                          scope && 'bg-paper font-medium',
                          isNumber(cell) && 'text-right tabular-nums',
                        )}
                      >
                        {write(cell)}
                      </Tag>
                    );
                  })}
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/* A caption is often what was just said above the table: it is not said twice. */
function standsAbove(text: string, { start }: Block, caption: string): boolean {
  return toOneLine(text.slice(Math.max(0, start - 2 * caption.length), start)).endsWith(toOneLine(caption));
}

/* A trace from a file may say anything about a table's size: what counts is how far its cells reach. */
function measure({ cells, rows, columns }: Table): { rows: number; columns: number } {
  const reach = { rows: 0, columns: 0 };
  for (const { row, column, span } of cells) {
    reach.rows = Math.max(reach.rows, row + count(span?.rows ?? 1));
    reach.columns = Math.max(reach.columns, column + count(span?.columns ?? 1));
  }
  return { rows: Math.min(rows, reach.rows, 2_000_000), columns: Math.min(columns, reach.columns, 20_000) };
}

const count = (value: number): number => Math.min(Math.max(Math.trunc(value) || 1, 1), 1000);

/** The places that a merged cell takes beside its own. */
function listCovered({ row, column, span }: Cell): string[] {
  if (!span) return [];
  return Array.from({ length: count(span.rows) }, (_, down) =>
    Array.from({ length: count(span.columns) }, (__, right) => `${row + down},${column + right}`),
  )
    .flat()
    .slice(1);
}
