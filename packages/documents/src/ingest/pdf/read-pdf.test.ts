import { createCanvas } from '@napi-rs/canvas';
import { degrees, PDFDocument as EditedPdf, StandardFonts } from 'pdf-lib';
import { afterAll, describe, expect, test } from 'vitest';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import { slowTest } from '@agonhq/test/support/slow.ts';
import { closeImageModels, readImageText } from '@agonhq/models/senses';
import type { ReportDocument } from '../../document.ts';
import { readPdf } from './read-pdf.ts';

const tools = { readImageText: null };
const prose =
  'The company recorded higher revenue in all regions, and management expects the trend to continue through the ' +
  'coming year as new stores open and prices hold. ';

function expectBoxesOnPages(document: ReportDocument): void {
  for (const sentence of document.blocks.flatMap((block) => block.sentences)) {
    expect(sentence.boxes?.length).toBeGreaterThan(0);
    for (const box of sentence.boxes!) {
      const page = document.pages![box.page - 1]!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(page.width);
      expect(box.y + box.height).toBeLessThanOrEqual(page.height);
    }
  }
}

/** A page that is one image of text, as a scanner makes it. */
function scan(lines: readonly string[]): Buffer {
  const canvas = createCanvas(1224, 1584);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, 1224, 1584);
  context.fillStyle = 'black';
  context.font = '36px sans-serif';
  for (const [index, line] of lines.entries()) context.fillText(line, 120, 200 + index * 60);
  return canvas.toBuffer('image/png');
}

describe('A PDF is read in the order a person reads it', () => {
  test('a two-column page goes down the left column first, under a heading across both', async () => {
    const left = `Left column. ${prose.repeat(5)}`.trim();
    const right = `Right column. ${prose.repeat(5)}`.trim();
    const bytes = await drawnPdf((pdf) => {
      pdf.fontSize(20).text('Annual review of the business in all regions', 50, 50);
      pdf.fontSize(10).text(left, 50, 100, { width: 240 });
      pdf.text(right, 320, 106, { width: 240 });
    });
    const document = await readPdf(bytes, 'columns.pdf', tools);
    expect(document.text).toBe(`Annual review of the business in all regions\n\n${left}\n\n${right}`);
    expect(document.blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'paragraph']);
    expectBoxesOnPages(document);
  });

  test('running heads, feet and page numbers stay out, and a sentence goes on across pages', async () => {
    const bytes = await drawnPdf((pdf) => {
      for (let page = 1; page <= 4; page += 1) {
        if (page > 1) pdf.addPage();
        pdf
          .fontSize(8)
          .text('Example Corp. Annual report', 50, 55, { lineBreak: false })
          .text(String(page + 10), 300, 730, { lineBreak: false });
        pdf
          .fontSize(10)
          .text(
            page === 2
              ? 'through the next year, as it said before in its report of last spring.'
              : `${prose.repeat(2)}On page ${page} the company also expects the trend to go on`,
            50,
            100,
            { width: 500 },
          );
      }
    });
    const document = await readPdf(bytes, 'running.pdf', tools);
    expect(document.text).not.toContain('Example Corp.');
    expect(document.text).not.toMatch(/\b1[1-4]\b/);
    expect(document.text).toContain(
      'On page 1 the company also expects the trend to go on through the next year, as it said before',
    );
    expect(document.notes).toContain('Running heads, feet and page numbers were left out (8 lines).');
    const across = document.blocks[0]!.sentences.at(-1)!;
    expect(new Set(across.boxes!.map((box) => box.page))).toEqual(new Set([1, 2]));
  });

  test('titles, units and columns of tables that come first on every page are no running heads', async () => {
    const bytes = await drawnPdf((pdf) => {
      for (let quarter = 1; quarter <= 4; quarter += 1) {
        if (quarter > 1) pdf.addPage();
        pdf
          .fontSize(8)
          .text('Example Corp. and Subsidiaries', 50, 30, { lineBreak: false })
          .text(`Income by segment, Q${quarter} 2024`, 50, 50, { lineBreak: false });
        for (const [row, texts] of [
          ['(Dollars in millions)', 'Devices', 'Services', 'Total'],
          ['Revenue', '4,402', '1,409', '5,811'],
          ['Costs', '3,100', '1,001', '4,101'],
        ].entries()) {
          for (const [column, text] of texts.entries())
            pdf.text(text, column === 0 ? 50 : 200 + column * 100 - pdf.widthOfString(text), 70 + row * 12, {
              lineBreak: false,
            });
        }
      }
    });
    const document = await readPdf(bytes, 'quarters.pdf', tools);
    expect(document.text).not.toContain('Example Corp.');
    expect(document.blocks.flatMap(({ table }) => table?.caption ?? [])).toEqual(
      [1, 2, 3, 4].map((quarter) => `Income by segment, Q${quarter} 2024`),
    );
    expect(document.blocks.at(-1)!.sentences[1]!.narrative).toContain('Dollars in millions');
  });

  test('a word broken at the end of a line is one word again, a compound keeps its hyphen, ligatures are letters', async () => {
    const bytes = await drawnPdf((pdf) => {
      pdf.fontSize(10);
      for (const [index, line] of [
        'The de-',
        'preciation of available-',
        'for-sale securities was available',
        'for all, and the sale ended well.',
      ].entries()) {
        pdf.text(line, 50, 100 + index * 12, { lineBreak: false });
      }
    });
    const document = await readPdf(bytes, 'hyphens.pdf', tools);
    expect(document.text).toBe(
      'The depreciation of available-for-sale securities was available for all, and the sale ended well.',
    );
    expect(document.blocks[0]!.sentences[0]!.boxes).toHaveLength(4);
  });

  test('headings rank by size and weight, and lists keep their items apart', async () => {
    const bytes = await drawnPdf((pdf) => {
      pdf.fontSize(20).text('Report', 50, 50);
      pdf.font('Helvetica-Bold').fontSize(10).text('Outlook', 50, 90);
      pdf.font('Helvetica').text(prose, 50, 110, { width: 500 });
      pdf.text('1. Open ten stores in the north of the country', 60, 160).text('2. Cut costs', 60, 174);
    });
    const document = await readPdf(bytes, 'headings.pdf', tools);
    expect(document.blocks.map(({ kind, level, section }) => ({ kind, level, section }))).toEqual([
      { kind: 'heading', level: 1, section: [] },
      { kind: 'heading', level: 2, section: ['Report'] },
      { kind: 'paragraph', level: undefined, section: ['Report', 'Outlook'] },
      { kind: 'list', level: undefined, section: ['Report', 'Outlook'] },
    ]);
    expect(document.text.endsWith('1. Open ten stores in the north of the country\n2. Cut costs')).toBe(true);
  });
});

