import { describe, expect, test } from 'vitest';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import type { PdfLine } from './build-lines.ts';
import { findRunningLines } from './join-pages.ts';
import { readPdf } from './read-pdf.ts';

const ends = [0, 380, 480, 580];
const header = ['', '2024', '2023', '2022'];
const upper = Array.from({ length: 12 }, (_, row) => [
  `Region ${String.fromCodePoint(65 + row)}`,
  `${1000 + row}`,
  `${900 + row}`,
  `(${800 + row})`,
]);
const lower = [
  ['Region N', '1,020', '920', '(820)'],
  ['Region O', '1,021', '921', '(821)'],
  ['Total', '14,107', '12,707', '(11,307)'],
];

function put(pdf: PDFKit.PDFDocument, rows: readonly (readonly string[])[], top: number, shift = 0): void {
  pdf.fontSize(10);
  for (const [index, row] of rows.entries()) {
    for (const [column, text] of row.entries()) {
      const hang = text.endsWith(')') ? pdf.widthOfString(')') : 0;
      const x = column === 0 ? 50 : ends[column]! + shift + hang - pdf.widthOfString(text);
      if (text !== '') pdf.text(text, x, top + index * 16, { lineBreak: false });
    }
  }
}

async function tablesOn(second: (pdf: PDFKit.PDFDocument) => void, first = upper) {
  const bytes = await drawnPdf((pdf) => {
    pdf.fontSize(10).text('Revenue by region (in millions)', 50, 480, { lineBreak: false });
    put(pdf, [header, ...first], 500);
    pdf.addPage();
    second(pdf);
  });
  const document = await readPdf(bytes, 'report.pdf', { readImageText: null });
  return document.blocks.filter((block) => block.table);
}

describe('A table that is split over two pages', () => {
  test('keeps its header and its unit, and its rows their pages', async () => {
    const blocks = await tablesOn((pdf) => put(pdf, lower, 60));
    expect(blocks).toHaveLength(1);
    expect(blocks[0]!.table).toMatchObject({
      rows: 16,
      columns: 4,
      headerRows: 1,
      caption: 'Revenue by region (in millions)',
    });
    expect(blocks[0]!.sentences.at(-1)).toMatchObject({
      narrative: 'Total was 14,107 in 2024, 12,707 in 2023 and (11,307) in 2022 (in millions).',
      boxes: [{ page: 2 }],
    });
    expect(blocks[0]!.sentences[1]!.boxes).toMatchObject([{ page: 1 }]);
  });

  test('is one table when its header is repeated', async () => {
    const blocks = await tablesOn((pdf) => put(pdf, [header, ...lower], 60));
    expect(blocks.map((block) => block.table!.rows)).toEqual([16]);
    expect(blocks[0]!.table!.cells.filter((cell) => cell.text === '2024')).toHaveLength(1);
  });

  test('is two tables when the first ends in its total and the second has a header, the same one', async () => {
    const closed = [...upper.slice(1), ['Total', '11,066', '9,966', '(8,866)']];
    expect(await tablesOn((pdf) => put(pdf, [header, ...lower], 60), closed)).toHaveLength(2);
  });

  test.each([
    ['has a header of its own', (pdf: PDFKit.PDFDocument) => put(pdf, [['', '2021', '2020', '2019'], ...lower], 60)],
    ['has a title of its own', (pdf: PDFKit.PDFDocument) => put(pdf, [['Costs by region', '', '', ''], ...lower], 60)],
    ['has other columns', (pdf: PDFKit.PDFDocument) => put(pdf, lower, 60, -40)],
    [
      'has fewer columns',
      (pdf: PDFKit.PDFDocument) =>
        put(
          pdf,
          lower.map((row) => row.slice(0, 3)),
          60,
        ),
    ],
    [
      'stands below a text',
      (pdf: PDFKit.PDFDocument) => put(pdf.fontSize(10).text('The table below is another one.', 50, 50), lower, 90),
    ],
  ])('is another table when the second %s', async (_, second) => {
    expect(await tablesOn(second)).toHaveLength(2);
  });
});

describe('Running heads and feet', () => {
  const height = 800;
  const lineAt = (y: number, text: string): PdfLine =>
    ({ text, x: 50, y, width: 200, height: 10, baseline: y + 8, size: 10, segments: [{ text }] }) as never;
  /** What is taken for running on pages of these lines, each with its distance from the top. */
  const running = (...pages: (readonly [number, string])[][]): string[] => {
    const all = pages.map((lines, index) => ({
      number: index + 1,
      height,
      lines: lines.map(([y, text]) => lineAt(y, text)),
    }));
    return [...findRunningLines(all)].map(({ text }) => text);
  };
  const body = [400, 'Something else.'] as const;

  test('are lines that come again at the edge of three pages, and not of two', () => {
    const page = [[20, 'Annual report'], body] as [number, string][];
    expect(running(page, page)).toEqual([]);
    expect(running(page, page, page)).toEqual(['Annual report', 'Annual report', 'Annual report']);
  });

  test('stand at the same height', () => {
    const pages = [20, 24, 50].map((y) => [[y, 'Annual report'], body] as [number, string][]);
    expect(running(...pages)).toEqual([]);
    expect(running(...[20, 24, 26].map((y) => [[y, 'Annual report'], body] as [number, string][]))).toHaveLength(3);
  });

  test('may count, and years or quarters tell one from another', () => {
    const headed = (titles: string[]) => running(...titles.map((title) => [[20, title], body] as [number, string][]));
    expect(headed(['Chapter 1', 'Chapter 2', 'Chapter 3'])).toHaveLength(3);
    expect(headed(['Report 2021', 'Report 2022', 'Report 2023'])).toEqual([]);
    expect(headed(['Results Q1', 'Results Q2', 'Results Q3'])).toEqual([]);
  });

  test('are no lines in the middle of the page, however often they come', () => {
    const page = [body, [500, 'Note']] as [number, string][];
    expect(running(page, page, page)).toEqual([]);
  });

  test('are page numbers that count on, of two pages too', () => {
    const numbered = (...numbers: string[]) =>
      running(...numbers.map((number) => [body, [780, number]] as [number, string][]));
    expect(numbered('7', '8')).toEqual(['7', '8']);
    expect(numbered('Page 7 of 9', '– 8 –')).toHaveLength(2);
    expect(numbered('7', '9')).toEqual([]);
  });
});
