import { strToU8, unzipSync, zipSync } from 'fflate';
import writeExcelFile, { type SheetData } from 'write-excel-file/node';
import { describe, expect, test } from 'vitest';
import type { Block, ReportDocument } from '../../document.ts';
import { ingestDocument } from '../index.ts';

const noOcr = { readImageText: null };
const read = (bytes: Uint8Array, name = 'report.xlsx', limits = {}) => ingestDocument(bytes, name, noOcr, { limits });
const workbook = (data: SheetData, sheet = 'Results') => writeExcelFile(data, { sheet }).toBuffer();
const tables = (document: ReportDocument) => document.blocks.flatMap((block) => (block.table ? [block.table] : []));
const texts = (block: Block) =>
  Array.from({ length: block.table!.rows }, (_, row) =>
    block.table!.cells.filter((cell) => cell.row === row).map((cell) => cell.text),
  );

/** Changes files within a workbook. */
function edited(
  bytes: Uint8Array,
  edit: (path: string, xml: string) => string,
  more: Record<string, string> = {},
): Uint8Array {
  const files = unzipSync(bytes);
  const changed = Object.entries(files).map(
    ([path, file]) => [path, strToU8(edit(path, Buffer.from(file).toString('utf8')))] as const,
  );
  return zipSync(
    Object.fromEntries([...changed, ...Object.entries(more).map(([path, text]) => [path, strToU8(text)] as const)]),
  );
}

