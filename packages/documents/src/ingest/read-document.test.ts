import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as docx from 'docx';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import writeExcelFile from 'write-excel-file/node';
import { describe, expect, test } from 'vitest';
import type { ReportDocument } from '../document.ts';
import { loadFile } from '@agonhq/engine/items';
import { ingestDocument, ingestDossier } from './index.ts';

const noOcr = { readImageText: null };
const read = (content: string | Uint8Array, name: string) =>
  ingestDocument(typeof content === 'string' ? Buffer.from(content) : content, name, noOcr);
const outline = (document: ReportDocument) =>
  document.blocks.map((block) => [block.kind, document.text.slice(block.start, block.end)]);

describe('HTML', () => {
  test('has headings, paragraphs, lists and tables with spans; what it hides, runs or loads is left out', async () => {
    const document = await read(
      `<!doctype html><html><head><title>x</title><style>p{}</style></head><body><script>evil()</script>
       <h1>Annual <b>report</b></h1><p>Revenue&nbsp;grew<br>by 15 %.</p><p style="display:none">secret</p><div hidden>secret</div>loose text
       <ul><li>One<ul><li>Inner</li></ul></li><li><p>Two</p></li></ul>
       <table><caption>Sales</caption><thead><tr><th rowspan="2">Region</th><th colspan="2">Sales</th></tr><tr><th>2024</th><th>2023</th></tr></thead>
       <tbody><tr><td>APAC</td><td>5</td><td>4</td></tr></tbody></table><img src="http://tracker/x.png"></body></html>`,
      'page.html',
    );
    expect(outline(document)).toEqual([
      ['heading', 'Annual report'],
      ['paragraph', 'Revenue grew\nby 15 %.'],
      ['paragraph', 'loose text'],
      ['list', 'One\nInner\nTwo'],
      ['paragraph', 'Sales'],
      ['table', 'Region | Sales | \n | 2024 | 2023\nAPAC | 5 | 4'],
    ]);
    const { table, sentences } = document.blocks.at(-1)!;
    expect(table).toMatchObject({ headerRows: 2, headerColumns: 1, caption: 'Sales' });
    expect(table!.cells.find((cell) => cell.text === 'Region')!.span).toEqual({ rows: 2, columns: 1 });
    expect(sentences.at(-1)!.narrative).toBe('The APAC region recorded sales of 5 in 2024 and sales of 4 in 2023.');
    expect(document.notes).toEqual([
      'Scripts and embedded objects were not run (1).',
      'Images were not loaded (1).',
      'Parts that the page hides were left out (2).',
    ]);
  });

  test('puts signs that filings keep in cells of their own to their number, and drops spacer columns', async () => {
    const document = await read(
      `<table><tr><td></td><td></td><td colspan="2">2023</td><td></td><td colspan="2">2022</td><td></td></tr>
       <tr><td>Cash</td><td></td><td>$</td><td>1,888</td><td></td><td>$</td><td>1,623</td><td></td></tr>
       <tr><td>Loss</td><td></td><td></td><td>(5</td><td>)</td><td></td><td>(7</td><td>)</td></tr></table>`,
      'filing.htm',
    );
    expect(outline(document)).toEqual([['table', ' | 2023 | 2022\nCash | $1,888 | $1,623\nLoss | (5) | (7)']]);
    expect(document.blocks[0]!.sentences[1]!.narrative).toBe('Cash was $1,888 in 2023 and $1,623 in 2022.');
  });
});

describe('HTML that means harm', () => {
  test('by nesting without end, or by cells that cover millions, is refused', async () => {
    const began = process.cpuUsage();
    await expect(read(`<html><body>${'<div>'.repeat(300_000)}x`, 'deep.html')).rejects.toMatchObject({
      code: 'document-too-deep',
    });
    // As a tree it took minutes.
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(5);
    const wide = '<tr><td colspan="1000" rowspan="60000">x</td></tr>'.repeat(2500);
    await expect(read(`<html><body><table>${wide}<tr><td>y</td></tr></table>`, 'wide.html')).rejects.toMatchObject({
      code: 'document-too-large',
    });
  });
});

