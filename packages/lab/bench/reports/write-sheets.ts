import { stringify } from './stringify-csv.ts';
import writeExcelFile from 'write-excel-file/node';
import { random as seeded } from './random.ts';
import { sentenceText, type Report, type ReportCell, type ReportTable } from './report.ts';

type SheetCell = {
  value: string | number;
  type?: NumberConstructor | StringConstructor;
  format?: string;
  fontWeight?: 'bold';
  columnSpan?: number;
} | null;

/** A report as a workbook: a sheet per table, the text on one of its own or above the tables. */
export async function xlsxOf(report: Report, seed: number): Promise<Uint8Array> {
  const random = seeded(seed);
  const numbers = random.chance(0.75);
  const oneSheet = random.chance(0.3);
  const text = (value: string, bold = false): SheetCell =>
    value === '' ? null : { value, ...(bold ? { fontWeight: 'bold' as const } : {}) };
  const cell = (one: ReportCell | undefined): SheetCell => {
    if (one === undefined || one.text === '') return null;
    if (!numbers || one.value === undefined) return { value: one.text };
    const decimals = one.decimals ?? 0;
    const places = decimals > 0 ? `.${'0'.repeat(decimals)}` : '';
    return {
      value: one.value,
      type: Number,
      format: one.percent ? `0${places}%` : random.chance(0.5) ? `#,##0${places}` : `#,##0${places};(#,##0${places})`,
    };
  };
  const tableRows = (table: ReportTable): SheetCell[][] => [
    [text(table.unit === '' ? table.title : `${table.title} (${table.unit.replace(/[()]/g, '')})`, true)],
    ...table.header.map((row) => row.map((label) => text(label, true))),
    ...table.rows.map(({ label, cells }) => [
      text(label),
      ...Array.from({ length: table.header[0]!.length - 1 }, (_, column) => cell(cells[column])),
    ]),
    ...table.footnotes.map((note) => [text(note)]),
  ];
  const prose: SheetCell[][] = report.blocks.flatMap((block) =>
    block.kind === 'heading'
      ? [[text(block.text, true)]]
      : block.kind === 'paragraph'
        ? block.sentences.map((sentence) => [text(sentenceText(sentence))])
        : [],
  );
  const tables = report.blocks.filter((block) => block.kind === 'table').map(({ table }) => table);
  const sheets = oneSheet
    ? [
        {
          sheet: 'Report',
          data: [
            [text(report.title, true)],
            [],
            ...prose,
            [],
            ...tables.flatMap((table) => [...tableRows(table), [], []]),
          ],
        },
      ]
    : [
        { sheet: random.pick(['Commentary', 'Summary', 'Report']), data: [[text(report.title, true)], [], ...prose] },
        ...tables.map((table, index) => ({
          sheet: `${index + 1} ${table.title}`.slice(0, 31).replace(/[\\/?*:[\]]/g, ' '),
          data: tableRows(table),
        })),
      ];
  return writeExcelFile(sheets as never).toBuffer();
}

/** One table of a report as CSV, with a title above it or a comment beside it where chance says so. */
export function csvOf(table: ReportTable, seed: number): Uint8Array {
  const random = seeded(seed);
  const delimiter = random.pick([',', ',', ';', '\t']);
  const rows: string[][] = [];
  const unit = table.unit === '' ? '' : ` (${table.unit.replace(/[()]/g, '')})`;
  if (random.chance(0.5)) rows.push([`${table.title}${unit}`], []);
  rows.push(
    ...table.header.map((row, index) =>
      index === 0 && row[0] === '' ? [random.pick(['Item', 'Position', 'Line item']), ...row.slice(1)] : [...row],
    ),
  );
  rows.push(
    ...table.rows
      .filter(({ heading }) => heading !== true)
      .map(({ label, cells }) => [label, ...cells.map(({ text }) => text)]),
  );
  return new TextEncoder().encode(stringify(rows, delimiter));
}
