import { describe, expect, test } from 'vitest';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import type { ReportDocument, Table } from '../../document.ts';
import { readPdf } from './read-pdf.ts';

const tools = { readImageText: null };
type Draw = (pdf: PDFKit.PDFDocument) => void;

async function drawn(draw: Draw): Promise<ReportDocument> {
  return await readPdf(await drawnPdf(draw), 'drawn.pdf', tools);
}

function tablesOf(document: ReportDocument): Table[] {
  return document.blocks.flatMap((block) => (block.table ? [block.table] : []));
}

/** Cells by row, column and text: how many of those drawn were found, and how many of those found were drawn. */
function score(table: Table | undefined, cells: readonly (readonly string[])[]): { recall: number; precision: number } {
  const key = (row: number, column: number, text: string): string => `${row}|${column}|${text}`;
  const expected = new Set(
    cells.flatMap((row, index) => row.flatMap((text, column) => (text === '' ? [] : [key(index, column, text)]))),
  );
  const found = (table?.cells ?? [])
    .filter((cell) => cell.text !== '')
    .map((cell) => key(cell.row, cell.column, cell.text));
  const right = found.filter((cell) => expected.has(cell)).length;
  return { recall: right / expected.size, precision: right / Math.max(1, found.length) };
}

const edges = [50, 250, 350, 450, 550];
const sales = [
  ['Region', 'Q1 2023', 'Q2 2023', 'Q3 2023'],
  ['EMEA', '$1,204', '$1,311', '$1,409'],
  ['APAC', '812', '(39)', '934'],
  ['Americas', '2,040', '2,118', '—'],
  ['Other', '12.5%', '(3.1)%', '0.4%'],
  ['Total', '$4,056', '$3,390', '$2,343'],
];

/** Numbers to the right edge of their column, labels to the left. */
function drawRows(
  pdf: PDFKit.PDFDocument,
  rows: readonly (readonly string[])[],
  top: number,
  options: { ruled?: boolean; split?: boolean; step?: number } = {},
): void {
  const step = options.step ?? 18;
  pdf.fontSize(10);
  for (const [index, row] of rows.entries()) {
    const y = top + index * step;
    for (const [column, text] of row.entries()) {
      if (options.ruled) pdf.rect(edges[column]!, y - 4, edges[column + 1]! - edges[column]!, step).stroke();
      const signed = options.split ? /^\$(.*)$/.exec(text) : null;
      const shown = signed ? signed[1]! : text;
      if (signed) pdf.text('$', edges[column]! + 20, y, { lineBreak: false });
      const x = column === 0 ? edges[0]! + 4 : edges[column + 1]! - 6 - pdf.widthOfString(shown);
      pdf.text(shown, x, y, { lineBreak: false });
    }
  }
}

const prose =
  'The company recorded higher revenue in all regions, and management expects the trend to continue through the ' +
  'coming year as new stores open and prices hold. ';