describe('Boxes are where the text is shown', () => {
  test.each([0, 90, 180, 270])('on a page turned by %i degrees and cropped', async (angle) => {
    const pdf = await EditedPdf.create();
    const page = pdf.addPage([600, 800]);
    page.drawText('Revenue rose by 15 % in the third quarter.', {
      x: 150,
      y: 500,
      size: 12,
      font: await pdf.embedFont(StandardFonts.Helvetica),
    });
    page.setCropBox(100, 200, 400, 500);
    page.setRotation(degrees(angle));
    const document = await readPdf(await pdf.save(), 'turned.pdf', tools);
    expect(document.text).toBe('Revenue rose by 15 % in the third quarter.');
    expectBoxesOnPages(document);
    const { x, y, width, height } = document.blocks[0]!.sentences[0]!.boxes![0]!;
    const sideways = angle % 180 === 90;
    expect(document.pages).toEqual([{ number: 1, width: sideways ? 500 : 400, height: sideways ? 400 : 500 }]);
    // The text begins 50 points right of the crop box and 200 below its top.
    const expected = { 0: { x: 50, y: 200 }, 90: { x: 300, y: 50 }, 180: { x: 350, y: 300 }, 270: { x: 200, y: 350 } }[
      angle
    ]!;
    const start = {
      0: { x, y: y + height },
      90: { x, y },
      180: { x: x + width, y },
      270: { x: x + width, y: y + height },
    }[angle]!;
    expect(Math.abs(start.x - expected.x)).toBeLessThan(4);
    expect(Math.abs(start.y - expected.y)).toBeLessThan(4);
    expect(sideways ? height : width).toBeGreaterThan(200);
  });

  test('each sentence of a line has the part of the line it stands on', async () => {
    const bytes = await drawnPdf((pdf) =>
      pdf.fontSize(10).text('Sales fell. Margins were stable in the second half of the year.', 50, 100),
    );
    const document = await readPdf(bytes, 'sentences.pdf', tools);
    const [first, second] = document.blocks[0]!.sentences.map((sentence) => sentence.boxes![0]!);
    expect(first!.x).toBeCloseTo(50, 0);
    expect(first!.x + first!.width).toBeLessThanOrEqual(second!.x + 0.1);
    expect(second!.x).toBeGreaterThan(95);
    expect(second!.x).toBeLessThan(110);
  });
});

