import { classes, panels } from '../../../components/tones.ts';
import { type Block, type Cell, type ReportDocument, sideTitles, sideTones } from '../analysis-types.ts';
import type { Highlight } from './highlights.ts';

/** No number is longer. */
const longest = 60;
// Bounded: of the longest number.
const number = /^[\s(+−-]*[$€£¥]?\s*[\d.,'  ]+\s*(?:%|pp)?\)?\s*$/u;
const numbered =
  'sticky left-0 z-10 w-12 flex-none border-r border-b bg-paper px-2 py-1 text-right text-xs leading-6 text-quiet ' +
  'tabular-nums';

export function isNumber({ text }: Cell): boolean {
  return text.length <= longest && number.test(text);
}

export function textLook({ kind, level }: Block): string {
  if (kind !== 'heading') return 'py-1.5';
  return `pt-4 pb-1 font-serif ${level === 1 ? 'text-2xl' : 'text-xl'}`;
}

export function ColumnNames({ sheet }: { sheet: ShownTable }) {
  return (
    <div className="flex w-fit text-quiet" aria-hidden>
      <span className={numbered} />
      {sheet.columns.map(({ width, name }, column) => (
        <span
          key={column}
          className="flex-none border-r border-b bg-paper px-2 py-1 text-center leading-6"
          style={{ width: `${width}ch` }}
        >
          <span className="text-xs">{name}</span>
        </span>
      ))}
    </div>
  );
}

/** A row of a table. A cited cell is a button: it leads back to who cites it. */
export function TableRow({
  sheet,
  row,
  highlights,
  pointed,
  onPick,
}: {
  sheet: ShownTable;
  row: number;
  highlights: readonly Highlight[];
  pointed: string | null;
  onPick: (id: string) => void;
}) {
  const { headerRows, headerColumns } = sheet.block.table!;
  const cells = sheet.rows.get(row) ?? [];
  const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
  const rowNumber = cells.find(({ address }) => address)?.address?.replace(/^\D+/, '') ?? String(row + 1);
  return (
    <div className="flex w-fit">
      <span className={numbered}>{rowNumber}</span>
      {sheet.columns.map(({ width: own }, column) => {
        const cell = byColumn.get(column);
        const width = cell?.span
          ? sheet.columns.slice(column, column + cell.span.columns).reduce((sum, each) => sum + each.width, 0)
          : own;
        if (!cell && cells.some(({ column: from, span }) => span && from < column && column < from + span.columns))
          return null;
        const cited = cell
          ? highlights.filter(({ grounding }) =>
              grounding.cells.some((each) => each.row === cell.row && each.column === cell.column),
            )
          : [];
        const look = classes(
          'flex-none truncate border-r border-b px-2 py-1 leading-6',
          cell && isNumber(cell) ? 'text-right tabular-nums' : 'text-left',
          (row < headerRows || column < headerColumns) && 'font-medium',
          row < headerRows && cited.length === 0 && 'bg-paper',
        );
        return cell && cited.length > 0 ? (
          <CitedCell
            key={column}
            cell={cell}
            cited={cited}
            look={look}
            width={width}
            pointed={pointed}
            onPick={onPick}
          />
        ) : (
          <span
            key={column}
            className={look}
            style={{ width: `${width}ch` }}
            title={cell && cell.text.length > width ? cell.text : undefined}
          >
            {cell?.text}
          </span>
        );
      })}
    </div>
  );
}

function CitedCell({
  cell,
  cited,
  look,
  width,
  pointed,
  onPick,
}: {
  cell: Cell;
  cited: readonly Highlight[];
  look: string;
  width: number;
  pointed: string | null;
  onPick: (id: string) => void;
}) {
  const active = cited.find(({ id }) => id === pointed);
  const { id, side, title } = active ?? cited[0]!;
  return (
    <button
      type="button"
      className={classes(
        look,
        'border-b-2',
        panels[sideTones[side]],
        active && 'relative z-5 outline-2 -outline-offset-1 outline-link',
      )}
      style={{ width: `${width}ch` }}
      title={`${cell.text} (${title})`}
      aria-label={`${cell.text}, ${cell.address ?? ''} ${title}, ${sideTitles[side]}`}
      aria-pressed={active !== undefined}
      onClick={() => onPick(id)}
      data-mark={id}
      data-cell={cell.address ?? `${cell.row}:${cell.column}`}
      data-active={active ? true : undefined}
    >
      {cell.text || ' '}
    </button>
  );
}

/** What a document that has no pages is shown as, line by line: its texts, and the rows of its tables. */
export type ShownLine =
  | { kind: 'sheet'; name: string }
  | { kind: 'page'; number: number }
  | { kind: 'text'; block: Block }
  | { kind: 'columns'; sheet: ShownTable }
  | { kind: 'row'; block: Block; row: number; sheet: ShownTable };

/** A table with the widths of its columns, in letters. */
interface ShownTable {
  block: Block;
  rows: ReadonlyMap<number, readonly Cell[]>;
  columns: readonly { width: number; name: string | null }[];
  /** The number of its first row in the file; null where the file does not number them. */
  numbers: boolean;
}

const widthLimits = { least: 6, most: 44 };
const rowsMeasured = 300;

export function listRowLines({ blocks, text }: ReportDocument): ShownLine[] {
  let sheet: string | undefined;
  let page: number | undefined;
  return blocks.flatMap((block): ShownLine[] => {
    const lines: ShownLine[] = [];
    if (block.sheet !== undefined && block.sheet !== sheet) {
      sheet = block.sheet;
      // Where the sheet's own first line says it, once is enough.
      if (block.kind !== 'heading' || text.slice(block.start, block.end).trim() !== sheet)
        lines.push({ kind: 'sheet', name: sheet });
    }
    if (block.page !== undefined && block.page !== page) lines.push({ kind: 'page', number: (page = block.page) });
    if (!block.table) return [...lines, { kind: 'text', block }];
    const table = layOutTable(block);
    if (table.numbers) lines.push({ kind: 'columns', sheet: table });
    for (let row = 0; row < block.table.rows; row += 1) lines.push({ kind: 'row', block, row, sheet: table });
    return lines;
  });
}

function layOutTable(block: Block): ShownTable {
  const { cells, columns } = block.table!;
  const rows = Map.groupBy(cells, ({ row }) => row);
  const widths = Array.from({ length: columns }, () => widthLimits.least);
  const names = Array.from({ length: columns }, (): string | null => null);
  for (const { row, column, text, span, address } of cells) {
    if (row < rowsMeasured && (span?.columns ?? 1) === 1)
      widths[column] = Math.min(widthLimits.most, Math.max(widths[column] ?? 0, text.length + 3));
    names[column] ??= address?.replace(/(?<!\d)\d+$/, '') ?? null;
  }
  return {
    block,
    rows,
    columns: widths.map((width, index) => ({ width, name: names[index] ?? null })),
    numbers: names.some((name) => name !== null),
  };
}
