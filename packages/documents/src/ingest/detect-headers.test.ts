import { expect, test } from 'vitest';
import { detectHeaders } from './detect-headers.ts';

const headersOf = (...rows: string[][]) => {
  const { headerRows, headerColumns } = detectHeaders(
    rows.map((row) => row.map((text) => ({ text }))),
    Math.max(...rows.map(({ length }) => length)),
  );
  return [headerRows, headerColumns];
};

test.each<[string, string[][], [number, number]]>([
  [
    'names above and beside numbers',
    [
      ['Region', '2024', '2023'],
      ['APAC', '5.0', '4.0'],
      ['EMEA', '7.1', '6.5'],
    ],
    [1, 1],
  ],
  [
    'no names above',
    [
      ['APAC', '5.0', '4.0'],
      ['EMEA', '7.1', '6.5'],
    ],
    [0, 1],
  ],
  [
    'no names beside',
    [
      ['Sales', 'Costs'],
      ['5.0', '4.0'],
      ['7.1', '6.5'],
    ],
    [1, 0],
  ],
  [
    'two rows of names',
    [
      ['', 'Sales', 'Costs'],
      ['', '2024', '2024'],
      ['APAC', '5.0', '4.0'],
    ],
    [2, 1],
  ],
  [
    'a title of its own, then names',
    [
      ['Sales by region', '', ''],
      ['', '2024', '2023'],
      ['APAC', '5.0', '4.0'],
    ],
    [2, 1],
  ],
  [
    'a unit below the names',
    [
      ['', '2024', '2023'],
      ['in millions', '', ''],
      ['APAC', '5.0', '4.0'],
    ],
    [2, 1],
  ],
  [
    'a section below the names is none',
    [
      ['', '2024', '2023'],
      ['Europe', '', ''],
      ['France', '5.0', '4.0'],
    ],
    [1, 1],
  ],
  [
    'a row of blanks is no name',
    [
      ['APAC', '–', '–'],
      ['EMEA', '7.1', '6.5'],
    ],
    [0, 1],
  ],
  [
    'a table of words has one row of names',
    [
      ['Name', 'Role'],
      ['Ada', 'Chair'],
      ['Bo', 'Member'],
    ],
    [1, 1],
  ],
  [
    'a second named row is one of periods or units alone',
    [
      ['Region', 'Sales'],
      ['Year', '2024'],
      ['APAC', '5.0'],
    ],
    [2, 1],
  ],
  [
    'a second named row of words is none',
    [
      ['Region', 'Sales'],
      ['Lead', 'Ada'],
      ['APAC', '5.0'],
    ],
    [1, 1],
  ],
  [
    'groups and what is in them',
    [
      ['Area', 'City', '2024'],
      ['North', 'Bergen', '5.0'],
      ['North', 'Oslo', '4.0'],
      ['South', 'Rome', '7.0'],
      ['South', 'Pisa', '8.0'],
    ],
    [1, 2],
  ],
  [
    'a column that groups nothing names alone',
    [
      ['City', 'Lead', '2024'],
      ['Bergen', 'Ada', '5.0'],
      ['Oslo', 'Bo', '4.0'],
      ['Rome', 'Cy', '7.0'],
    ],
    [1, 1],
  ],
  ['one column', [['Sales'], ['5.0'], ['7.1']], [1, 0]],
  ['a single row', [['Sales', '5.0']], [0, 1]],
])('%s', (_, rows, expected) => {
  expect(headersOf(...rows)).toEqual(expected);
});

test('no table has more than eight rows of names', () => {
  const titles = Array.from({ length: 12 }, (_, index) => [`Part ${String.fromCodePoint(65 + index)}`, '']);
  expect(headersOf(...titles, ['APAC', '5.0'])[0]).toBe(8);
});