describe('Scanned pages', () => {
  afterAll(closeImageModels);
  const lines = ['Revenue rose to 1,204 million dollars.', 'Costs fell by four percent.'];

  test('are read by OCR and marked as such', async () => {
    const image = scan(lines);
    const bytes = await drawnPdf((pdf) => pdf.image(image, 0, 0, { width: 612 }).addPage().fontSize(10).text(prose));
    const document = await readPdf(bytes, 'scan.pdf', { readImageText });
    expect(document.text).toContain('Revenue rose to 1,204 million dollars.');
    expect(document.blocks[0]).toMatchObject({ page: 1, ocr: true });
    expect(document.blocks.at(-1)).not.toHaveProperty('ocr');
    expect(document.pages).toMatchObject([{ ocr: true }, {}]);
    expect(document.notes).toContain('Read by OCR, letters may be wrong: page 1.');
    expectBoxesOnPages(document);
  }, 60_000);

  const lyingPages: [number, typeof slowTest][] = [
    [90, test],
    [180, slowTest],
    [270, slowTest],
  ];
  for (const [angle, aTest] of lyingPages)
    aTest(
      `that lie turned by ${angle} degrees are read upright, with boxes where the scan shows the text`,
      async () => {
        const upright = createCanvas(1584, 1224);
        const context = upright.getContext('2d');
        context.fillStyle = 'white';
        context.fillRect(0, 0, 1584, 1224);
        context.fillStyle = 'black';
        context.font = '34px sans-serif';
        const rows = [
          ['Revenue by region', '2023', '2024'],
          ['North and the islands', '12', '15'],
          ['South and the coast', '480', '612'],
          ['Total', '492', '627'],
        ];
        for (const [row, cells] of rows.entries())
          for (const [column, text] of cells.entries())
            context.fillText(text, [140, 820, 1220][column]!, 300 + row * 90);
        const sideways = angle % 180 === 90;
        const lying = createCanvas(sideways ? 1224 : 1584, sideways ? 1584 : 1224);
        const turned = lying.getContext('2d');
        turned.translate(lying.width / 2, lying.height / 2);
        turned.rotate((angle * Math.PI) / 180);
        turned.drawImage(upright, -upright.width / 2, -upright.height / 2);
        const image = lying.toBuffer('image/png');
        const size = [lying.width / 2, lying.height / 2];
        const bytes = await drawnPdf((pdf) => pdf.addPage({ size }).image(image, 0, 0, { width: size[0] }), {
          autoFirstPage: false,
        });
        const document = await readPdf(bytes, 'lying.pdf', { readImageText });
        const { table } = document.blocks.find((block) => block.table !== undefined)!;
        const grid = Array.from({ length: table!.rows }, (_, row) =>
          table!.cells.filter((cell) => cell.row === row).map(({ text }) => text),
        );
        expect(grid).toEqual(rows);
        expect(document.notes).toContain('Scanned lying on its side or head, and read upright: page 1.');
        expect(document.pages).toMatchObject([{ width: size[0], height: size[1], ocr: true }]);
        expectBoxesOnPages(document);
        // "627" stands at 1220, 570 of the upright image, half as large in points.
        const { boxes, start, end } = table!.cells.at(-1)!;
        expect(document.text.slice(start, end)).toBe('627');
        const { x, y, width, height } = boxes![0]!;
        const middle = { x: 1220 / 2 + 14, y: 570 / 2 - 6 };
        const expected = {
          90: { x: size[0]! - middle.y, y: middle.x },
          180: { x: size[0]! - middle.x, y: size[1]! - middle.y },
          270: { x: middle.y, y: size[1]! - middle.x },
        }[angle]!;
        expect(Math.abs(x + width / 2 - expected.x)).toBeLessThan(12);
        expect(Math.abs(y + height / 2 - expected.y)).toBeLessThan(12);
      },
      180_000,
    );

  test('have boxes where the reader places its words', async () => {
    const image = scan(lines);
    const bytes = await drawnPdf((pdf) => pdf.image(image, 0, 0, { width: 612 }));
    const placing = async () => ({
      text: 'Costs fell.',
      confidence: 1,
      words: [
        { text: 'Costs', x: 200, y: 400, width: 80, height: 30, line: 0 },
        { text: 'fell.', x: 290, y: 400, width: 60, height: 30, line: 0 },
      ],
    });
    const document = await readPdf(bytes, 'scan.pdf', { readImageText: placing });
    expect(document.text).toBe('Costs fell.');
    const [box] = document.blocks[0]!.boxes!;
    expect(box!.x).toBeCloseTo(72, 0);
    expect(box!.y).toBeCloseTo(144, 0);
    expect(box!.width).toBeCloseTo(54, 0);
  });

  test('are noted when OCR is off, and refused when there is nothing else', async () => {
    const image = scan(lines);
    const mixed = await drawnPdf((pdf) => pdf.image(image, 0, 0, { width: 612 }).addPage().fontSize(10).text(prose));
    expect((await readPdf(mixed, 'mixed.pdf', tools)).notes).toContain(
      'Not read, an image with no text while OCR is off: page 1.',
    );
    const only = await drawnPdf((pdf) => pdf.image(image, 0, 0, { width: 612 }));
    await expect(readPdf(only, 'scan.pdf', tools)).rejects.toMatchObject({ code: 'empty-document' });
  });
});

