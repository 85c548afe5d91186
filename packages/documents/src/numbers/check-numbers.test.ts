import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Claim } from '../analysis.ts';
import type { Dossier, ReportDocument } from '../document.ts';
import { buildDocument, type RawPart } from '../ingest/index.ts';
import { checkClaim, checkNumbers, quantitiesIn, type NumberFinding } from './index.ts';

const table = (caption: string, ...rows: readonly (readonly string[])[]): RawPart[] => [
  { kind: 'paragraph', text: caption, caption: true },
  { kind: 'table', rows: rows.map((row) => row.map((text) => ({ text }))) },
];
const prose = (text: string): RawPart => ({ kind: 'paragraph', text });
const report = (...parts: readonly (RawPart | RawPart[])[]): ReportDocument =>
  buildDocument({
    name: 'report.txt',
    kind: 'text',
    hash: 'sha256:0',
    parts: parts.flat(),
    notes: [],
  });
const conflicts = (...parts: readonly (RawPart | RawPart[])[]): NumberFinding[] =>
  checkNumbers({ documents: [report(...parts)] }).filter(({ outcome }) => outcome === 'conflict');
const quotes = ({ places }: NumberFinding, document: ReportDocument): string[] =>
  places.map(({ start, end }) => document.text.slice(start, end));

const income = table(
  'Income statement ($ in thousands)',
  ['', '2024', '2023'],
  ['Revenue', '4,600', '4,000'],
  ['Cost of sales', '(2,300)', '(2,080)'],
  ['Gross profit', '2,300', '1,920'],
  ['Operating expenses', '(1,300)', '(1,120)'],
  ['Operating profit', '1,000', '800'],
  ['Gross margin', '50.0%', '48.0%'],
);

describe('spreadsheets are exact, print is rounded', () => {
  const hours = (kind: ReportDocument['kind'], total: string, value?: number): NumberFinding[] =>
    checkNumbers({
      documents: [
        buildDocument({
          name: `hours.${kind}`,
          kind,
          hash: 'sha256:0',
          notes: [],
          parts: [
            {
              kind: 'table',
              rows: [
                [{ text: 'Team' }, { text: 'Hours' }],
                [{ text: 'Design' }, { text: '23.5', value: 23.5 }],
                [{ text: 'Build' }, { text: '13', value: 13 }],
                [{ text: 'Test' }, { text: '9.5', value: 9.5 }],
                [{ text: 'Total' }, { text: total, value: value ?? Number(total) }],
              ],
            },
          ],
        }),
      ],
    });

  it.each(['xlsx', 'csv'] as const)('In %s a total is its parts to the digit', (kind) => {
    expect(hours(kind, '47')).toMatchObject([
      { check: 'sum', outcome: 'conflict', arithmetic: '23.5 + 13 + 9.5 = 46, stated 47', gap: 1 },
    ]);
    expect(hours(kind, '46').map(({ outcome }) => outcome)).toEqual(['holds']);
  });

  it('A number that is shown rounded counts as it is in the file', () => {
    expect(hours('xlsx', '46', 46.4)[0]).toMatchObject({ outcome: 'holds' });
    expect(hours('xlsx', '47', 46.6)[0]).toMatchObject({ outcome: 'conflict' });
  });

  it('In print a total may differ by what rounding leaves open', () => {
    expect(hours('pdf', '47').filter(({ outcome }) => outcome === 'conflict')).toEqual([]);
    expect(hours('pdf', '49')).toMatchObject([{ outcome: 'conflict' }]);
  });
});