describe('DOCX', () => {
  test('has its headings, paragraphs, lists and tables', async () => {
    const { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } = docx;
    const row = (...texts: string[]) =>
      new TableRow({ children: texts.map((text) => new TableCell({ children: [new Paragraph(text)] })) });
    const bytes = await Packer.toBuffer(
      new Document({
        sections: [
          {
            children: [
              new Paragraph({ text: 'Results', heading: HeadingLevel.HEADING_1 }),
              new Paragraph('Revenue grew by 15 %. Costs fell.'),
              new Paragraph({ text: 'First item', bullet: { level: 0 } }),
              new Paragraph({ text: 'Second item', bullet: { level: 0 } }),
              new Table({ rows: [row('Region', 'Growth'), row('APAC', '15 %')] }),
            ],
          },
        ],
      }),
    );
    const document = await read(bytes, 'report.docx');
    expect(document.kind).toBe('docx');
    expect(outline(document)).toEqual([
      ['heading', 'Results'],
      ['paragraph', 'Revenue grew by 15 %. Costs fell.'],
      ['list', 'First item\nSecond item'],
      ['table', 'Region | Growth\nAPAC | 15 %'],
    ]);
    expect(document.blocks[3]!.sentences[1]!.narrative).toBe('The APAC region recorded a growth of 15 %.');
  });

  test('that is damaged is refused', async () => {
    await expect(read(zipSync({ 'word/document.xml': Buffer.from('<w:document') }), 'a.docx')).rejects.toMatchObject({
      code: 'corrupt-document',
    });
  });
});

