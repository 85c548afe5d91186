import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflateSync, gzipSync, crc32 } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, expect } from 'vitest';
import { zipBomb } from '../support/contract/zip-bomb.ts';
import { makeZip } from '../support/make-zip.ts';
import { describeHostile, type HostileCase } from './corpus.ts';
import { goodFiles } from './good-files.ts';

/*
 * Small files that ask for much: each ends as read, or as a refusal with a code and a hint, in a process of its own
 * that is held to a bound of time and memory.
 */

const mostSeconds = 60;
const mostMegabytes = 2_000;

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-bombs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Made = string | Uint8Array | Promise<string | Uint8Array>;

async function expectBounded(name: string, content: Made): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, await content);
  const { stdout } = await run(process.execPath, [path.join(import.meta.dirname, 'read-apart.ts'), file], {
    timeout: 4 * mostSeconds * 1_000,
    killSignal: 'SIGKILL',
    maxBuffer: 1_000_000,
  });
  await rm(file);
  const said = JSON.parse(stdout) as {
    outcome: string;
    message?: string;
    hint?: string;
    seconds: number;
    megabytes: number;
  };
  expect(said.outcome, said.message).not.toBe('thrown');
  if (said.outcome !== 'read') {
    expect(said.message).not.toContain(folder);
    expect(said.message).not.toContain('\n');
    expect(said.hint).toMatch(/\S/);
  }
  expect(said.seconds, 'seconds of a processor').toBeLessThan(mostSeconds);
  expect(said.megabytes, 'megabytes').toBeLessThan(mostMegabytes);
  return said.outcome;
}

// Zips

