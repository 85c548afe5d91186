import { describe, expect, test } from 'vitest';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import type { ReportDocument, Table } from '../../document.ts';
import { readPdf } from './read-pdf.ts';

type Pdf = PDFKit.PDFDocument;
type Rows = readonly (readonly string[])[];

const drawn = async (draw: (pdf: Pdf) => void): Promise<ReportDocument> =>
  await readPdf(await drawnPdf(draw), 'drawn.pdf', { readImageText: null });
const tablesOf = (document: ReportDocument): Table[] =>
  document.blocks.flatMap((block) => (block.table ? [block.table] : []));
const outline = (document: ReportDocument) =>
  document.blocks.map((block) => [block.kind, document.text.slice(block.start, block.end)]);
const rowsOf = (table: Table): string[] =>
  Array.from({ length: table.rows }, (_, row) =>
    table.cells
      .filter((cell) => cell.row === row)
      .map((cell) => cell.text + (cell.span ? `{${cell.span.columns}}` : ''))
      .join(' | '),
  );

/** Labels at `left`, numbers up to `ends`. */
function put(
  pdf: Pdf,
  rows: Rows,
  {
    left = 50,
    ends,
    top,
    step = 16,
    size = 10,
  }: { left?: number; ends: readonly number[]; top: number; step?: number; size?: number },
): void {
  for (const [index, row] of rows.entries()) {
    for (const [column, text] of row.entries()) {
      const x = column === 0 ? left : ends[column - 1]! - pdf.fontSize(size).widthOfString(text);
      if (text !== '') pdf.fontSize(size).text(text, x, top + index * step, { lineBreak: false });
    }
  }
}

const revenue = [
  ['', '2024', '2023'],
  ['North', '5,120', '4,880'],
  ['South', '2,430', '2,610'],
  ['Total revenue', '7,550', '7,490'],
];
const people = [
  ['Indicator', '2024', '2023'],
  ['Employees', '1,204', '1,180'],
  ['Stores', '86', '81'],
];
const sentences =
  'Revenue rose in the north while the south lost ground to cheaper competitors. Prices held through the year, ' +
  'and the new stores opened on time. ';

describe('Tables and what stands beside them', () => {
  test('a table under another, with other columns and a title, is a table of its own', async () => {
    const document = await drawn((pdf) => {
      pdf.text('Revenue by region', 50, 80);
      put(pdf, revenue, { ends: [300, 400], top: 100 });
      pdf.font('Helvetica-Bold').text('Key figures', 50, 180, { lineBreak: false });
      pdf.font('Helvetica');
      put(pdf, people, { ends: [330, 470], top: 200 });
    });
    expect(tablesOf(document).map(rowsOf)).toEqual([revenue, people].map((rows) => rows.map((row) => row.join(' | '))));
    expect(tablesOf(document)[1]).toMatchObject({ caption: 'Key figures', headerRows: 1 });
  });

  test('prose beside a table in the other column of a page is read by itself', async () => {
    const document = await drawn((pdf) => {
      pdf.fontSize(11).text(sentences.repeat(3).trim(), 50, 100, { width: 230 });
      put(pdf, [...revenue, ...people.slice(1)], { left: 320, ends: [470, 550], top: 101, step: 17, size: 8 });
    });
    expect(outline(document)[0]).toEqual(['paragraph', sentences.repeat(3).trim()]);
    expect(tablesOf(document).map(rowsOf)).toEqual([[...revenue, ...people.slice(1)].map((row) => row.join(' | '))]);
  });

  test('words that justified lines set far apart are no cells', async () => {
    const text =
      'The board recommends unconditionally internationalisation of wholesale infrastructure through ' +
      'telecommunications partnerships. Revenue rose.';
    const document = await drawn((pdf) => pdf.fontSize(11).text(text, 50, 100, { width: 190, align: 'justify' }));
    expect(outline(document)).toEqual([['paragraph', text]]);
  });

  test('names of narrow columns that stand as near as words are names of one column each', async () => {
    const rows = [
      ['Region', 'Q1 2024', 'Q2 2024', 'Q3 2024', 'Gross profit', 'Operating profit'],
      ['North', '1,120', '1,180', '1,205', '3,505', '2,201'],
      ['South', '980', '1,002', '1,040', '3,022', '1,870'],
    ];
    const document = await drawn((pdf) => put(pdf, rows, { ends: [200, 241, 282, 343, 420], top: 100 }));
    expect(tablesOf(document).map(rowsOf)).toEqual([rows.map((row) => row.join(' | '))]);
  });

  test('the names of a ruled table belong to it where they stand above its columns, in two lines or over several', async () => {
    const edges = [50, 150, 230, 310, 390, 470];
    const line = (pdf: Pdf, fromX: number, fromY: number, toX: number, toY: number) =>
      pdf.moveTo(fromX, fromY).lineTo(toX, toY).lineWidth(0.5).stroke();
    const body = [
      ['North', '5,120', '4,880', '410', '395'],
      ['South', '2,430', '2,610', '190', '205'],
    ];
    const ends = edges.slice(2).map((edge) => edge - 4);
    const frame = (pdf: Pdf, head: number) => {
      for (const y of [head, 125, 143, 161]) line(pdf, 50, y, 470, y);
      for (const x of edges) line(pdf, x, 110, x, 161);
      put(pdf, body, { left: 54, ends, top: 129, step: 18 });
    };
    const [twoLines, grouped] = [
      await drawn((pdf) => {
        frame(pdf, 96);
        put(
          pdf,
          [
            ['Region', 'Sales', 'Sales', 'Operating', 'Operating'],
            ['', '2024', '2023', 'result 2024', 'result 2023'],
          ],
          { left: 54, ends, top: 99, step: 12 },
        );
      }),
      await drawn((pdf) => {
        frame(pdf, 110);
        put(pdf, [['Region', '2024', '2023', '2024', '2023']], { left: 54, ends, top: 113 });
        for (const [text, middle] of [
          ['Revenue', 230],
          ['Operating profit', 390],
        ] as const)
          pdf.text(text, middle - pdf.widthOfString(text) / 2, 96, { lineBreak: false });
      }),
    ];
    expect(tablesOf(twoLines).map(rowsOf)).toEqual([
      [
        'Region | Sales 2024 | Sales 2023 | Operating result 2024 | Operating result 2023',
        ...body.map((row) => row.join(' | ')),
      ],
    ]);
    expect(tablesOf(grouped).map(rowsOf)).toEqual([
      [
        ' | Revenue{2} | Operating profit{2}',
        'Region | 2024 | 2023 | 2024 | 2023',
        ...body.map((row) => row.join(' | ')),
      ],
    ]);
    expect(tablesOf(grouped)[0]).toMatchObject({ headerRows: 2 });
  });

  test('a short paragraph between tables of small print is no heading, and a bold title under it no part of it', async () => {
    const document = await drawn((pdf) => {
      put(pdf, [...revenue, ...revenue.slice(1), ...revenue.slice(1)], { ends: [300, 400], top: 80, size: 8 });
      pdf.fontSize(11).text('Costs rose by roughly six per cent.', 50, 260, { lineBreak: false });
      pdf.font('Helvetica-Bold').text('Key figures', 50, 274, { lineBreak: false });
      pdf.font('Helvetica');
      put(pdf, people, { ends: [330, 470], top: 294, size: 8 });
    });
    expect(outline(document).slice(1, 3)).toEqual([
      ['paragraph', 'Costs rose by roughly six per cent.'],
      ['heading', 'Key figures'],
    ]);
  });
});