describe('Markdown', () => {
  test('that nests without end is refused at once', async () => {
    const lists = Array.from({ length: 3000 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n');
    for (const text of [lists, `${'> '.repeat(20_000)}x`, `${'- '.repeat(20_000)}x`]) {
      const started = process.threadCpuUsage();
      await expect(read(text, 'deep.md')).rejects.toMatchObject({ code: 'document-too-deep' });
      expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(5_000);
    }
  });

  test('has its parts and pipe tables, without its marks', async () => {
    const document = await read(
      '# Report\n\nRevenue **grew** by [15 %](http://x).\n\n- one\n- two\n  - inner\n\nSales:\n| Region | Growth ' +
        '|\n|:--|--:|\n| APAC | *15 %* |\n| a \\| b | 3 % |\n\n> quoted\n\n<p>html</p>\n',
      'report.md',
    );
    expect(outline(document)).toEqual([
      ['heading', 'Report'],
      ['paragraph', 'Revenue grew by 15 %.'],
      ['list', 'one\ntwo\ninner'],
      ['paragraph', 'Sales:'],
      ['table', 'Region | Growth\nAPAC | 15 %\na | b | 3 %'],
      ['paragraph', 'quoted'],
      ['paragraph', 'html'],
    ]);
    expect(document.blocks[4]!.table).toMatchObject({ columns: 2, caption: 'Sales:' });
  });
});

describe('plain text', () => {
  test('has paragraphs, headings by their shape, lists and aligned tables', async () => {
    const document = await read(
      'ANNUAL REPORT\n\n1.1 Key Figures\n\nRevenue grew\nby 15 %. Costs fell.\n\n- one\n- two\n  goes ' +
        'on\n\nRegion      2024    2023\nAPAC         5.0     4.0\nEMEA         7.1     6.5\n',
      'report.txt',
    );
    expect(outline(document)).toEqual([
      ['heading', 'ANNUAL REPORT'],
      ['heading', '1.1 Key Figures'],
      ['paragraph', 'Revenue grew\nby 15 %. Costs fell.'],
      ['list', '- one\n- two goes on'],
      ['table', 'Region | 2024 | 2023\nAPAC | 5.0 | 4.0\nEMEA | 7.1 | 6.5'],
    ]);
    expect(document.blocks[2]!.section).toEqual(['ANNUAL REPORT', '1.1 Key Figures']);
    expect(document.blocks[4]!.table).toMatchObject({ headerRows: 1, headerColumns: 1 });
  });

  test.each<[string, string, string[]]>([
    ['a line that names what stands below it', 'OUTLOOK\n\nIt is good.', ['heading', 'paragraph']],
    ['a line at the end names nothing', 'It is good.\n\nOUTLOOK', ['paragraph', 'paragraph']],
    ['a sentence is no heading', 'It Is Good.\n\nYes.', ['paragraph', 'paragraph']],
    ['nor is a long line', `${'Long Words '.repeat(8)}\n\nYes.`, ['paragraph', 'paragraph']],
    ['a line that is underlined is one', 'Outlook for all\n---\nIt is good.', ['heading', 'paragraph']],
    ['two rows are no table', 'a  1\nb  2', ['paragraph']],
    ['three rows of numbers are', 'a  1\nb  2\nc  3', ['table']],
    ['three rows of words are not', 'a  b\nc  d\ne  f', ['paragraph']],
    ['rows between bars are one from two on', '| a | b |\n| 1 | 2 |', ['table']],
    ['a table may have a caption', 'Sales:\na\t1\nb\t2\nc\t3', ['paragraph', 'table']],
    ['one item is a list of one', '- one\n  and more', ['list']],
  ])('%s', async (_, text, kinds) => {
    expect((await read(text, 'report.txt')).blocks.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('counts how deep a heading is by its number, else by its capitals', async () => {
    const names = ['2.1.3 Margins', '2 Results', 'OUTLOOK', 'Our Outlook'];
    const document = await read(`${names.join('\n\n')}\n\nIt is good.`, 'report.txt');
    expect(document.blocks.slice(0, 4).map(({ level }) => level)).toEqual([3, 1, 1, 2]);
  });

  test('loses no letter', async () => {
    const line = fc.constantFrom(
      'RESULTS',
      'Revenue grew.',
      '- item',
      '  wrapped',
      'a  1  2',
      'b | 3',
      '',
      '\t',
      '---',
      '===',
      '1. one',
      '🙂',
      'x\ty\tz',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1 }), async (lines) => {
        const text = lines.join('\n');
        const letters = (all: string) => all.replace(/[^\p{L}\p{N}]/gu, '');
        if (letters(text) === '') return;
        expect(letters((await read(text, 'a.txt')).text)).toBe(letters(text));
      }),
    );
  });
});

describe('JSON', () => {
  test('lists of objects are tables, objects are sections, the rest is key and value', async () => {
    const document = await read(
      JSON.stringify({
        company: 'Acme',
        tags: ['a', 'b'],
        results: {
          year: 2024,
          regions: [
            { region: 'APAC', growth: { q3: 0.15 } },
            { region: 'EMEA', growth: { q3: 0.03 } },
          ],
        },
      }),
      'report.json',
    );
    expect(outline(document)).toEqual([
      ['list', 'company: Acme\ntags: a, b'],
      ['heading', 'results'],
      ['list', 'year: 2024'],
      ['heading', 'regions'],
      ['table', 'region | growth q3\nAPAC | 0.15\nEMEA | 0.03'],
    ]);
    expect(document.blocks[4]).toMatchObject({
      section: ['results', 'regions'],
      table: { headerRows: 1, headerColumns: 1 },
    });
    expect(document.blocks[4]!.table!.cells.find((cell) => cell.text === '0.15')!.value).toBe(0.15);
  });

  test('lists of sentences are lists, and never one sentence', async () => {
    const text = ['Revenue for 2024 stood at £4.6m.', 'Costs grew by 10.7 % to £2.7m.'];
    const document = await read(
      JSON.stringify({ name: 'Acme', regions: ['North', 'St. Ives Ltd.'], text }),
      'report.json',
    );
    expect(outline(document)).toEqual([
      ['list', 'name: Acme\nregions: North, St. Ives Ltd.'],
      ['heading', 'text'],
      ['list', text.join('\n')],
    ]);
    expect(document.blocks[2]!.sentences.map(({ start, end }) => document.text.slice(start, end))).toEqual(text);
    const rows = await read(
      JSON.stringify([
        { year: 2024, remarks: text },
        { year: 2023, remarks: ['a', 'b'] },
      ]),
      'rows.json',
    );
    expect(rows.blocks[0]!.table!.cells.filter(({ column }) => column === 1).map((cell) => cell.text)).toEqual([
      'remarks',
      text.join(' '),
      'a, b',
    ]);
  });

  test('an object of alike objects is a table named by its keys', async () => {
    const document = await read('{"2024":{"revenue":5,"costs":3},"2023":{"revenue":4,"costs":2}}', 'a.json');
    expect(document.blocks[0]!.sentences.at(-1)!.narrative).toContain('revenue of ');
    expect(document.blocks[0]!.table).toMatchObject({ rows: 3, columns: 3 });
  });

  test('a document filed in parts keeps the numbers of its parts, and takes its tables from their HTML', async () => {
    const document = await read(
      JSON.stringify({
        url: 'https://example.org/10k',
        context: [
          { id: 0, context: 'The Company sells bagels. It grew.', type: 'paragraph' },
          {
            id: 1,
            context:
              'See notes.\nBalance Sheets\n(in thousands)\n\n| 2023 | 2022 |\n| ASSETS |\n| Cash | $ | 1,888 | $ ' +
              '| 1,623 |',
            type: 'table',
          },
          { id: 2, context: '| 2023 | 2022 |\n| ASSETS |\n| Cash | $ | 1,888 | $ | 1,623 |', type: 'table' },
          { id: 7, context: 'The end.', type: 'paragraph' },
        ],
        html_tables: [
          '<table><tr><td></td><td>2023</td><td>2022</td></tr><tr><td>Cash</td><td>1,888</td><td>1,623</td></tr></table>',
          '<table><tr><td>only one</td></tr></table>',
        ],
      }),
      'filing.json',
    );
    expect(outline(document)).toEqual([
      ['list', 'url: https://example.org/10k'],
      ['paragraph', 'The Company sells bagels. It grew.'],
      ['paragraph', 'See notes.'],
      ['paragraph', 'Balance Sheets\n(in thousands)'],
      ['table', ' | 2023 | 2022\nCash | 1,888 | 1,623'],
      ['table', ' | 2023 | 2022\nASSETS |  | \nCash | $1,888 | $1,623'],
      ['paragraph', 'The end.'],
    ]);
    expect(document.blocks.map((block) => block.sourceIndex)).toEqual([undefined, 0, 1, 1, 1, 2, 7]);
    expect(document.blocks[4]!.sentences.at(-1)!.narrative).toBe(
      'Cash was 1,888 in 2023 and 1,623 in 2022 (in thousands).',
    );
  });

  test('lines of JSON are a table', async () => {
    expect(outline(await read('{"a":"x","b":1}\n{"a":"y","b":2}\n', 'log.jsonl'))).toEqual([
      ['table', 'a | b\nx | 1\ny | 2'],
    ]);
  });

  test('any value is read, and every text in it kept', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const texts = (all: unknown): string[] =>
          typeof all === 'string'
            ? [all]
            : all !== null && typeof all === 'object'
              ? Object.values(all).flatMap(texts)
              : [];
        const document = await read(JSON.stringify({ title: 'x', value }), 'a.json');
        const letters = (all: string) => all.replace(/[^a-z0-9]/giu, '');
        for (const text of texts(value)) expect(letters(document.text)).toContain(letters(text));
      }),
    );
  });

  test.each([
    ['not JSON', '{"a": ', 'a.json', 'not-json'],
    ['a bad line', '{"a":1}\n{oops}\n', 'a.jsonl', 'not-json'],
    ['nested too deep', `${'['.repeat(5000)}1${']'.repeat(5000)}`, 'a.json', 'document-too-deep'],
  ])('%s is refused', async (_, content, name, code) => {
    await expect(read(content, name)).rejects.toMatchObject({ code });
  });
});

