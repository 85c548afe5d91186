import type { Block, Cell, ReportDocument } from '../trace/types.ts';

/** What a document that has no pages is shown as, line by line: its texts, and the rows of its tables. */
export type ShownLine =
  | { kind: 'sheet'; name: string }
  | { kind: 'page'; number: number }
  | { kind: 'text'; block: Block }
  | { kind: 'columns'; sheet: ShownTable }
  | { kind: 'row'; block: Block; row: number; sheet: ShownTable };

/** A table with the widths of its columns, in letters. */
export interface ShownTable {
  block: Block;
  rows: ReadonlyMap<number, readonly Cell[]>;
  columns: readonly { width: number; name: string | null }[];
  /** The number of its first row in the file; null where the file does not number them. */
  numbers: boolean;
}

const widthLimits = { least: 6, most: 44 };
const rowsMeasured = 300;

export function listLines({ blocks, text }: ReportDocument): ShownLine[] {
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
    names[column] ??= address?.replace(/\d+$/, '') ?? null;
  }
  return {
    block,
    rows,
    columns: widths.map((width, index) => ({ width, name: names[index] ?? null })),
    numbers: names.some((name) => name !== null),
  };
}