describe('a workbook', () => {
  test('is read with number formats as shown, raw values, dates and addresses', async () => {
    const document = await read(
      await workbook([
        ['Region', 'Growth', 'Revenue', 'Closed', 'Audited'],
        [
          'APAC',
          { value: 0.153, format: '0.0%' },
          { value: 1234567, format: '#,##0' },
          { value: new Date(Date.UTC(2024, 5, 30)), format: 'dd/mm/yyyy' },
          true,
        ],
      ]),
    );
    const block = document.blocks.at(-1)!;
    expect(block).toMatchObject({
      kind: 'table',
      sheet: 'Results',
      section: ['Results'],
      table: { headerRows: 1, headerColumns: 1 },
    });
    expect(texts(block)[1]).toEqual(['APAC', '15.3%', '1,234,567', '2024-06-30', 'TRUE']);
    expect(block.table!.cells.find((cell) => cell.text === '15.3%')).toMatchObject({
      value: 0.153,
      address: 'B2',
      row: 1,
      column: 1,
    });
    expect(document.text.slice(block.start, block.end)).toContain('APAC | 15.3% | 1,234,567 | 2024-06-30 | TRUE');
  });

  test('has all its sheets, hidden and empty ones noted', async () => {
    const bytes = await writeExcelFile([
      {
        data: [
          ['a', 'b'],
          ['x', 1],
        ],
        sheet: 'First',
      },
      {
        data: [
          ['c', 'd'],
          ['y', 2],
        ],
        sheet: 'Second',
      },
      { data: [], sheet: 'Third' },
    ]).toBuffer();
    const document = await read(
      edited(bytes, (path, xml) =>
        path === 'xl/workbook.xml' ? xml.replace(/(<sheet [^>]*name="Second")/u, '$1 state="hidden"') : xml,
      ),
    );
    expect(
      document.blocks
        .filter((block) => block.kind === 'heading')
        .map((block) => document.text.slice(block.start, block.end)),
    ).toEqual(['First', 'Second']);
    expect(document.notes).toEqual(['The sheet “Second” is hidden.', 'The sheet “Third” is empty.']);
  });

  test.each(['P&L', 'R&D <new>', '"Q1" &amp; Q2', 'Übersicht'])('has a sheet called %s', async (sheet) => {
    const document = await read(
      await workbook(
        [
          ['Line', '2024'],
          ['Revenue', { value: 5, format: '#,##0 "R&D"' }],
        ],
        sheet,
      ),
    );
    expect(document.notes).toEqual([]);
    expect(document.blocks.at(-1)).toMatchObject({ sheet, section: [sheet] });
    expect(texts(document.blocks.at(-1)!)[1]).toEqual(['Revenue', '5 R&D']);
  });

  test('keeps merged cells, which name the columns they cover', async () => {
    const document = await read(
      await workbook([
        ['', { value: 'Revenue', columnSpan: 2 }, null, { value: 'Profit', columnSpan: 2 }, null],
        ['Segment', '2024', '2023', '2024', '2023'],
        ['Cloud', 4.6, 4, 1.1, 0.9],
      ]),
    );
    const [table] = tables(document);
    expect(table).toMatchObject({ headerRows: 2, headerColumns: 1 });
    expect(table!.cells.find((cell) => cell.text === 'Profit')).toMatchObject({
      column: 3,
      span: { rows: 1, columns: 2 },
      address: 'D1',
    });
    expect(document.blocks.at(-1)!.sentences[2]!.narrative).toBe(
      'The Cloud segment recorded a revenue of 4.6 in 2024, a revenue of 4 in 2023, a profit of 1.1 in 2024 and a ' +
        'profit of 0.9 in 2023.',
    );
  });

  test('has several tables on a sheet, between blank rows and columns, with what stands above them', async () => {
    const document = await read(
      await workbook([
        ['Sales by region (in USD millions)', null, null, null, null],
        [null, null, null, null, null],
        ['Region', 'Sales', null, 'Product', 'Units'],
        ['APAC', 5, null, 'Pens', 100],
        ['EMEA', 7, null, 'Ink', 200],
        [null, null, null, null, null],
        ['Year', 'Staff', null, null, null],
        ['2023', 12, null, null, null],
        ['2024', 15, null, null, null],
      ]),
    );
    expect(document.blocks.map((block) => block.kind)).toEqual(['heading', 'paragraph', 'table', 'table', 'table']);
    expect(texts(document.blocks[2]!)).toEqual([
      ['Region', 'Sales'],
      ['APAC', '5'],
      ['EMEA', '7'],
    ]);
    expect(texts(document.blocks[3]!)).toEqual([
      ['Product', 'Units'],
      ['Pens', '100'],
      ['Ink', '200'],
    ]);
    expect(texts(document.blocks[4]!)[2]).toEqual(['2024', '15']);
    expect(document.blocks[2]!.table!.caption).toContain('in USD millions');
    expect(document.blocks[3]!.table!.cells[0]!.address).toBe('D3');
  });

  test('is not cut where a blank row only parts sections of one table', async () => {
    const document = await read(
      await workbook([
        ['Item', '2024', '2023'],
        ['Revenue', 5, 4],
        [null, null, null],
        ['Costs', 3, 2],
        ['Profit', 2, 2],
      ]),
    );
    expect(tables(document)).toMatchObject([{ rows: 5, headerRows: 1 }]);
  });

  test('shows formulas by their saved values, and errors as errors', async () => {
    const bytes = await workbook([
      ['Item', 'Value', 'Ratio'],
      ['Total', 6, 1],
      ['Other', 1, 2],
    ]);
    const document = await read(
      edited(bytes, (path, xml) =>
        path.startsWith('xl/worksheets/')
          ? xml
              .replace(/(<c r="B2"[^>]*>)/u, '$1<f>SUM(A1:A2)</f>')
              .replace(/<c r="C3"[^>]*>.*?<\/c>/u, '<c r="C3" t="e"><f>1/0</f><v>#DIV/0!</v></c>')
              .replace(/<c r="C2"[^>]*>.*?<\/c>/u, '<c r="C2"><f>NOW()</f></c>')
          : xml,
      ),
    );
    expect(texts(document.blocks.at(-1)!)).toEqual([
      ['Item', 'Value', 'Ratio'],
      ['Total', '6', '(not computed)'],
      ['Other', '1', '#DIV/0!'],
    ]);
    expect(document.notes).toEqual([
      'The sheet “Results” has formulas without a saved value: 1 not computed: C2 (NOW is not known).',
    ]);
  });

  test('has formulas without a saved value computed, shared ones too, and says so', async () => {
    const bytes = await workbook([
      ['Item', '2024', '2023', 'Change'],
      ['Sales', 6, 5, 1],
      ['Costs', 4, 2, 1],
      ['Profit', 1, 1, 1],
    ]);
    const formulas: Record<string, string> = {
      B4: '<f>B2-B3</f>',
      C4: '<f>C2-C3</f><v></v>',
      D2: '<f t="shared" ref="D2:D4" si="0">B2/C2-1</f>',
      D3: '<f t="shared" si="0"/>',
      D4: '<f t="shared" si="0"/>',
    };
    const document = await read(
      edited(bytes, (path, xml) =>
        path.startsWith('xl/worksheets/')
          ? xml.replace(/<c r="(B4|C4|D[2-4])"[^>]*>.*?<\/c>/gu, (_, at: string) => `<c r="${at}">${formulas[at]!}</c>`)
          : xml,
      ),
    );
    expect(texts(document.blocks.at(-1)!).slice(1)).toEqual([
      ['Sales', '6', '5', '0.2'],
      ['Costs', '4', '2', '1'],
      ['Profit', '2', '3', '-0.33333333333'],
    ]);
    expect(document.notes).toEqual([
      'The sheet “Results” has formulas without a saved value: 5 computed here: D2, D3, B4, C4, D4.',
    ]);
  });

  test('has its macros, links and connections noted and left alone', async () => {
    const bytes = await workbook([
      ['a', 'b'],
      ['x', 1],
    ]);
    const document = await read(
      edited(bytes, (_, xml) => xml, {
        'xl/vbaProject.bin': 'macro',
        'xl/externalLinks/externalLink1.xml': '<externalLink/>',
        'xl/externalLinks/_rels/externalLink1.xml.rels':
          '<Relationships><Relationship Target="file:///etc/passwd" TargetMode="External"/></Relationships>',
        'xl/connections.xml': '<connections/>',
      }),
    );
    expect(document.notes).toEqual([
      'It holds macros, which were not run.',
      'It draws on other workbooks, which were not opened (1).',
      'It has connections to data elsewhere, which were not used.',
      'Links out of the workbook were not followed (1).',
    ]);
    expect(document.text).not.toContain('passwd');
  });
});