describe('an image', () => {
  test('is read by OCR and marked so', async () => {
    const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    let seen: Uint8Array = png;
    const readImageText = (image: Uint8Array) => {
      seen = image;
      return Promise.resolve({ text: 'Revenue grew by 15 %.', confidence: 0.9 });
    };
    const document = await ingestDocument(png, 'scan.png', { readImageText });
    expect(document).toMatchObject({
      kind: 'image',
      text: 'Revenue grew by 15 %.',
      pages: [{ number: 1, width: 30, height: 20, ocr: true }],
      notes: ['Its text was read by OCR, with a confidence of 90 %.'],
    });
    expect(document.blocks[0]).toMatchObject({ ocr: true, page: 1 });
    expect((await sharp(seen).metadata()).width).toBe(120);
  });

  test('has its paragraphs, tables and boxes where the words stand', async () => {
    const [width, height] = [900, 700];
    const png = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const lines = [
      [100, ['Revenue', 'grew', 'in', 'every', 'one', 'of', 'the', 'regions', 'that', 'the', 'company', 'serves']],
      [130, ['of', 'old.']],
      [230, ['It', 'expects', 'more', 'of', 'the', 'same', 'in', 'all', 'of', 'the', 'coming', 'year.']],
    ] as const;
    const words = lines.flatMap(([y, said], line) =>
      said.map((text, index) => ({ text, x: 66 + index * 80, y: y * (4 / 3), width: 70, height: 26, line })),
    );
    const readImageText = () => Promise.resolve({ text: 'not used', confidence: 0.9, words });
    const document = await ingestDocument(png, 'scan.png', { readImageText });
    expect(document.blocks.map(({ kind, start, end, page }) => [kind, page, document.text.slice(start, end)])).toEqual([
      ['paragraph', 1, 'Revenue grew in every one of the regions that the company serves of old.'],
      ['paragraph', 1, 'It expects more of the same in all of the coming year.'],
    ]);
    const boxes = document.blocks.flatMap((block) => block.sentences.flatMap((sentence) => sentence.boxes ?? []));
    expect(boxes).toHaveLength(3);
    for (const [index, box] of boxes.entries()) {
      expect(box.y).toBeGreaterThan(lines[index]![0] - 3);
      expect(box.y + box.height).toBeLessThan(lines[index]![0] + 23);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
    }
  });

  test('is refused when OCR is off, or when it is damaged', async () => {
    const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    await expect(ingestDocument(png, 'scan.png', noOcr)).rejects.toMatchObject({ code: 'ocr-is-off' });
    const ocr = { readImageText: () => Promise.resolve({ text: '', confidence: 0 }) };
    await expect(ingestDocument(png.subarray(0, 40), 'scan.png', ocr)).rejects.toMatchObject({
      code: 'corrupt-document',
    });
    await expect(ingestDocument(png, 'scan.png', ocr)).rejects.toMatchObject({ code: 'empty-document' });
  });
});

