import { describe, expect, test } from 'vitest';
import type { ReportDocument } from '../../document.ts';
import { addNamedRows, ingestDocument } from '../index.ts';

const noOcr = { readImageText: null };
const regions = ['North', 'South', 'East'];
const orders = Array.from({ length: 3000 }, (_, index) => ({
  id: `ORD-${index + 1}`,
  date: `${2023 + (index % 2)}-0${1 + (index % 9)}-15`,
  region: regions[index % 3]!,
  product: index % 2 === 0 ? 'Pens' : 'Ink',
  customer: `Customer ${index % 200}`,
  price: 2.5,
  revenue: ((index % 10) + 0.11).toFixed(2),
}));
const write = (delimiter: string, rows: readonly object[] = orders) =>
  [Object.keys(orders[0]!), ...rows.map((row) => Object.values(row))].map((row) => row.join(delimiter)).join('\n');
const read = (content: string, limits = {}) => ingestDocument(Buffer.from(content), 'orders.csv', noOcr, { limits });
const lines = ({ text }: ReportDocument, heading: string) =>
  text.slice(text.indexOf(heading)).split('\n\n')[1]!.split('\n');
const sum = (rows: readonly (typeof orders)[number][]) =>
  rows.reduce((total, { revenue }) => total + Math.round(Number(revenue) * 100), 0) / 100;

describe('a table with more rows than are laid out', () => {
  test('is told by totals that add up to the cent, and says so', async () => {
    const document = await read(write(','));
    expect(document.notes).toEqual([
      'A table has 3,000 rows: it is told by its totals of price, revenue by region, product, and by the rows that ' +
        'are named.',
    ]);
    const [header, ...rows] = lines(document, 'By region');
    expect(header).toBe('region | Average price | revenue | Number of rows');
    const north = sum(orders.filter(({ region }) => region === 'North'));
    expect(rows[1]).toBe(`North | 2.500 | ${north.toLocaleString('en', { minimumFractionDigits: 2 })} | 1,000`);
    expect(rows.at(-1)).toBe(
      `Total | 2.500 | ${sum(orders).toLocaleString('en', { minimumFractionDigits: 2 })} | 3,000`,
    );
    const byYear = lines(document, 'Revenue by region and year');
    expect(byYear[0]).toBe('region | 2023 | 2024 | Total');
    expect(document.text.length).toBeLessThan(10_000);
  });

  test('shows the rows that a claim names, with their place in the file', async () => {
    const document = await read(write(','));
    const { documents } = addNamedRows({ documents: [document] }, ['Order ORD-777 came to 99 from customer 7.']);
    expect(lines(documents[0]!, 'Rows whose id is named')[1]).toContain('ORD-777 | 2023-03-15 | East | Pens');
    const cell = documents[0]!.blocks.flatMap(({ table }) => table?.cells ?? []).find(({ text }) => text === 'ORD-777');
    expect(cell?.address).toBe('A778');
  });

  test('adds up all rows of a name, and of groups that a claim names together', async () => {
    const named = addNamedRows({ documents: [await read(write(','))] }, [
      'Customer 7 bought little.',
      'Pens in North sold well.',
    ]).documents[0]!;
    const customer = sum(orders.filter(({ customer: name }) => name === 'Customer 7'));
    expect(lines(named, 'By customer, of those named')[1]).toBe(`Customer 7 | 2.500 | ${customer.toFixed(2)} | 15`);
    const both = sum(orders.filter(({ region, product }) => region === 'North' && product === 'Pens'));
    expect(lines(named, 'Revenue by region and product and year')[1]).toContain(
      both.toLocaleString('en', { minimumFractionDigits: 2 }),
    );
  });

  test('is the same whether it is held in memory or read past it', async () => {
    const many = Array.from({ length: 8 }, () => orders).flat();
    const document = await read(`Orders of all regions\n\n${write(';', many)}`);
    expect(document.text.startsWith('Orders of all regions')).toBe(true);
    expect(lines(document, 'By region').at(-1)).toContain((8 * sum(orders)).toLocaleString('en'));
    expect(document.notes.join(' ')).toContain('24,000 rows');
  });

  test('is not held in memory where it is wide, either', async () => {
    const document = await read(write(','), { heldCells: 5000 });
    expect(lines(document, 'By region').at(-1)).toContain(sum(orders).toLocaleString('en'));
    const wide = Array.from({ length: 60 }, () => Array.from({ length: 900 }, (_, at) => at).join(',')).join('\n');
    expect((await read(wide, { heldCells: 50_000 })).notes.join(' ')).toContain('rows');
  });

  test('is laid out where the limit allows it', async () => {
    const document = await read(write(','), { laidOutRows: 5000 });
    expect(document.blocks[0]!.table!.rows).toBe(3001);
  });
});