describe('tables against themselves', () => {
  it('A consistent statement raises nothing, and what was recomputed is shown', () => {
    const findings = checkNumbers({ documents: [report(income)] });
    expect(findings.filter(({ outcome }) => outcome === 'conflict')).toEqual([]);
    expect(findings.map(({ arithmetic }) => arithmetic)).toContain('2,300 / 4,600 = 50 %, stated 50.0%');
  });

  it('A total that is not the sum of its parts is a conflict on all its cells', () => {
    const document = report(
      table(
        'Revenue by region',
        ['Region', '2024'],
        ['Europe', '2,000'],
        ['Asia', '1,600'],
        ['Americas', '1,000'],
        ['Total', '4,700'],
      ),
    );
    const [finding, ...more] = checkNumbers({ documents: [document] });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      check: 'sum',
      outcome: 'conflict',
      arithmetic: '2,000 + 1,600 + 1,000 = 4,600, stated 4,700',
      gap: 100,
    });
    expect(quotes(finding!, document)).toEqual(['4,700', '2,000', '1,600', '1,000']);
  });

  it('An amount in the sentence above a table does not scale the table', () => {
    const rows = table(
      '',
      ['', '2024', '2023'],
      ['Revenue', '5,000,000', '4,000,000'],
      ['Costs', '3,100,000', '3,000,000'],
    )[1]!;
    expect(conflicts(prose('Revenue reached $5 million in 2024.'), rows)).toEqual([]);
  });

  it.each([['$ thousand'], ["$'000"]])('A unit in the header of a table (%s) counts more than its caption', (unit) => {
    const rows = table(
      'Results (in millions)',
      ['', `2024, ${unit}`, `2023, ${unit}`],
      ['Revenue', '5,000', '4,000'],
      ['Costs', '3,100', '3,000'],
    );
    expect(conflicts(rows, prose('Revenue reached $5.0 million in 2024.'))).toEqual([]);
    const corner = table(
      'Results (in millions)',
      [unit, '2024', '2023'],
      ['Revenue', '5,000', '4,000'],
      ['Costs', '3,100', '3,000'],
    );
    expect(conflicts(corner, prose('Revenue reached $5.0 million in 2024.'))).toEqual([]);
    expect(conflicts(corner, prose('Revenue reached $5.0 billion in 2024.'))).toMatchObject([{ check: 'units' }]);
  });

  it('Rounding explains a unit in the last place', () => {
    expect(
      conflicts(
        table(
          'Revenue by region',
          ['Region', '2024'],
          ['Europe', '33.3'],
          ['Asia', '33.3'],
          ['Americas', '33.3'],
          ['Total', '100.0'],
        ),
      ),
    ).toEqual([]);
  });

  it('Subtotals are not added to the total again', () => {
    expect(
      conflicts(
        table(
          'Costs',
          ['', '2024', '2023'],
          ['Rent', '100', '90'],
          ['Power', '50', '45'],
          ['Total site costs', '150', '135'],
          ['Wages', '400', '380'],
          ['Training', '20', '15'],
          ['Total people costs', '420', '395'],
          ['Total costs', '570', '530'],
        ),
      ),
    ).toEqual([]);
  });

  it('A wrong share, change and margin are each held against their values', () => {
    const found = conflicts(
      table(
        'Revenue by region',
        ['Region', '2023', '2024', 'Share', 'Change'],
        ['Europe', '1,800', '2,000', '43.5%', '11.1%'],
        ['Asia', '1,200', '1,600', '43.8%', '33.3%'],
        ['Americas', '1,000', '1,000', '21.7%', '0.0%'],
        ['Oceania', '100', '120', '2.5%', '28.0%'],
        ['Total', '4,100', '4,720', '100.0%', '15.1%'],
      ),
      table(
        'Margins',
        ['', '2024', '2023'],
        ['Revenue', '4,600', '4,000'],
        ['Operating profit', '1,000', '800'],
        ['Operating margin', '27.1%', '20.0%'],
      ),
    );
    expect(found.map(({ check }) => check).toSorted()).toContain('margin');
    expect(found.find(({ check }) => check === 'growth')?.arithmetic).toBe('(120 − 100) / 100 = 20 %, stated 28.0%');
    expect(found.find(({ check }) => check === 'margin')?.arithmetic).toBe('1,000 / 4,600 = 21.74 %, stated 27.1%');
  });

  it('A year is the sum of its quarters for a flow and the last of them for a stock', () => {
    expect(
      conflicts(
        table(
          '2024',
          ['', 'Q1', 'Q2', 'Q3', 'Q4', 'Full year'],
          ['Revenue', '100', '120', '130', '150', '500'],
          ['Orders', '90', '110', '140', '160', '500'],
          ['Headcount', '40', '42', '45', '47', '47'],
        ),
      ),
    ).toEqual([]);
    const [finding] = conflicts(
      table(
        '2024',
        ['', 'Q1', 'Q2', 'Q3', 'Q4', 'Full year'],
        ['Revenue', '100', '120', '130', '150', '560'],
        ['Orders', '90', '110', '140', '160', '500'],
        ['Costs', '70', '80', '85', '90', '325'],
      ),
    );
    expect(finding).toMatchObject({ check: 'sum', arithmetic: '100 + 120 + 130 + 150 = 500, stated 560' });
  });

  it('Any column of parts agrees with its sum, and no longer does when one part changes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 100, max: 9999 }), { minLength: 2, maxLength: 7 }),
        fc.nat(),
        (parts, which) => {
          const total = parts.reduce((sum, part) => sum + part, 0);
          const rows = (values: readonly number[]): string[][] => [
            ['Item', '2024'],
            ...values.map((value, index) => [`Site ${'ABCDEFG'[index]}`, String(value)]),
            ['Total', String(total)],
          ];
          expect(conflicts(table('Output', ...rows(parts)))).toEqual([]);
          const index = which % parts.length;
          const more = Math.ceil(parts[index]! * 0.1);
          // Where the first parts happen to be as much as was added, the rest is a sum of its own.
          fc.pre(
            parts.every((_, count) => Math.abs(parts.slice(0, count).reduce((sum, part) => sum + part, 0) - more) > 5),
          );
          const altered = parts.map((part, at) => (at === index ? part + more : part));
          const found = conflicts(table('Output', ...rows(altered)));
          expect(found.some(({ places }) => places.some(({ cell }) => cell?.row === index + 1))).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('text against tables', () => {
  it.each([
    ['Revenue came to $5.2 million in 2024.', 'statement-against-table'],
    ['Revenue was $4.6 billion in 2024.', 'units'],
    ['In 2024, revenue was €4.6 million.', 'units'],
    ['Revenue was $4.6 million in 2023.', 'period'],
    ['Revenue grew 25 % to $4.6 million in 2024.', 'growth'],
    ['Operating profit fell in 2024.', 'direction'],
    ['The gross margin narrowed in 2024, as input prices rose.', 'direction'],
    ['The operating margin reached 31.4 % in 2024.', 'margin'],
    ['Gross margin was 55.0% in 2024.', 'statement-against-table'],
  ])('“%s” is a conflict of the kind %s', (sentence, check) => {
    expect(conflicts(prose(sentence), income).map((finding) => finding.check)).toContain(check);
  });

  it.each([
    ['Revenue grew 15 % to $4.6 million in 2024 from $4.0 million in 2023.'],
    ['Sales reached about $4.5 million in 2024.'],
    ['The operating margin was 21.7 % in 2024, up from 20 % in 2023.'],
    ['We expect revenue of $6 million in 2025.'],
    ['Cloud revenue was $1.1 million in 2024.'],
    ['Operating profit did not fall in 2024.'],
    ['Revenue was $4.6 million and $4.0 million in 2024 and 2023, respectively.'],
    ['Gross profit improved by $380 thousand in 2024.'],
  ])('“%s” is none', (sentence) => {
    expect(conflicts(prose(sentence), income)).toEqual([]);
  });

  it('The most specific row is meant', () => {
    const regions = table(
      'Revenue by region ($ in millions)',
      ['Region', '2024', '2023'],
      ['Northern Europe', '2.0', '1.8'],
      ['Asia', '2.6', '2.2'],
      ['Total', '4.6', '4.0'],
    );
    expect(
      conflicts(
        prose('Revenue in Northern Europe rose to $2.0 million in 2024. Asia contributed 56.5 % of revenue in 2024.'),
        regions,
      ),
    ).toEqual([]);
    expect(conflicts(prose('Revenue in Northern Europe rose to $2.6 million in 2024.'), regions)).toHaveLength(1);
  });

  it('A value stated twice with another number is a conflict without any table', () => {
    expect(
      conflicts(prose('Net income was $3.25 million in 2024.'), prose('For 2024 net income was $2.75 million.')).map(
        ({ check }) => check,
      ),
    ).toEqual(['text-against-text']);
    expect(
      conflicts(prose('Revenue grew 40 % from $10.0 million to $12.0 million.')).map(({ check }) => check),
    ).toEqual(['growth']);
  });
});

describe('a claim', () => {
  const claim = (text: string): Claim => ({
    id: 'claim-01',
    text,
    kind: 'assertion',
    domain: 'finance',
    importance: 1,
    origin: null,
  });
  const dossier: Dossier = { documents: [report(income)] };

  it('is looked up and recomputed', () => {
    expect(checkClaim(claim('Revenue grew by 15 % in 2024.'), dossier)).toContainEqual(
      expect.objectContaining({
        check: 'growth',
        outcome: 'holds',
        arithmetic: '(4,600 − 4,000) / 4,000 = 15 %, stated 15 %',
      }),
    );
    expect(checkClaim(claim('Revenue grew by 51 % in 2024.'), dossier)).toContainEqual(
      expect.objectContaining({ check: 'growth', outcome: 'conflict' }),
    );
  });

  it('about something the dossier has no numbers on gives nothing', () => {
    expect(checkClaim(claim('Customer satisfaction rose by 12 % in 2024.'), dossier)).toEqual([]);
  });
});

describe('what a report leaves unsaid is no conflict', () => {
  const sales = table(
    'Sales',
    ['', '2023', '2022'],
    ['Resins', '440,915', '512,310'],
    ['Solvents', '298,375', '301,440'],
  );

  it.each([
    ['the scale of a table', [sales, prose('Sales of resins in 2023 were $441 million.')]],
    [
      'the sign of what was used',
      [
        table(
          'Cash flows ($ in thousands)',
          ['', '2023', '2022'],
          ['Net cash used in operating activities', '(2,089)', '(3,679)'],
          ['Net cash used in investing activities', '(410)', '(388)'],
        ),
        prose('Net cash used in operating activities decreased in 2023.'),
      ],
    ],
    [
      'which way a loss went that improved',
      [prose('Net loss improved by $867,000, or 52%, to $814,000 as compared to $1,681,000 in 2022.')],
    ],
    [
      'that three months are one period',
      [
        table(
          'Operating expenses ($ in millions)',
          ['Three months ended December 31', '2023', '2022'],
          ['Employee', '299.1', '270.2'],
          ['Other', '115.5', '102.1'],
          ['Total operating expenses', '414.6', '372.3'],
        ),
        prose('Total operating expenses were $414.6 million for the three months ended December 31, 2023.'),
      ],
    ],
    [
      'how shares were rounded',
      [
        table(
          'Revenue by line',
          ['Line', 'Revenue', '% of revenue'],
          ['Consumer', '35,135', '78%'],
          ['Research', '7,606', '17%'],
          ['Licences', '1,342', '3%'],
          ['Other', '664', '1%'],
          ['Total', '44,747', '100%'],
        ),
      ],
    ],
    [
      'what tells three offerings apart',
      [
        prose('In 2023 proceeds of the first offering came to $94.4 million.'),
        prose('In 2023 proceeds of the second offering came to $79.6 million.'),
        prose('In 2023 proceeds of the third offering came to $50.3 million.'),
      ],
    ],
  ])('%s', (_, parts) => {
    expect(conflicts(...parts)).toEqual([]);
  });

  it('but a wrong amount is one at any scale', () => {
    expect(conflicts(sales, prose('Sales of resins in 2023 were $541 million.'))).toMatchObject([
      { arithmetic: '440,915, stated $541 million' },
    ]);
  });
});

it('Quantities carry unit, scale, period and the characters they stand on', () => {
  const document = report(prose('In Q3 2024 orders came to €3.2 million.'), income);
  const quantities = quantitiesIn(document);
  expect(quantities[0]).toMatchObject({ value: 3.2e6, unit: 'EUR', period: 'Q3 2024', text: '€3.2 million' });
  expect(quantities.find(({ text }) => text === '(2,080)')).toMatchObject({
    value: -2_080_000,
    unit: 'USD',
    period: 'FY2023',
    measure: 'Cost of sales · 2023',
    precision: 500,
  });
  for (const { text, place } of quantities) expect(document.text.slice(place.start, place.end)).toBe(text);
});