describe('a file', () => {
  test('is what its bytes are, and a wrong extension is noted', async () => {
    const xlsx = await writeExcelFile(
      [
        ['a', 'b'],
        ['x', 1],
      ],
      { sheet: 'S' },
    ).toBuffer();
    const asPdf = await read(xlsx, 'report.pdf');
    expect(asPdf.kind).toBe('xlsx');
    expect(asPdf.notes).toEqual(['report.pdf is named .pdf, and was read as what its content is: xlsx.']);
    const csv = await read('Region;Growth\nAPAC;15\nEMEA;3\n', 'export.xls');
    expect([csv.kind, csv.notes]).toEqual([
      'csv',
      ['export.xls is named .xls, and was read as what its content is: csv.'],
    ]);
    expect((await read('<!DOCTYPE html><html><body><p>Hi there.</p></body></html>', 'page.csv')).kind).toBe('html');
    expect((await read('{"a": [1, 2]}', 'data')).kind).toBe('json');
    expect((await read('Just a note.', 'README')).kind).toBe('text');
  });

  test.each([
    ['empty', '', 'a.csv', 'empty-file'],
    ['only white space', ' \n\t\n', 'a.txt', 'empty-document'],
    [
      'bytes of no format',
      Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 37) % 256)),
      'a.bin',
      'unknown-format',
    ],
    [
      'bytes of no format, named as text',
      Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 37) % 32)),
      'a.txt',
      'unknown-format',
    ],
    ['RTF', '{\\rtf1 x}', 'a.rtf', 'unknown-format'],
    ['gzip', Buffer.from('1f8b0800', 'hex'), 'a.csv.gz', 'unknown-format'],
    ['a corrupt archive', 'PK\u0003\u0004nothing', 'a.xlsx', 'corrupt-document'],
  ])('%s is refused with a hint', async (_, content, name, code) => {
    await expect(read(content, name)).rejects.toMatchObject({ code, hint: expect.stringMatching(/\w{3}/u) });
  });

  test('is known by its base name, with characters that act written out', async () => {
    expect((await read('Hi there.', '/etc/../x/report\u0007\u202Etxt.txt')).name).toBe('report[U+7][U+202E]txt.txt');
    // Names are made safe where a file is opened and again where it is read.
    expect((await read('Hi there.', (await read('Hi there.', 'a\u0007b.txt')).name)).name).toBe('a[U+7]b.txt');
    expect((await read('Hi there.', 'C:\\secret\\a.txt')).name).toBe('a.txt');
  });

  test('of a gigabyte is refused by its size, without being read', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agon-'));
    try {
      const file = path.join(folder, 'huge.csv');
      await writeFile(file, 'a,b\n');
      await truncate(file, 1_000_000_000);
      await expect(loadFile(file)).rejects.toMatchObject({
        code: 'document-too-large',
        message: 'huge.csv has 1000 MB; the limit is 200 MB.',
      });
      await expect(loadFile(folder)).rejects.toMatchObject({ code: 'document-is-directory' });
      await expect(loadFile(path.join(folder, 'none.csv'))).rejects.toMatchObject({
        code: 'document-not-found',
      });
      if (process.platform === 'win32') return;
      const pipe = path.join(folder, 'pipe.csv');
      execFileSync('mkfifo', [pipe]);
      await expect(loadFile(pipe)).rejects.toMatchObject({ code: 'unreadable-document' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('is not read on once its signal is aborted', async () => {
    await expect(
      ingestDocument(Buffer.from('Hi there.'), 'a.txt', noOcr, { signal: AbortSignal.abort(new Error('stop')) }),
    ).rejects.toThrow('stop');
  });
});

describe('a dossier', () => {
  test('tells files of the same name apart', async () => {
    const { documents } = await ingestDossier(
      [
        { name: 'a/x.txt', bytes: Buffer.from('One is here.') },
        { name: 'b/x.txt', bytes: Buffer.from('Two is here.') },
      ],
      noOcr,
    );
    expect(documents.map((document) => document.name)).toEqual(['x.txt', 'x (2).txt']);
  });

  test('needs a file', async () => {
    await expect(ingestDossier([], noOcr)).rejects.toMatchObject({ code: 'empty-dossier' });
  });
});
