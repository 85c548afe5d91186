import { describe, expect, test } from 'vitest';
import type { ReportDocument } from '../document.ts';
import { ingestDocument } from './index.ts';

const read = (content: string | Uint8Array, name = 'report.csv', limits = {}) =>
  ingestDocument(
    typeof content === 'string' ? Buffer.from(content) : content,
    name,
    { readImageText: null },
    { limits },
  );
const rowsOf = (document: ReportDocument, block = 0) => {
  const { table } = document.blocks.filter((candidate) => candidate.table)[block]!;
  return Array.from({ length: table!.rows }, (_, row) =>
    table!.cells.filter((cell) => cell.row === row).map((cell) => cell.text),
  );
};
const values = (document: ReportDocument) =>
  document.blocks.find((block) => block.table)!.table!.cells.flatMap((cell) => cell.value ?? []);

describe('a CSV file', () => {
  test.each([[','], [';'], ['\t'], ['|'], ['#']])('separated by %j', async (delimiter) => {
    const document = await read(
      `Region${delimiter}Growth\nAPAC${delimiter}15\n"EMEA, North; South"${delimiter}3\nLATAM${delimiter}2\n`,
    );
    expect(rowsOf(document)).toEqual([
      ['Region', 'Growth'],
      ['APAC', '15'],
      ['EMEA, North; South', '3'],
      ['LATAM', '2'],
    ]);
    expect(document.blocks[0]!.table).toMatchObject({ headerRows: 1, headerColumns: 1 });
  });

  test('with quotes, line breaks and doubled quotes in its values', async () => {
    const document = await read('Name,Says\n"Smith, J.","He said ""yes""\nand left"\nJones,no\n');
    expect(rowsOf(document)[1]).toEqual(['Smith, J.', 'He said "yes" and left']);
  });

  test('with quotation marks that do not match', async () => {
    const document = await read('Name,Height\n"Tall,5\nShort,3\n');
    expect(rowsOf(document)).toEqual([
      ['Name', 'Height'],
      ['"Tall', '5'],
      ['Short', '3'],
    ]);
    expect(document.notes).toEqual(['Its quotation marks do not match: they were read as letters.']);
  });

  test.each([
    ['1,234.56', 'Region,Sales\nAPAC,"1,234.56"\nEMEA,"2,000"\n', [1234.56, 2000]],
    ['1.234,56', 'Region;Sales\nAPAC;1.234,56\nEMEA;2.000\n', [1234.56, 2000]],
    ['0,5', 'Region;Sales\nAPAC;0,5\nEMEA;12,25\n', [0.5, 12.25]],
  ])('with numbers like %s', async (_, content, expected) => {
    expect(values(await read(content))).toEqual(expected);
  });

  test.each([
    ['UTF-8 with a mark', Buffer.from('\uFEFFRegion,Größe\nZürich,5\n'), []],
    ['UTF-16', Buffer.from('\uFEFFRegion,Größe\nZürich,5\n', 'utf16le'), ['Its letters were read as utf-16le.']],
    [
      'UTF-16 without a mark',
      Buffer.from('Region,Größe\nZürich,5\nRegion,5\n', 'utf16le'),
      ['Its letters were read as utf-16le.'],
    ],
    [
      'windows-1252',
      Buffer.from('Region,Größe\nZürich,5\nKöln,7\n', 'latin1'),
      ['Its letters were read as windows-1252.'],
    ],
  ])('in %s', async (_, bytes, notes) => {
    const document = await read(bytes);
    expect(rowsOf(document)[0]).toEqual(['Region', 'Größe']);
    expect(rowsOf(document)[1]).toEqual(['Zürich', '5']);
    expect(document.notes).toEqual(notes);
  });

  test('in Shift JIS', async () => {
    const line = Buffer.from('8bb38ee68df6826f93fa967b8cea82cc83658358836782c582b781420a', 'hex');
    const document = await read(Buffer.concat([line, line, line]));
    expect(document.notes).toEqual(['Its letters were read as shift_jis.']);
    expect(document.text).toContain('日本語のテストです');
  });

  test('with ragged rows', async () => {
    const document = await read('a,b,c\n1,2,3\n4,5\n6,7,8\n');
    expect(document.notes).toEqual(['Rows with more or fewer than 3 values: 1.']);
    expect(document.blocks[0]!.table).toMatchObject({ rows: 4, columns: 3 });
  });

  test('with a title that a blank line parts from its table, which it names', async () => {
    const document = await read(
      'Sales report 2024\n(in thousands of dollars)\n\nRegion,Q1,Q2\nNorth,10,20\nSouth,5,5\nTotal,15,25\n\nAs ' +
        'filed with the board.\n',
    );
    expect(document.blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph', 'table', 'paragraph']);
    expect(document.blocks[2]!.table!.caption).toBe('Sales report 2024 (in thousands of dollars)');
  });

  test('with a title above and several tables between blank lines', async () => {
    const document = await read(
      'Sales (in USD thousands)\nRegion,Sales\nAPAC,5\nEMEA,7\n\nYear,Staff\n2023,12\n2024,15\n',
    );
    expect(document.blocks.map((block) => block.kind)).toEqual(['paragraph', 'table', 'table']);
    expect(document.blocks[1]!.table!.caption).toBe('Sales (in USD thousands)');
    expect(document.blocks[1]!.sentences[1]!.narrative).toBe('The APAC region recorded sales of 5 (in USD thousands).');
    expect(rowsOf(document, 1)).toEqual([
      ['Year', 'Staff'],
      ['2023', '12'],
      ['2024', '15'],
    ]);
  });

  test('too large, by its size or its rows', async () => {
    await expect(read('a,b\n1,2\n3,4\n', 'a.csv', { fileBytes: 5 })).rejects.toMatchObject({
      code: 'document-too-large',
    });
    await expect(read('a,b\n1,2\n3,4\n', 'a.csv', { tableRows: 2 })).rejects.toMatchObject({
      code: 'document-too-large',
      message: 'a.csv has more than 2 rows; the limit is 2.',
    });
  });
});