describe('Tables are recovered from the layout of a page', () => {
  test.each([
    ['ruled', { ruled: true }],
    ['with no lines', {}],
    ['with currency signs set apart', { split: true }],
    ['ruled, with currency signs set apart', { ruled: true, split: true }],
    ['set tight', { step: 12 }],
  ])('a table %s', async (_, options) => {
    const document = await drawn((pdf) => {
      pdf.fontSize(10).text(prose.repeat(3), 50, 60, { width: 500 });
      drawRows(pdf, sales, 200, options);
      pdf.text(prose.repeat(3), 50, 420, { width: 500 });
    });
    expect(tablesOf(document)).toHaveLength(1);
    const [table] = tablesOf(document);
    expect(score(table, sales)).toEqual({ recall: 1, precision: 1 });
    expect(table).toMatchObject({ headerRows: 1, headerColumns: 1 });
    expect(document.blocks.map((block) => block.kind)).toEqual(['paragraph', 'table', 'paragraph']);
  });

  test('labels of several lines belong to the row of their numbers, above or below', async () => {
    const document = await drawn((pdf) => {
      pdf.fontSize(10);
      const put = (y: number, label: string, ...values: string[]): void => {
        pdf.text(label, 50, y, { lineBreak: false });
        for (const [index, value] of values.entries())
          pdf.text(value, 400 + index * 100 - pdf.widthOfString(value), y, { lineBreak: false });
      };
      put(100, '', '2022', '2021');
      put(120, 'Assets:');
      put(140, 'Receivables, net of allowances for doubtful');
      put(152, 'accounts of $23 and $16', '2,065', '1,878');
      put(172, 'Prepaid expenses', '835', '993');
      put(192, 'Reclassification of gains on available-', '(39)', '(8)');
      put(204, 'for-sale securities');
      put(224, 'Total', '2,861', '2,863');
    });
    const expected = [
      ['', '2022', '2021'],
      ['Assets:'],
      ['Receivables, net of allowances for doubtful accounts of $23 and $16', '2,065', '1,878'],
      ['Prepaid expenses', '835', '993'],
      ['Reclassification of gains on available-for-sale securities', '(39)', '(8)'],
      ['Total', '2,861', '2,863'],
    ];
    expect(score(tablesOf(document)[0], expected)).toEqual({ recall: 1, precision: 1 });
  });

  test('numbers set a little off their label, or on a line of their own below it, belong to it', async () => {
    const document = await drawn((pdf) => {
      pdf.fontSize(10);
      const label = (y: number, text: string) => pdf.text(text, 50, y, { lineBreak: false });
      const values = (y: number, ...texts: string[]) =>
        texts.forEach((text, index) =>
          pdf.text(text, 400 + index * 100 - pdf.widthOfString(text), y, { lineBreak: false }),
        );
      values(100, '2024', '2023');
      label(120, 'Net revenue');
      values(123, '17,846', '16,200');
      label(140, 'Cost of sales');
      values(140, '7,988', '7,433');
      label(160, 'Restructuring charges');
      values(174, '130', '—');
      label(194, 'Adjusted income of segments from continuing');
      values(200, '9,728', '8,767');
      label(204, 'Operations');
      label(224, 'Assets:');
      values(238, '5,697', '5,222');
    });
    const expected = [
      ['', '2024', '2023'],
      ['Net revenue', '17,846', '16,200'],
      ['Cost of sales', '7,988', '7,433'],
      ['Restructuring charges', '130', '—'],
      ['Adjusted income of segments from continuing Operations', '9,728', '8,767'],
      ['Assets:'],
      ['', '5,697', '5,222'],
    ];
    expect(score(tablesOf(document)[0], expected)).toEqual({ recall: 1, precision: 1 });
  });

  test('a heading over several columns covers them, ruled or centred', async () => {
    const rows = [
      ['', 'Three Months Ended', '', 'Nine Months Ended', ''],
      ['', '2023', '2022', '2023', '2022'],
      ['Revenue', '1,200', '1,100', '3,500', '3,300'],
      ['Costs', '(800)', '(790)', '(2,400)', '(2,310)'],
      ['Profit', '400', '310', '1,100', '990'],
    ];
    const ends = [0, 270, 350, 450, 530];
    const document = await drawn((pdf) => {
      pdf.fontSize(10);
      for (const [index, row] of rows.entries()) {
        for (const [column, text] of row.entries()) {
          const width = pdf.widthOfString(text);
          const middle = (ends[column]! - 35 + ends[column + 1]!) / 2;
          const x = column === 0 ? 50 : index === 0 ? middle - width / 2 : ends[column]! - width;
          if (text !== '') pdf.text(text, x, 100 + index * 16, { lineBreak: false });
        }
      }
    });
    const [table] = tablesOf(document);
    expect(score(table, rows)).toEqual({ recall: 1, precision: 1 });
    expect(
      table!.cells.filter((cell) => cell.span).map((cell) => [cell.text, cell.column, cell.span!.columns]),
    ).toEqual([
      ['Three Months Ended', 1, 2],
      ['Nine Months Ended', 3, 2],
    ]);
    expect(table!.headerRows).toBe(2);
  });

  test('merged cells of a ruled table span what they cover, and cells of several lines stay whole', async () => {
    const document = await drawn((pdf) => {
      pdf.fontSize(9);
      const cell = (x: number, y: number, width: number, height: number, text: string): void => {
        pdf.rect(x, y, width, height).stroke();
        pdf.text(text, x + 4, y + 4, { width: width - 8 });
      };
      cell(50, 100, 150, 40, 'Measure');
      cell(200, 100, 300, 20, 'Fiscal year');
      cell(200, 120, 150, 20, '2023');
      cell(350, 120, 150, 20, '2022');
      cell(50, 140, 150, 40, 'Adjusted operating margin before one-time items of the year');
      cell(200, 140, 150, 40, '12.5%');
      cell(350, 140, 150, 40, '(1.5)%');
      cell(50, 180, 150, 20, 'Employees');
      cell(200, 180, 150, 20, '1,020');
      cell(350, 180, 150, 20, '980');
    });
    const [table] = tablesOf(document);
    const expected = [
      ['Measure', 'Fiscal year'],
      ['', '2023', '2022'],
      ['Adjusted operating margin before one-time items of the year', '12.5%', '(1.5)%'],
      ['Employees', '1,020', '980'],
    ];
    expect(score(table, expected)).toEqual({ recall: 1, precision: 1 });
    expect(table!.cells.find((cell) => cell.text === 'Fiscal year')!.span).toEqual({ rows: 1, columns: 2 });
    expect(table!.cells.find((cell) => cell.text === 'Measure')!.span).toEqual({ rows: 2, columns: 1 });
  });

  test('a table in a column of a two-column page is found, and the prose beside it is not part of it', async () => {
    const document = await drawn((pdf) => {
      pdf.fontSize(9).text(prose.repeat(9), 50, 80, { width: 240 });
      pdf.text(prose.repeat(4), 320, 80, { width: 240 });
      const rows = [
        ['Segment', '2023', '2022'],
        ['Cloud', '401', '377'],
        ['Devices', '95', '(12)'],
        ['Total', '496', '365'],
      ];
      for (const [index, row] of rows.entries()) {
        for (const [column, text] of row.entries())
          pdf.text(text, column === 0 ? 320 : 440 + column * 50 - pdf.widthOfString(text), 260 + index * 14, {
            lineBreak: false,
          });
      }
    });
    const [table, ...others] = tablesOf(document);
    expect(others).toEqual([]);
    expect(
      score(table, [
        ['Segment', '2023', '2022'],
        ['Cloud', '401', '377'],
        ['Devices', '95', '(12)'],
        ['Total', '496', '365'],
      ]),
    ).toEqual({ recall: 1, precision: 1 });
    expect(document.text.startsWith(prose.repeat(9).trim())).toBe(true);
  });

  test('prose, lists and headings are no tables', async () => {
    const document = await drawn((pdf) => {
      pdf.fontSize(18).text('Annual report', 50, 60);
      pdf.fontSize(10).text(prose.repeat(6), 50, 100, { width: 500, align: 'justify' });
      for (const [index, item] of ['Open ten stores', 'Cut costs by 5 %', 'Hire 40 people'].entries()) {
        pdf.text('•', 60, 300 + index * 14, { lineBreak: false });
        pdf.text(item, 80, 300 + index * 14, { lineBreak: false });
      }
    });
    expect(document.blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'list']);
    expect(document.text.endsWith('Open ten stores\nCut costs by 5 %\nHire 40 people')).toBe(true);
  });

  test('a footnote mark stays apart from the number it stands at', async () => {
    const document = await drawn((pdf) => {
      drawRows(pdf, sales, 100);
      pdf.fontSize(6).text('1', 344.5, 117, { lineBreak: false });
    });
    expect(tablesOf(document)[0]!.cells.find((cell) => cell.row === 1 && cell.column === 1)!.text).toBe('$1,204¹');
  });

  test(
    'of many tables drawn at random, at least 95 % of the cells are found, and of those found at least 95 % ' +
      'are right',
    async () => {
      let seed = 5;
      const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
      const labels = [
        'Net sales',
        'Cost of goods sold',
        'Gross profit',
        'Selling, general and administrative',
        'Operating income',
        'Interest expense',
        'Income taxes',
        'Net income',
        'Depreciation and amortization',
      ];
      const amount = (): string => {
        const value = (random(90_000) + 100).toLocaleString('en');
        return [value, `(${value})`, `$${value}`, `${random(99)}.${random(9)}%`, '—', `$(${value})`][random(6)]!;
      };
      const scores: { recall: number; precision: number }[] = [];
      for (let round = 0; round < 40; round += 1) {
        const columns = 1 + random(6);
        const rows = [
          ['', ...Array.from({ length: columns }, (_, index) => String(2023 - index))],
          ...labels.slice(0, 3 + random(7)).map((label) => [label, ...Array.from({ length: columns }, amount)]),
        ];
        const [ruled, apart, size, right] = [random(3) === 0, random(2) === 0, 7 + random(5), random(4) > 0];
        const [step, width] = [size * (1.2 + random(10) / 10), Math.min(90, 330 / columns)];
        const document = await drawn((pdf) => {
          pdf.fontSize(size).text(prose.repeat(1 + random(4)), 50, 60, { width: 510 });
          const top = pdf.y + 20;
          for (const [index, row] of rows.entries()) {
            for (const [column, text] of row.entries()) {
              const [x, wide] = column === 0 ? [50, 180] : [230 + (column - 1) * width, width];
              if (ruled) pdf.rect(x, top + index * step - 2, wide, step).stroke();
              const sign = apart && column > 0 && text.startsWith('$') ? '$' : '';
              const shown = text.slice(sign.length);
              if (sign !== '') pdf.text(sign, x + 6, top + index * step, { lineBreak: false });
              if (shown !== '')
                pdf.text(
                  shown,
                  column === 0 || !right ? x + (column === 0 ? 3 : 14) : x + wide - 5 - pdf.widthOfString(shown),
                  top + index * step,
                  { lineBreak: false },
                );
            }
          }
          pdf.text(prose.repeat(2), 50, top + rows.length * step + 20, { width: 510 });
        });
        const best = tablesOf(document)
          .map((table) => score(table, rows))
          .toSorted((one, other) => other.recall - one.recall)[0] ?? { recall: 0, precision: 0 };
        scores.push(best);
      }
      const mean = (key: 'recall' | 'precision'): number =>
        scores.reduce((sum, one) => sum + one[key], 0) / scores.length;
      expect(mean('recall')).toBeGreaterThanOrEqual(0.95);
      expect(mean('precision')).toBeGreaterThanOrEqual(0.95);
    },
  );
});
