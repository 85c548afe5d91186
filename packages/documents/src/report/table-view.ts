import { formatPlural } from '@agonhq/engine/view';
import type { Block, Cell, ReportDocument, Table } from '../index.ts';
import { html, inline, type Markup, highlightRange, type TextMarking } from '@agonhq/engine/reports';
import type { CitedPassage } from '@agonhq/engine/view';
import { shownRows } from './shown-blocks.ts';
import { toOneLine } from '@agonhq/engine/text';

const mostRows = { short: 200, long: 30 };
// Bounded: of the longest figure.
const figure = /^(?:[-–—]|[-+−–(]?\s*\p{Sc}?\s*[-+−–(]?\d[\d.,'’\s]*\p{Sc}?[\s%)]*)$/u;

/** No figure is longer, and white space may stand in it in many places. */
const longestFigure = 60;

function isFigure(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= longestFigure && figure.test(trimmed);
}

/** A table as a table: its own headers, merged cells, and the cited cells marked. */
export function tableView(
  document: ReportDocument,
  block: Block,
  passages: readonly CitedPassage[],
  marking: TextMarking,
  long: boolean,
): Markup {
  const table = block.table!;
  const byRow = Map.groupBy(table.cells, ({ row }) => row);
  const cited = new Set(
    passages.flatMap((passage) =>
      table.cells.filter((cell) => cell.start < passage.end && cell.end > passage.start).map(({ row }) => row),
    ),
  );
  const extent = extentOf(table);
  const rows = shownRows(extent.rows, table.headerRows, cited, long ? mostRows.long : mostRows.short);
  const whole = rows.length === extent.rows;
  const covered = new Set(table.cells.flatMap(({ row, column, span }) => (span ? coveredBy(row, column, span) : [])));
  const drawn = rows.map((row, at) => {
    const hidden = row - (rows[at - 1] ?? -1) - 1;
    const cells = new Map((byRow.get(row) ?? []).map((cell) => [cell.column, cell]));
    return html`${
        hidden > 0 &&
        html`<tr>
          <td class="elision" colspan="${extent.columns}">${formatPlural(hidden, 'row')} not shown</td>
        </tr>`
      }
      <tr>
        ${Array.from({ length: extent.columns }, (_, column) => {
          const cell = cells.get(column);
          if (!cell) return whole && covered.has(`${row},${column}`) ? null : html`<td></td>`;
          return cellView(
            document,
            cell,
            row < table.headerRows || column < table.headerColumns ? (row < table.headerRows ? 'col' : 'row') : null,
            passages,
            marking,
            whole,
          );
        })}
      </tr>`;
  });
  return html`<div
    class="scroll"
    tabindex="0"
    role="region"
    aria-label="Table, block ${block.id.slice(1)} of ${document.name}"
  >
    <table class="data">
      ${
        table.caption !== undefined &&
        !standsAbove(document, block, table.caption) &&
        html`<caption>
          ${inline(table.caption)}
        </caption>`
      }
      <tbody>
        ${drawn}
      </tbody>
    </table>
  </div>`;
}

/* A caption is often what was just said above the table: it is not said twice. */
function standsAbove({ text }: ReportDocument, { start }: Block, caption: string): boolean {
  return toOneLine(text.slice(Math.max(0, start - 2 * caption.length), start)).endsWith(toOneLine(caption));
}

/* A trace from a file may say anything about a table's size: what counts is how far its cells reach. */
function extentOf({ cells, rows, columns }: Table): { rows: number; columns: number } {
  const reach = cells.reduce(
    (far, { row, column, span }) => ({
      rows: Math.max(far.rows, row + count(span?.rows ?? 1)),
      columns: Math.max(far.columns, column + count(span?.columns ?? 1)),
    }),
    { rows: 0, columns: 0 },
  );
  return { rows: Math.min(rows, reach.rows, 2_000_000), columns: Math.min(columns, reach.columns, 20_000) };
}

function cellView(
  document: ReportDocument,
  cell: Cell,
  scope: 'row' | 'col' | null,
  passages: readonly CitedPassage[],
  marking: TextMarking,
  whole: boolean,
): Markup {
  const content = highlightRange(document.text, cell, passages, marking);
  const attributes = html`${isFigure(cell.text) && html` class="number"`}${
    cell.address !== undefined && html` title="${cell.address}"`
  }${whole && cell.span && html` rowspan="${count(cell.span.rows)}" colspan="${count(cell.span.columns)}"`}`;
  return scope === null
    ? html`<td${attributes}>${content}</td>`
    : html`<th scope="${scope}" ${attributes}>${content}</th>`;
}

const count = (value: number): number => Math.min(Math.max(Math.trunc(value) || 1, 1), 1000);

function coveredBy(row: number, column: number, span: NonNullable<Cell['span']>): string[] {
  const places: string[] = [];
  for (let down = 0; down < count(span.rows); down += 1)
    for (let right = 0; right < count(span.columns); right += 1) places.push(`${row + down},${column + right}`);
  return places.slice(1);
}