describe('What cannot be read is refused with a clear line', () => {
  test('an encrypted file', async () => {
    const bytes = await drawnPdf((pdf) => pdf.text('secret'), { userPassword: 'secret' });
    await expect(readPdf(bytes, 'locked.pdf', tools)).rejects.toMatchObject({
      code: 'encrypted-document',
      message: 'locked.pdf is encrypted with a password.',
    });
  });

  test('a file encrypted for printing only is read', async () => {
    const bytes = await drawnPdf((pdf) => pdf.text('open to all'), { ownerPassword: 'owner' });
    expect((await readPdf(bytes, 'open.pdf', tools)).text).toBe('open to all');
  });

  test.each([
    ['no PDF at all', Buffer.from('%PDF-1.7\nthis is not a PDF')],
    ['random bytes', Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256))],
  ])('%s', async (_, bytes) => {
    await expect(readPdf(bytes, 'broken.pdf', tools)).rejects.toMatchObject({ code: 'corrupt-document' });
  });

  test('no bytes, and pages with no text', async () => {
    await expect(readPdf(new Uint8Array(), 'empty.pdf', tools)).rejects.toMatchObject({ code: 'empty-document' });
    await expect(readPdf(await drawnPdf(() => undefined), 'blank.pdf', tools)).rejects.toMatchObject({
      code: 'empty-document',
    });
  });

  test('more pages or bytes than the limits allow', async () => {
    const bytes = await drawnPdf((pdf) => pdf.text('one').addPage().text('two'));
    await expect(readPdf(bytes, 'long.pdf', tools, { limits: { pages: 1 } })).rejects.toMatchObject({
      code: 'document-too-large',
      message: 'long.pdf has 2 pages; at most 1 are read.',
    });
    await expect(readPdf(bytes, 'long.pdf', tools, { limits: { fileBytes: 100 } })).rejects.toMatchObject({
      code: 'document-too-large',
    });
  });

  test('reading stops at the signal', async () => {
    const bytes = await drawnPdf((pdf) => pdf.text('one'));
    await expect(readPdf(bytes, 'one.pdf', tools, { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow(
      'stop',
    );
  });

  test('scripts, attachments and links in a file are noted and left alone', async () => {
    const pdf = await EditedPdf.load(
      await drawnPdf((page) => page.text('Read the terms', { link: 'https://example.com/' })),
    );
    pdf.addJavaScript('open', 'app.alert(1)');
    await pdf.attach(Buffer.from('hello'), 'hello.txt');
    const document = await readPdf(await pdf.save(), 'active.pdf', tools);
    expect(document.text).toBe('Read the terms');
    expect(document.notes).toEqual([
      'The file holds JavaScript, which was not run.',
      'Files attached to the PDF were not opened.',
      'Links in the file were not followed (1).',
    ]);
  });

  test('the bytes that were passed are left as they were', async () => {
    const bytes = new Uint8Array(await drawnPdf((pdf) => pdf.text('one')));
    const copy = bytes.slice();
    await readPdf(bytes, 'one.pdf', tools);
    expect(bytes).toEqual(copy);
  });
});
