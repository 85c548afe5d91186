import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as docx from 'docx';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import writeExcelFile from 'write-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import { loadFile } from '@agonhq/engine/items';
import { ingestDocument } from './index.ts';

const noOcr = { readImageText: null };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-bad-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A file on disk, read as `agon analyze` reads it. */
async function reading(name: string, content: string | Uint8Array) {
  const file = path.join(folder, name);
  await writeFile(file, content);
  const loaded = await loadFile(file);
  return await ingestDocument(loaded.bytes, loaded.name, noOcr);
}

const report = () =>
  drawnPdf((pdf) => {
    for (let page = 1; page <= 3; page += 1) {
      if (page > 1) pdf.addPage();
      pdf.text(`On page ${page} revenue grew. `.repeat(60));
    }
  });
const packed = (entries: Record<string, number>) =>
  zipSync(Object.fromEntries(Object.entries(entries).map(([name, size]) => [name, new Uint8Array(size)])));
const pageless =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count ' +
  '0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF';

describe('What cannot be read is refused with one clear line and a hint', () => {
  test.each<[string, string, () => string | Uint8Array | Promise<Uint8Array>, string, string]>([
    [
      'a PDF under a password',
      'locked.pdf',
      () => drawnPdf((pdf) => pdf.text('secret'), { userPassword: 'secret' }),
      'encrypted-document',
      'encrypted with a password',
    ],
    [
      'a PDF under a password, AES-256',
      'locked.pdf',
      () => drawnPdf((pdf) => pdf.text('secret'), { userPassword: 'secret', pdfVersion: '1.7ext3' }),
      'encrypted-document',
      'encrypted with a password',
    ],
    [
      'a corrupt PDF',
      'corrupt.pdf',
      () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(3000, 7)]),
      'corrupt-document',
      'cannot be read as a PDF',
    ],
    [
      'a PDF cut off in the middle',
      'half.pdf',
      async () => (await report()).subarray(0, 900),
      'corrupt-document',
      'cannot be read as a PDF',
    ],
    [
      'a PDF cut off near its end',
      'most.pdf',
      async () => (await report()).subarray(0, -200),
      'corrupt-document',
      'cannot be read as a PDF',
    ],
    ['a PDF of no bytes', 'zero.pdf', () => '', 'empty-file', 'is empty'],
    ['a PDF of no pages', 'pageless.pdf', () => pageless, 'empty-document', 'it has no pages'],
    [
      'a PDF whose pages hold no text',
      'blank.pdf',
      () => drawnPdf((pdf) => pdf.rect(50, 50, 200, 200).fill('red')),
      'empty-document',
      'no page holds any text',
    ],
    [
      'a zip bomb as a workbook',
      'bomb.xlsx',
      () => packed({ 'xl/workbook.xml': 20, 'xl/worksheets/sheet1.xml': 30_000_000 }),
      'zip-bomb',
      'was not unpacked',
    ],
    [
      'a zip bomb as a text',
      'bomb.docx',
      () => packed({ 'word/document.xml': 30_000_000 }),
      'zip-bomb',
      'was not unpacked',
    ],
    [
      'noise as a PDF',
      'noise.pdf',
      () => Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256)),
      'unknown-format',
      'not a text, nor any other format',
    ],
    [
      'JSON nested without end',
      'deep.json',
      () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      'document-too-deep',
      'nested',
    ],
    [
      'a Markdown table of 50,000 columns',
      'wide.md',
      () => ['c', '-', '1'].map((cell) => `|${`${cell}|`.repeat(50_000)}`).join('\n'),
      'document-too-large',
      '50000 columns; the limit is 16384',
    ],
    [
      'an HTML table of 50,000 columns',
      'wide.html',
      () => `<html><body><table><tr>${'<td>1</td>'.repeat(50_000)}</tr></table>`,
      'document-too-large',
      '50000 columns; the limit is 16384',
    ],
    [
      'a CSV line of a million values',
      'wide.csv',
      () => `${Array.from({ length: 1_000_000 }, (_, index) => index).join(',')}\n`,
      'document-too-large',
      '1000000 columns; the limit is 16384',
    ],
  ])(
    '%s',
    async (_, name, content, code, message) => {
      const bytes = await content();
      const started = process.cpuUsage(); // Of this process alone: the machine may be busy with others.
      await expect(reading(name, bytes)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(new RegExp(`^[^\\n]*${message}[^\\n]*$`)),
        hint: expect.stringMatching(/^[A-Z][^\n]{10,}\.$/),
      });
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(20_000);
    },
    120_000,
  );

  test('a CSV of a gigabyte, before it is in memory', async () => {
    const file = path.join(folder, 'huge.csv');
    await writeFile(file, 'a,b\n');
    await truncate(file, 1_073_741_824);
    const { arrayBuffers } = process.memoryUsage();
    await expect(loadFile(file)).rejects.toMatchObject({
      code: 'document-too-large',
      message: 'huge.csv has 1073.7 MB; the limit is 200 MB.',
    });
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(50_000_000);
  });

  test('a folder, by its own name', async () => {
    const here = path.basename(folder);
    for (const way of [folder, `${folder}/`, `${folder}/.`]) {
      await expect(loadFile(way)).rejects.toMatchObject({
        code: 'document-is-directory',
        message: `${here} is a folder, not a document.`,
      });
    }
  });
});

