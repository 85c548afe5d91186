import { degrees, PDFDocument } from 'pdf-lib';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, test } from 'vitest';
import { quarterlyAnalysis } from '@agonhq/test/fixtures/analyses.ts';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import { renderReportFile } from '@agonhq/core/app';
import { ingestDocument, type Analysis } from '../index.ts';
import { placeNotes, toPageCoordinates } from './place-notes.ts';

const hostile = ['=HYPERLINK("http://x.example","pay")', '+1', '-1+1', '@SUM(A1)', '\t=1', '|calc', '%x', '＝1'];
const withClaims = (texts: readonly string[]): Analysis => ({
  ...quarterlyAnalysis,
  numbers: [],
  claims: texts.map((text) => ({
    ...quarterlyAnalysis.claims[0]!,
    numbers: [],
    subject: { ...quarterlyAnalysis.claims[0]!.subject, text },
  })),
});
const noOcr = { readImageText: null };

describe('the findings as a table', () => {
  test('have one row each, the contradicted first, with arithmetic, page and cells', async () => {
    const bytes = await renderReportFile(quarterlyAnalysis, 'xlsx');
    const document = await ingestDocument(bytes, 'findings.xlsx', noOcr);
    const { cells } = document.blocks.find(({ sheet, table }) => sheet === 'Findings' && table)!.table!;
    const row = (number: number) => cells.filter((cell) => cell.row === number).map(({ text }) => text);
    expect(row(0).slice(0, 3)).toEqual(['No.', 'Verdict', 'Finding']);
    expect(row(1)[1]).toBe('Contradicted');
    expect(row(1)[4]).toContain('(4,600 − 4,000) / 4,000 = 15.0 %, stated 51 %');
    expect(row(1)[6]).toContain('sheet Income statement, C3');
    expect(row(3)[1]).toBe('Numbers conflict');
    expect(document.text).toContain(quarterlyAnalysis.seal);
  });

  test.each(hostile)('hold %j as text: a spreadsheet computes nothing', async (text) => {
    const analysis = withClaims([text]);
    const csv = new TextDecoder().decode(await renderReportFile(analysis, 'csv'));
    const cell = csv.split('\n')[1]!.split(',')[2]!;
    expect(cell.replace(/^"/u, '')).toMatch(/^'/u);
    const { unzipSync } = await import('fflate');
    const files = unzipSync(await renderReportFile(analysis, 'xlsx'));
    for (const [path, file] of Object.entries(files))
      if (path.startsWith('xl/worksheets/')) expect(Buffer.from(file).toString()).not.toContain('<f>');
  });

  test('survive letters that XML cannot hold, and texts that no cell holds', async () => {
    const bytes = await renderReportFile(withClaims(['\u0000\u0008\ud800 <b>&', 'x'.repeat(50_000)]), 'xlsx');
    expect((await ingestDocument(bytes, 'findings.xlsx', noOcr)).text).toContain('<b>&');
  });
});

describe('the annotated copy', () => {
  const report = (turned = 0) =>
    drawnPdf((pdf) => pdf.text('Aurora grew by 51 % in the third quarter of 2024.')).then(async (bytes) => {
      const pdf = await PDFDocument.load(bytes);
      pdf.getPage(0).setRotation(degrees(turned));
      return await pdf.save();
    });
  async function annotate(bytes: Uint8Array) {
    const document = await ingestDocument(bytes, 'report.pdf', noOcr);
    const [claim] = quarterlyAnalysis.claims;
    const block = document.blocks[0]!;
    const origin = { block: `report.pdf#${block.id}`, start: block.start, end: block.end };
    const analysis: Analysis = {
      ...quarterlyAnalysis,
      documents: [document],
      numbers: [],
      claims: [{ ...claim!, numbers: [], subject: { ...claim!.subject, origin } }],
    };
    const task = getDocument({
      data: await renderReportFile(analysis, 'annotated', async (hash) => (hash === document.hash ? bytes : null)),
      verbosity: 0,
    });
    const pdf = await task.promise;
    const pages = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      pages.push({
        width: page.getViewport({ scale: 1 }).width,
        text: items.map((item) => ('str' in item ? item.str : '')).join(' '),
        items: items.flatMap((item) =>
          'str' in item
            ? [{ words: item.str, left: item.transform[4] as number, bottom: item.transform[5] as number }]
            : [],
        ),
      });
    }
    await task.destroy();
    return { pages, width: document.pages![0]!.width };
  }

  test('has the findings in a margin beside the page', async () => {
    const { pages, width } = await annotate(await report());
    expect(pages).toHaveLength(1);
    expect(pages[0]!.width).toBeGreaterThan(width + 100);
    expect(pages[0]!.text).toContain('1 Contradicted');
    // The number of a claim stands above its first letter, and not on the word before it.
    const find = (words: RegExp) => pages[0]!.items.find((item) => words.test(item.words))!;
    const [number, claim] = [find(/^1$/), find(/^Aurora/)];
    expect(number.left).toBeCloseTo(claim.left, 0);
    expect(number.bottom - claim.bottom).toBeGreaterThan(7);
  });

  test('of a turned page has them at its end', async () => {
    const { pages, width } = await annotate(await report(90));
    expect(pages.map(({ width: across }) => Math.round(across))).toEqual([Math.round(width), 595]);
    expect(pages[1]!.text).toContain('Further findings');
    expect(pages[1]!.text).toContain('Contradicted');
  });

  test('is refused in one line without a PDF, or without the file', async () => {
    await expect(renderReportFile(quarterlyAnalysis, 'annotated')).rejects.toMatchObject({ code: 'cannot-annotate' });
    const documents = quarterlyAnalysis.documents.filter(({ kind }) => kind !== 'pdf');
    const sheets: Analysis = { ...quarterlyAnalysis, documents };
    await expect(renderReportFile(sheets, 'annotated')).rejects.toMatchObject({
      code: 'cannot-annotate',
      message: expect.stringContaining('no PDF'),
    });
    await expect(
      renderReportFile(quarterlyAnalysis, 'annotated', async () => Buffer.from('%PDF-1.7 garbage')),
    ).rejects.toMatchObject({ code: 'cannot-annotate' });
  });
});

test.each([
  [0, { x: 10, y: 765, width: 30, height: 15 }],
  [90, { x: 20, y: 10, width: 15, height: 30 }],
  [180, { x: 560, y: 20, width: 30, height: 15 }],
  [270, { x: 565, y: 760, width: 15, height: 30 }],
])('a box on a page turned by %d° is found in its own coordinates', (turned, expected) => {
  const frame = { x: 0, y: 0, width: 600, height: 800, turned };
  expect(toPageCoordinates({ x: 10, y: 20, width: 30, height: 15 }, frame)).toEqual(expected);
});

test('notes stand beside their place, never over one another, and those without room are left over', () => {
  const notes = [700, 100, 105, 780, 790].map((y) => ({ x: 0, y, height: 40 }));
  const { placed, left } = placeNotes(notes, { top: 20, bottom: 800, gap: 5 });
  expect(placed.map(({ y }) => y)).toEqual([100, 145, 665, 710, 755]);
  expect(left).toEqual([]);
  const many = Array.from({ length: 30 }, (_, y) => ({ x: 0, y, height: 40 }));
  expect(placeNotes(many, { top: 20, bottom: 800, gap: 5 }).left).toHaveLength(13);
});