describe('a workbook that is refused', () => {
  test('a zip bomb, before any of it is unpacked', async () => {
    const bytes = zipSync({
      'xl/workbook.xml': strToU8('<workbook/>'),
      'xl/worksheets/sheet1.xml': new Uint8Array(15_000_000),
    });
    expect(bytes.length).toBeLessThan(200_000);
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'zip-bomb',
      message: expect.stringContaining('times its size'),
    });
    await expect(read(bytes, 'a.xlsx', { unpackedBytes: 1_000_000 })).rejects.toMatchObject({
      code: 'zip-bomb',
      message: expect.stringContaining('15 MB'),
    });
    const many = zipSync(
      Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, new Uint8Array(1)])),
    );
    await expect(read(many, 'a.xlsx', { zipEntries: 20 })).rejects.toMatchObject({
      code: 'zip-bomb',
      message: expect.stringContaining('20 files'),
    });
  });

  test('a bomb that lies about its size stops at the size it announced', async () => {
    const honest = zipSync({ 'xl/workbook.xml': new Uint8Array(500_000) });
    const lying = Buffer.from(honest);
    const directory = lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    lying.writeUInt32LE(100, directory + 24);
    await expect(read(lying)).rejects.toMatchObject({ code: expect.stringMatching(/corrupt-document|empty-document/) });
  });

  test('a damaged archive', async () => {
    const bytes = await workbook([
      ['a', 'b'],
      ['x', 1],
    ]);
    await expect(read(bytes.subarray(0, bytes.length - 40))).rejects.toMatchObject({ code: 'corrupt-document' });
    const files = unzipSync(bytes);
    const withoutSheets = zipSync({ ...files, 'xl/workbook.xml': strToU8('not xml at all <') });
    await expect(read(withoutSheets)).rejects.toMatchObject({
      code: expect.stringMatching(/corrupt-document|empty-document/),
    });
  });

  test('the old format, a protected one, and archives that are no workbook', async () => {
    const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
    await expect(read(ole, 'old.xls')).rejects.toMatchObject({
      code: 'old-office-format',
      hint: expect.stringContaining('.xlsx'),
    });
    const locked = Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]);
    await expect(read(locked)).rejects.toMatchObject({ code: 'encrypted-document' });
    await expect(read(zipSync({ 'ppt/presentation.xml': strToU8('x') }), 'a.pptx')).rejects.toMatchObject({
      code: 'unknown-format',
      message: expect.stringContaining('presentation'),
    });
    await expect(read(zipSync({ 'a.txt': strToU8('x') }))).rejects.toMatchObject({
      code: 'unknown-format',
      hint: expect.stringContaining('Unpack'),
    });
  });

  test('a sheet with more rows than the limit', async () => {
    const bytes = await workbook(Array.from({ length: 30 }, (_, row) => [`r${row}`, row]));
    await expect(read(bytes, 'a.xlsx', { tableRows: 20 })).rejects.toMatchObject({
      code: 'document-too-large',
      message: expect.stringContaining('21 rows'),
    });
  });

  test.each([
    ['a cell at the far end', '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'],
    ['a row beyond the end', '<row r="99999999999"><c r="A99999999999"/></row>'],
    ['a column beyond the end', '<row r="9"><c r="ZZZZZZZ9"><v>2</v></c></row>'],
  ])('with %s is refused before the cells up to there are filled', async (_what, far) => {
    const bytes = edited(
      await workbook([
        ['a', 'b'],
        ['x', 1],
      ]),
      (path, xml) => (path.includes('worksheets/') ? xml.replace('</sheetData>', `${far}</sheetData>`) : xml),
    );
    const started = process.threadCpuUsage();
    await expect(read(bytes)).rejects.toMatchObject({ code: 'document-too-large' });
    // To fill a sheet of seventeen thousand million cells takes longer.
    expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(5_000);
  });

  test('with formats far below its last value is read', async () => {
    const bytes = edited(
      await workbook([
        ['a', 'b'],
        ['x', 1],
      ]),
      (path, xml) =>
        path.includes('worksheets/')
          ? xml.replace('</sheetData>', '<row r="900000"><c r="XFD900000" s="0"/></row></sheetData>')
          : xml,
    );
    expect(tables(await read(bytes))[0]).toMatchObject({ rows: 2, columns: 2 });
  });
});
