import { describe, expect, test } from 'vitest';
import { buildDocument, type RawPart } from '../ingest/index.ts';
import { createNarrator } from './narrate-row.ts';

const tableOf = (rows: (string | null)[][], more: Partial<RawPart> = {}, above: RawPart[] = []) => {
  const cells = rows.map((row) =>
    row.map((text, column) => {
      if (text === null) return null;
      let columns = 1;
      while (row[column + columns] === null) columns += 1;
      return { text, span: { rows: 1, columns } };
    }),
  );
  const document = buildDocument({
    name: 'a.xlsx',
    kind: 'xlsx',
    hash: '',
    parts: [...above, { kind: 'table', rows: cells, ...more }],
    notes: [],
  });
  return document.blocks.at(-1)!.table!;
};
const told = (table: ReturnType<typeof tableOf>) =>
  Array.from({ length: table.rows }, (_, row) => createNarrator(table)(row));

describe('a row told as a sentence', () => {
  test('keeps the period and the kind of thing it is about', () => {
    const table = tableOf([
      ['Region', 'Quarter', 'Growth'],
      ['APAC', 'Q3', '15 %'],
      ['APAC', 'Q4', '12 %'],
      ['EMEA', 'Q3', '3 %'],
    ]);
    expect(told(table)).toEqual([
      null,
      'In Q3, the APAC region recorded a growth of 15 %.',
      'In Q4, the APAC region recorded a growth of 12 %.',
      'In Q3, the EMEA region recorded a growth of 3 %.',
    ]);
  });

  test('keeps the hierarchy of its headers', () => {
    const table = tableOf([
      ['', 'Revenue', null, 'Profit', null],
      ['Segment', '2024', '2023', '2024', '2023'],
      ['Cloud', '4.6', '4.0', '1.1', '0.9'],
    ]);
    expect(table).toMatchObject({ headerRows: 2, headerColumns: 1 });
    expect(told(table)[2]).toBe(
      'The Cloud segment recorded a revenue of 4.6 in 2024, a revenue of 4.0 in 2023, a profit of 1.1 in 2024 and ' +
        'a profit of 0.9 in 2023.',
    );
  });

  test('keeps the unit that stands above the table', () => {
    const table = tableOf(
      [
        ['', '2024', '2023'],
        ['Revenue', '4.6', '4.0'],
        ['Costs', '3.1', '3.0'],
      ],
      {},
      [{ kind: 'paragraph', text: 'Income statement (in millions of USD)' }],
    );
    expect(table.caption).toBe('Income statement (in millions of USD)');
    expect(told(table)[1]).toBe('Revenue was 4.6 in 2024 and 4.0 in 2023 (in millions of USD).');
  });

  test.each([
    ['($ in millions)', '$ in millions'],
    ['USD', 'USD'],
    ['€m', '€m'],
    ['(in thousands)', 'in thousands'],
    ['Item (in thousands of euros)', 'in thousands of euros'],
  ])('keeps the unit %s in the corner of the table, whatever its caption says', (corner, unit) => {
    const table = tableOf(
      [
        [corner, '2024', '2023'],
        ['Revenue', '4.6', '4.0'],
        ['Costs', '3.1', '3.0'],
      ],
      {},
      [{ kind: 'paragraph', text: 'Income (in billions of yen)' }],
    );
    expect(told(table)[1]).toBe(`Revenue was 4.6 in 2024 and 4.0 in 2023 (${unit}).`);
  });

  test('takes no remark in the corner for a unit', () => {
    expect(
      told(
        tableOf([
          ['(unaudited)', '2024', '2023'],
          ['Revenue', '4.6', '4.0'],
        ]),
      )[1],
    ).toBe('Revenue was 4.6 in 2024 and 4.0 in 2023.');
  });

  test('has the unit of its column, and not that of the caption too', () => {
    const table = tableOf(
      [
        ['', '2024', '2023'],
        ['', '$ thousand', '$ thousand'],
        ['Revenue', '4.6', '4.0'],
      ],
      {},
      [{ kind: 'paragraph', text: 'Income (in millions)' }],
    );
    expect(told(table)[2]).toBe('Revenue was 4.6 $ thousand in 2024 and 4.0 $ thousand in 2023.');
  });

  test('keeps the unit of a row of units', () => {
    const table = tableOf([
      ['Plant', 'Output', 'Cost'],
      ['', 'tonnes', 'USD'],
      ['Lyon', '120', '4,000'],
    ]);
    expect(table.headerRows).toBe(2);
    expect(told(table)[2]).toContain('4,000 USD');
  });

  test('names the section of the table it stands in, up to its total', () => {
    const table = tableOf([
      ['', '2024'],
      ['Operating expenses', ''],
      ['Rent', '5'],
      ['Total', '5'],
      ['Net income', '9'],
    ]);
    expect(told(table)).toEqual([
      null,
      null,
      'In 2024, Rent under Operating expenses was 5.',
      'In 2024, Total under Operating expenses was 5.',
      'In 2024, Net income was 9.',
    ]);
  });

  test('tells rows of words fact by fact', () => {
    const table = tableOf([
      ['Player', 'Position', 'Nationality'],
      ['Tero', 'centre', 'Finland'],
      ['Mike', 'defence', 'Canada'],
    ]);
    expect(told(table)[1]).toBe('For player Tero, position is centre and nationality is Finland.');
  });

  test('says on which day', () => {
    const table = tableOf([
      ['', 'November 30, 2023', 'November 30, 2022'],
      ['Cash', '$1,888', '$1,623'],
    ]);
    expect(told(table)[1]).toBe('Cash was $1,888 on November 30, 2023 and $1,623 on November 30, 2022.');
  });
});