describe('What is odd but readable is read, and noted', () => {
  test.each([
    ['a line with a comma', 'note.pdf', 'Hello, world\n', 'text'],
    ['lines with commas', 'table.png', 'a,b\n1,2\n', 'text'],
    ['a text', 'note.docx', 'Just a note.', 'text'],
    ['one line', 'note.xlsx', 'Hello, world', 'text'],
    ['a table', 'table.xls', 'a,b\n1,2\n', 'csv'],
    ['a web page', 'report.pdf', '<!doctype html><html><body><p>Please sign in.</p></body></html>', 'html'],
  ])('%s under a wrong name, %s', async (_, name, content, kind) => {
    const { kind: found, notes } = await reading(name, content);
    expect([found, notes]).toEqual([
      kind,
      [`${name} is named ${path.extname(name)}, and was read as what its content is: ${kind}.`],
    ]);
  });

  test('keys that come twice in JSON', async () => {
    const document = await reading(
      'twice.json',
      '{"revenue":1,"revenue":2,"notes":["revenue","revenue"],"more":{"a \\" b":1,"a \\" b":3,"c":[{"d":1},{"d":2}]}}',
    );
    expect(document.text).toContain('revenue: 2');
    expect(document.notes).toEqual([
      'A key that an object has twice was read with its last value: “revenue”, “a " b”.',
    ]);
    expect((await reading('once.json', '{"a":{"b":1},"b":{"b":2}}')).notes).toEqual([]);
  });

  test('a workbook with macros', async () => {
    const workbook = unzipSync(
      await writeExcelFile(
        [
          ['Item', 'Value'],
          ['Total', 6],
        ],
        { sheet: 'Results' },
      ).toBuffer(),
    );
    const document = await reading(
      'macros.xlsm',
      zipSync({ ...workbook, 'xl/vbaProject.bin': strToU8('Sub AutoOpen()') }),
    );
    expect(document.text).toContain('Total | 6');
    expect(document.text).not.toContain('AutoOpen');
    expect(document.notes).toEqual(['It holds macros, which were not run.']);
  });

  test('a dash before a number in a cell of Markdown is its sign', async () => {
    expect((await reading('signs.md', '| Item | 2024 |\n|---|---|\n| Loss | - 5 |\n| **Total** | 1. |\n')).text).toBe(
      'Item | 2024\nLoss | - 5\nTotal | 1.',
    );
  });
});

test('nothing outside a file is asked for, whatever it links to', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const html = await reading(
      'page.html',
      `<!doctype html><html><head><link rel="stylesheet" href="${url}/css"><script src="${url}/script"></script><base href="${url}/"></head>
      <body background="${url}/back"><p style="background:url(${url}/style)">Revenue grew.</p><img src="${url}/image" srcset="${url}/set 2x"><iframe src="${url}/frame"></iframe><object data="${url}/object"></object></body></html>`,
    );
    const workbook = unzipSync(
      await writeExcelFile(
        [
          ['Item', 'Value'],
          ['Total', 6],
        ],
        { sheet: 'Results' },
      ).toBuffer(),
    );
    const relationships =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship ' +
      'Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/externalLinkPath" ' +
      `Target="${url}/workbook" TargetMode="External"/></Relationships>`;
    const xlsx = await reading(
      'links.xlsx',
      zipSync({
        ...workbook,
        'xl/externalLinks/externalLink1.xml': strToU8('<externalLink/>'),
        'xl/externalLinks/_rels/externalLink1.xml.rels': strToU8(relationships),
      }),
    );
    const { Document, ExternalHyperlink, Packer, Paragraph, TextRun } = docx;
    const text = unzipSync(
      await Packer.toBuffer(
        new Document({
          sections: [
            {
              children: [
                new Paragraph({
                  children: [
                    new TextRun('Revenue grew. '),
                    new ExternalHyperlink({ link: `${url}/link`, children: [new TextRun('Terms')] }),
                  ],
                }),
              ],
            },
          ],
        }),
      ),
    );
    const linked = Buffer.from(text['word/_rels/document.xml.rels']!)
      .toString()
      .replace(
        '</Relationships>',
        '<Relationship Id="rId99" ' +
          `Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${url}/picture" ` +
          'TargetMode="External"/></Relationships>',
      );
    const shown = Buffer.from(text['word/document.xml']!)
      .toString()
      .replace(
        '</w:body>',
        '<w:p><w:r><w:drawing><wp:inline ' +
          'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><a:graphic ' +
          'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic ' +
          'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip ' +
          'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
          'r:link="rId99"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body>',
      );
    const word = await reading(
      'links.docx',
      zipSync({ ...text, 'word/_rels/document.xml.rels': strToU8(linked), 'word/document.xml': strToU8(shown) }),
    );
    const pdf = await PDFDocument.load(await drawnPdf((page) => page.text('Revenue grew.', { link: `${url}/pdf` })));
    pdf.catalog.set(PDFName.of('OpenAction'), pdf.context.obj({ S: 'URI', URI: PDFString.of(`${url}/open`) }));
    const portable = await reading('links.pdf', await pdf.save());
    const markdown = await reading(
      'links.md',
      `Revenue grew. ![chart](${url}/chart) [more](${url}/more) <img src="${url}/inline">\n`,
    );
    expect([html, xlsx, word, portable, markdown].map((document) => document.text.replaceAll('\n', ' '))).toEqual([
      'Revenue grew.',
      'Results  Item | Value Total | 6',
      'Revenue grew. Terms',
      'Revenue grew.',
      expect.stringContaining('Revenue grew.'),
    ]);
    expect(xlsx.notes).toContain('Links out of the workbook were not followed (1).');
    expect(portable.notes).toContain('Links in the file were not followed (1).');
    expect(asked).toEqual([]);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