const bytesOf = (text: string) => Buffer.from(text);
const workbookWith = async (entries: Record<string, string>) => {
  const good = unzipSync(await goodFiles.xlsx());
  const changed = Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, bytesOf(text)]));
  return zipSync({ ...good, ...changed }, { level: 6 });
};
const documentWith = async (body: string) => {
  const good = unzipSync(await goodFiles.docx());
  const xml = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return zipSync({ ...good, 'word/document.xml': bytesOf(xml) });
};
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const sheet = (rows: string, more = '') => ({
  'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet ${main}><sheetData>${rows}</sheetData>${more}</worksheet>`,
});
const cell = (place: string, value = '1') => `<c r="${place}"><v>${value}</v></c>`;
const entities = (levels: number) =>
  `<!DOCTYPE x [<!ENTITY e0 "lol">${Array.from({ length: levels }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')}]>`;
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const times = (count: number, write: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join('');
const nested = (levels: number) => {
  let inner: Uint8Array = bytesOf('x'.repeat(1_000_000));
  for (let level = 0; level < levels; level += 1) inner = zipSync({ 'xl/workbook.xml': inner });
  return inner;
};

const zips: Record<string, [string, () => Made]> = {
  'a workbook of a gigabyte': ['a.xlsx', () => zipBomb()],
  'a text of a gigabyte': ['a.docx', () => zipBomb('word/document.xml')],
  'shared strings of a gigabyte': [
    'a.xlsx',
    () =>
      makeZip({
        'xl/workbook.xml': { content: '<workbook/>' },
        'xl/sharedStrings.xml': { content: Buffer.alloc(200_000_000, 0x20) },
      }),
  ],
  'a zip in a zip in a zip': ['a.xlsx', () => nested(20)],
  'fifty thousand entries': [
    'a.xlsx',
    () =>
      makeZip(
        Object.fromEntries([
          ['xl/workbook.xml', { content: '<workbook/>' }],
          ...Array.from({ length: 50_000 }, (_, at) => [`xl/a${at}`, { content: '', method: 'stored' as const }]),
        ]),
      ),
  ],
  'a cell in the last row and column': [
    'a.xlsx',
    () => workbookWith(sheet(`<row r="1048576">${cell('XFD1048576')}</row>`)),
  ],
  'a cell beyond all rows and columns': [
    'a.xlsx',
    () => workbookWith(sheet(`<row r="99999999999">${cell('ZZZZZZ99999999999')}</row>`)),
  ],
  'a row of a million cells': [
    'a.xlsx',
    () => workbookWith(sheet(`<row r="1">${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`)),
  ],
  'two million rows': ['a.xlsx', () => workbookWith(sheet('<row><c><v>1</v></c></row>'.repeat(2_000_000)))],
  'a merge of all cells': [
    'a.xlsx',
    () =>
      workbookWith(
        sheet(`<row r="1">${cell('A1')}</row>`, '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
      ),
  ],
  'a hundred thousand merges': [
    'a.xlsx',
    () =>
      workbookWith(
        sheet(
          `<row r="1">${cell('A1')}</row>`,
          `<mergeCells>${times(100_000, (at) => `<mergeCell ref="A${at + 1}:Z${at + 1}"/>`)}</mergeCells>`,
        ),
      ),
  ],
  'a dimension of all cells': [
    'a.xlsx',
    () =>
      workbookWith({
        'xl/worksheets/sheet1.xml': `<worksheet ${main}><dimension ref="A1:XFD1048576"/><sheetData><row r="1">${cell('A1')}</row></sheetData></worksheet>`,
      }),
  ],
  'a million shared strings': [
    'a.xlsx',
    () => workbookWith({ 'xl/sharedStrings.xml': `<sst ${main}>${'<si><t>a</t></si>'.repeat(1_000_000)}</sst>` }),
  ],
  'a shared string out of reach': [
    'a.xlsx',
    () => workbookWith(sheet('<row r="1"><c r="A1" t="s"><v>999999999</v></c></row>')),
  ],
  'half a million styles': [
    'a.xlsx',
    () =>
      workbookWith({
        'xl/styles.xml': `<styleSheet ${main}><cellXfs>${'<xf numFmtId="14"/>'.repeat(500_000)}</cellXfs></styleSheet>`,
      }),
  ],
  'a number format without end': [
    'a.xlsx',
    () =>
      workbookWith({
        'xl/styles.xml': `<styleSheet ${main}><numFmts><numFmt numFmtId="200" formatCode="${'[$-409]'.repeat(50_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
      }),
  ],
  'ten thousand sheets': [
    'a.xlsx',
    () =>
      workbookWith({
        'xl/workbook.xml': `<workbook ${main} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${times(10_000, (at) => `<sheet name="s${at}" sheetId="${at + 1}" r:id="rId1"/>`)}</sheets></workbook>`,
      }),
  ],
  'entities in a sheet': [
    'a.xlsx',
    () =>
      workbookWith({
        'xl/worksheets/sheet1.xml': `<?xml version="1.0"?>${entities(12)}<worksheet ${main}><sheetData><row r="1"><c r="A1" t="str"><v>&e12;</v></c></row></sheetData></worksheet>`,
      }),
  ],
  'entities in shared strings': [
    'a.xlsx',
    () =>
      workbookWith({
        'xl/sharedStrings.xml': `<?xml version="1.0"?>${entities(12)}<sst ${main}><si><t>&e12;</t></si></sst>`,
      }),
  ],
  'a file for an entity': [
    'a.xlsx',
    () =>
      workbookWith({
        'xl/sharedStrings.xml': `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><sst ${main}><si><t>&e;</t></si></sst>`,
      }),
  ],
  'elements without end in a sheet': ['a.xlsx', () => workbookWith(sheet('<row>'.repeat(200_000)))],
  'a formula of a megabyte': [
    'a.xlsx',
    () => workbookWith(sheet(`<row r="1"><c r="A1"><f>${'(1+'.repeat(300_000)}</f><v>1</v></c></row>`)),
  ],
  'formulas in a circle': [
    'a.xlsx',
    () => workbookWith(sheet(`<row r="1"><c r="A1"><f>B1</f></c><c r="B1"><f>A1</f></c></row>`)),
  ],
  'entities in a text': [
    'a.docx',
    async () =>
      zipSync({
        ...unzipSync(await goodFiles.docx()),
        'word/document.xml': bytesOf(
          `<?xml version="1.0"?>${entities(12)}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph('&e12;')}</w:body></w:document>`,
        ),
      }),
  ],
  'a paragraph of ten megabytes': ['a.docx', () => documentWith(paragraph('word '.repeat(2_000_000)))],
  'two hundred thousand paragraphs': ['a.docx', () => documentWith(paragraph('word').repeat(200_000))],
  'elements 50,000 deep in a text': [
    'a.docx',
    () =>
      documentWith(
        `${'<w:sdt><w:sdtContent>'.repeat(25_000)}${paragraph('a')}${'</w:sdtContent></w:sdt>'.repeat(25_000)}`,
      ),
  ],
  'tables 500 deep': [
    'a.docx',
    () => documentWith(`${'<w:tbl><w:tr><w:tc>'.repeat(500)}${paragraph('a')}${'</w:tc></w:tr></w:tbl>'.repeat(500)}`),
  ],
  'a span of a billion columns': [
    'a.docx',
    () =>
      documentWith(
        `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="1000000000"/></w:tcPr>${paragraph('a')}</w:tc></w:tr></w:tbl>`,
      ),
  ],
};

// Texts

const texts: Record<string, [string, () => Made]> = {
  'lists 200,000 deep': ['a.json', () => '['.repeat(200_000)],
  'objects 100,000 deep, closed': ['a.json', () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  'lists 2,000 deep, closed': ['a.json', () => `${'['.repeat(2_000)}1${']'.repeat(2_000)}`],
  'a million members': ['a.json', () => `{${times(1_000_000, (at) => `${at ? ',' : ''}"k${at}":1`)}}`],
  'a million values': ['a.json', () => `[${'1,'.repeat(1_000_000)}1]`],
  'a number of a million digits': ['a.json', () => `{"a":${'9'.repeat(1_000_000)}}`],
  'a text of thirty megabytes': ['a.json', () => `{"a":"${'word '.repeat(6_000_000)}"}`],
  'half a million lines': ['a.jsonl', () => '{"a":1}\n'.repeat(500_000)],
  'lines with other members each': ['a.jsonl', () => times(20_000, (at) => `{"k${at}":1}\n`)],
  'divisions 100,000 deep': ['a.html', () => `<html><body>${'<div>'.repeat(100_000)}a`],
  'tables 3,000 deep': ['a.html', () => `<html><body>${'<table><tr><td>'.repeat(3_000)}a`],
  'lists 20,000 deep in HTML': ['a.html', () => `<html><body>${'<ul><li>'.repeat(20_000)}a`],
  'a column span of a billion': ['a.html', () => '<html><body><table><tr><td colspan="1000000000">a</td></tr></table>'],
  'a row span of a billion': [
    'a.html',
    () => '<html><body><table><tr><td rowspan="1000000000">a</td></tr><tr><td>b</td></tr></table>',
  ],
  'spans in every cell': [
    'a.html',
    () =>
      `<html><body><table>${`<tr>${'<td rowspan="1000" colspan="1000">a</td>'.repeat(100)}</tr>`.repeat(100)}</table>`,
  ],
  'comments in front of nothing': ['a.html', () => `${'<!---->'.repeat(40)} a`],
  'a period with thousands of spaces': [
    'a.csv',
    () => `Region,Q2,2024${' '.repeat(4_000)}Q3 2%,Q2 2024\nNorth,1,2,3\n`,
  ],
  'a rule of a table with thousands of spaces': ['a.md', () => `| a |\n|${' '.repeat(3_000)}-${' '.repeat(3_000)}-\n`],
  'two million angles': ['a.html', () => `<html><body>${'<'.repeat(2_000_000)}`],
  'a million entities': ['a.html', () => `<html><body><p>${'&amp;'.repeat(1_000_000)}`],
  'an attribute of ten megabytes': ['a.html', () => `<html><body><p title="${'x'.repeat(10_000_000)}">a</p>`],
  'a hundred thousand attributes': ['a.html', () => `<html><body><p ${times(100_000, (at) => `a${at}=1 `)}>a</p>`],
  'a comment that never ends': ['a.html', () => `<html><body><p>a</p><!--${'-'.repeat(2_000_000)}`],
  'a table of a hundred thousand rows': [
    'a.html',
    () => `<html><body><table>${'<tr><td>1</td><td>2</td></tr>'.repeat(100_000)}</table>`,
  ],
  'quotes 20,000 deep': ['a.md', () => `${'>'.repeat(20_000)} a`],
  'lists 2,000 deep in Markdown': ['a.md', () => times(2_000, (at) => `${'  '.repeat(at)}- a\n`)],
  'fifty thousand brackets': ['a.md', () => '['.repeat(50_000)],
  'brackets and parentheses': ['a.md', () => '[a]('.repeat(20_000)],
  'fifty thousand stars': ['a.md', () => '*a **b '.repeat(20_000)],
  'backticks of every length': ['a.md', () => times(2_000, (at) => `${'`'.repeat(at)} `)],
  'fifty thousand images': ['a.md', () => '![a][b]'.repeat(50_000)],
  'a hundred thousand definitions': ['a.md', () => times(100_000, (at) => `[a${at}]: b\n`)],
  'angles in Markdown': ['a.md', () => '<a '.repeat(50_000)],
  'a table of 20,000 columns': [
    'a.md',
    () => ['c', '-', '1'].map((each) => `|${`${each}|`.repeat(20_000)}`).join('\n'),
  ],
  'a table of 50,000 rows': ['a.md', () => `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(50_000)}`],
  'a quotation mark that never ends': ['a.csv', () => `a,b\n1,"${'x,y\n'.repeat(4_000_000)}`],
  'a line of twenty megabytes': ['a.csv', () => `a,b\n${'x'.repeat(20_000_000)},1\n`],
  'two million rows of CSV': ['a.csv', () => `a,b\n${'1,2\n'.repeat(2_000_000)}`],
  'a million columns': ['a.csv', () => `${'1,'.repeat(1_000_000)}\n`],
  'quotation marks alone': ['a.csv', () => '"'.repeat(2_000_001)],
  'NUL alone': ['a.csv', () => new Uint8Array(1_000_000)],
  'tabs alone': ['a.tsv', () => `${'\t'.repeat(10_000)}\n`.repeat(200)],
  'one line of forty megabytes': ['a.txt', () => 'word '.repeat(8_000_000)],
  'one word of ten megabytes': ['a.txt', () => 'x'.repeat(10_000_000)],
  'a million combining marks': ['a.txt', () => `a${'\u0301'.repeat(1_000_000)}`],
  'a million lines of one letter': ['a.txt', () => 'a\n'.repeat(1_000_000)],
  'a million full stops': ['a.txt', () => 'a. '.repeat(1_000_000)],
  'gzip under the name of a table': ['a.csv', () => gzipSync(Buffer.alloc(100_000_000, 0x20))],
};

// PDF

const pdf = (objects: readonly string[], more = '') =>
  `%PDF-1.7\n${objects.map((object, at) => `${at + 1} 0 obj${object}endobj\n`).join('')}${more}trailer<</Root 1 0 R>>\n%%EOF`;
const stream = (dictionary: string, bytes: Uint8Array) =>
  `<<${dictionary}/Length ${bytes.length}>>stream\n${Buffer.from(bytes).toString('latin1')}\nendstream\n`;
const latin = (text: string) => Buffer.from(text, 'latin1');
const page =
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/XObject<</X1 6 0 R>>>>>>';
const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
const pageWith = (contents: string, more = '') =>
  latin(
    pdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      page,
      contents,
      font,
      ...(more ? [more] : []),
    ]),
  );
const deflated = (text: string, rounds = 1) => {
  let bytes: Uint8Array = latin(text);
  for (let round = 0; round < rounds; round += 1) bytes = deflateSync(bytes);
  return bytes;
};
const shown = 'BT /F1 12 Tf 50 700 Td (Revenue grew by 15% in the third quarter.) Tj ET ';

const pdfs: Record<string, [string, () => Made]> = {
  'a list of pages that is none, with a page that is not there': [
    'a.pdf',
    async () => {
      const good = Buffer.from(await goodFiles.pdf()).toString('latin1');
      const [, last] = /\/Kids \[\d+ 0 R (\d+) 0 R\]/u.exec(good)!;
      return latin(good.replace('/Type /Pages', '/T{pe /Pages').replace(`\n${last} 0 obj`, `\n${last} 0 obx`));
    },
  ],
  'pages of which one is no page': [
    'a.pdf',
    () =>
      latin(
        pdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R 1R]>>', page, stream('', latin(shown)), font]),
      ),
  ],
  'pages that are their own parent': [
    'a.pdf',
    () => pdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>']),
  ],
  'pages in a circle': [
    'a.pdf',
    () =>
      pdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Pages/Kids[2 0 R]/Count 1>>',
      ]),
  ],
  'pages 20,000 deep': [
    'a.pdf',
    () =>
      pdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        ...Array.from({ length: 20_000 }, (_, at) => `<</Type/Pages/Kids[${at + 3} 0 R]/Count 1>>`),
      ]),
  ],
  'a billion pages, it says': [
    'a.pdf',
    () =>
      pdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1000000000>>',
        page,
        stream('', latin(shown)),
        font,
      ]),
  ],
  'pages below zero': [
    'a.pdf',
    () =>
      pdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count -5>>',
        page,
        stream('', latin(shown)),
        font,
      ]),
  ],
  'one page ten thousand times': [
    'a.pdf',
    () =>
      latin(
        pdf([
          '<</Type/Catalog/Pages 2 0 R>>',
          `<</Type/Pages/Kids[${'3 0 R '.repeat(10_000)}]/Count 10000>>`,
          page,
          stream('', latin(shown)),
          font,
        ]),
      ),
  ],
  'a table of objects that leads to itself': [
    'a.pdf',
    () =>
      `%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\nxref\n0 1\n0000000000 65535 f \ntrailer<</Root 1 0 R/Prev 42/Size 2>>\nstartxref\n42\n%%EOF`,
  ],
  'an object of itself': ['a.pdf', () => pdf(['1 0 R'])],
  'a length that is itself': [
    'a.pdf',
    () =>
      pdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        page,
        '<</Length 4 0 R>>stream\nx\nendstream\n',
        font,
      ]),
  ],
  'a content of 200 megabytes of spaces': [
    'a.pdf',
    () => pageWith(stream('/Filter/FlateDecode', deflateSync(Buffer.alloc(200_000_000, 0x20)))),
  ],
  'a content of a million words': [
    'a.pdf',
    () => pageWith(stream('/Filter/FlateDecode', deflated(shown.repeat(200_000)))),
  ],
  'a content packed three times': [
    'a.pdf',
    () => pageWith(stream('/Filter[/FlateDecode/FlateDecode/FlateDecode]', deflated(shown.repeat(50_000), 3))),
  ],
  'a hundred filters': ['a.pdf', () => pageWith(stream(`/Filter[${'/FlateDecode'.repeat(100)}]`, deflated(shown)))],
  'an unknown filter': ['a.pdf', () => pageWith(stream('/Filter/EvilDecode', latin(shown)))],
  'a form within itself': [
    'a.pdf',
    () =>
      pageWith(
        stream('', latin(`${shown}/X1 Do`)),
        stream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X1 6 0 R>>>>', latin('/X1 Do')),
      ),
  ],
  'states saved two hundred times': [
    'a.pdf',
    () => pageWith(stream('/Filter/FlateDecode', deflated(`${'q '.repeat(200)}${shown}`))),
  ],
  'arrays 100,000 deep': ['a.pdf', () => pageWith(stream('', latin(`${'['.repeat(100_000)} TJ ${shown}`)))],
  'dictionaries 50,000 deep': ['a.pdf', () => pdf([`<</Type/Catalog/A ${'<</A '.repeat(50_000)}`])],
  'a text of a megabyte in parentheses': [
    'a.pdf',
    () => pageWith(stream('', latin(`BT /F1 12 Tf (${'('.repeat(500_000)}${')'.repeat(500_000)}) Tj ET`))),
  ],
  'a page of a billion points': [
    'a.pdf',
    () =>
      latin(
        pdf([
          '<</Type/Catalog/Pages 2 0 R>>',
          '<</Type/Pages/Kids[3 0 R]/Count 1>>',
          page.replace('600 800', '1000000000 1000000000'),
          stream('', latin(shown)),
          font,
        ]),
      ),
  ],
  'an image of a billion pixels': [
    'a.pdf',
    () =>
      pageWith(
        stream('', latin(`${shown}/X1 Do`)),
        stream(
          '/Type/XObject/Subtype/Image/Width 65500/Height 65500/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode',
          deflateSync(Buffer.alloc(1_000_000)),
        ),
      ),
  ],
  'objects in a stream that holds itself': [
    'a.pdf',
    () => latin(pdf(['<</Type/Catalog/Pages 2 0 R>>', stream('/Type/ObjStm/N 1000000/First 10', latin('2 0 2 0 '))])),
  ],
};

