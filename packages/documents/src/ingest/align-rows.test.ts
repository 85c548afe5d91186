import { expect, test } from 'vitest';
import { alignRows } from './align-rows.ts';

const show = (rows: readonly string[][]): string[] =>
  alignRows(rows).map((row) => row.map(({ text }) => text).join('|'));
const zero = '\u200B';

test('Spacers of zero width are dropped where all rows of values then have as many cells', () => {
  expect(
    show([
      [zero, '2024', zero, '2023'],
      ['Revenue', zero, '$2,449', zero, '$2,233'],
      ['Other income', zero, zero, '112', zero, '94'],
      ['Loss', zero, zero, '(9', ')', zero, '(21', ')'],
    ]),
  ).toEqual(['|2024|2023', 'Revenue|$2,449|$2,233', 'Other income|112|94', 'Loss|(9)|(21)']);
});

test('and stay where one of them stands for a value that a row lacks', () => {
  const rows = [
    ['', '2024', 'Share', '2023'],
    ['Revenue', '86', '100', '79'],
    ['Interest', '2', zero, '3'],
  ];
  expect(show(rows)).toEqual(['|2024|Share|2023', 'Revenue|86|100|79', `Interest|2|${zero}|3`]);
});