// Pictures

const chunk = (type: string, data: Uint8Array) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, 'latin1');
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type, 'latin1'), data])), 0);
  return Buffer.concat([head, data, tail]);
};
const png = (width: number, height: number, ...chunks: Buffer[]) => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...chunks,
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
const pixels = (bytes: number) => chunk('IDAT', deflateSync(Buffer.alloc(bytes)));
const jpegSized = async (width: number, height: number) => {
  const good = Buffer.from(await goodFiles.jpeg());
  const frame = good.indexOf(Buffer.from([0xff, 0xc0]));
  good.writeUInt16BE(height, frame + 5);
  good.writeUInt16BE(width, frame + 7);
  return good;
};
const gifSized = async (width: number, height: number, frames = 1) => {
  const good = Buffer.from(await goodFiles.gif());
  good.writeUInt16LE(width, 6);
  good.writeUInt16LE(height, 8);
  const body = good.subarray(13, -1);
  return Buffer.concat([good.subarray(0, 13), ...Array.from({ length: frames }, () => body), Buffer.from([0x3b])]);
};

const pictures: Record<string, [string, () => Made]> = {
  'a PNG of ten billion pixels': ['a.png', () => png(100_000, 100_000, pixels(1_000))],
  'a PNG of the largest sides': ['a.png', () => png(0x7fffffff, 0x7fffffff, pixels(10))],
  'a PNG of no sides': ['a.png', () => png(0, 0, pixels(10))],
  'a PNG of one very long line': ['a.png', () => png(0x7fffffff, 1, pixels(1_000))],
  'a PNG within the limit that is packed well': ['a.png', () => png(7_000, 7_000, pixels(7_000 * 21_001))],
  'a PNG with too many pixels in it': ['a.png', () => png(10, 10, pixels(300_000_000))],
  'a PNG with a text of 200 megabytes': [
    'a.png',
    () =>
      png(
        2,
        2,
        chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(200_000_000))])),
        pixels(14),
      ),
  ],
  'a PNG with a colour profile of 200 megabytes': [
    'a.png',
    () =>
      png(
        2,
        2,
        chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(200_000_000))])),
        pixels(14),
      ),
  ],
  'a PNG of a hundred thousand chunks': [
    'a.png',
    () => png(2, 2, ...Array.from({ length: 100_000 }, () => chunk('tEXt', Buffer.from('a\0b'))), pixels(14)),
  ],
  'a JPEG of the largest sides': ['a.jpg', () => jpegSized(65_535, 65_535)],
  'a JPEG of one very long line': ['a.jpg', () => jpegSized(65_535, 1)],
  'a JPEG of no height': ['a.jpg', () => jpegSized(100, 0)],
  'a GIF of the largest sides': ['a.gif', () => gifSized(65_535, 65_535)],
  'a GIF of five thousand frames': ['a.gif', () => gifSized(24, 16, 5_000)],
  'an SVG with entities': [
    'a.svg',
    () => `<?xml version="1.0"?>${entities(12)}<svg xmlns="http://www.w3.org/2000/svg"><text>&e12;</text></svg>`,
  ],
  'an SVG that asks for a file': [
    'a.png',
    () => '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
  ],
};

const cases: HostileCase[] = Object.entries({ zip: zips, text: texts, PDF: pdfs, image: pictures }).flatMap(
  ([kind, group]) =>
    Object.entries(group).map(([name, [file, make]]) => ({
      name: `${kind}: ${name}`,
      run: () => expectBounded(file, make()),
    })),
);

describeHostile('bombs', cases, { every: 37, timeoutMs: 5 * mostSeconds * 1_000 });
