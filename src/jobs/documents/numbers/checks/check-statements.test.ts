import { describe, expect, it } from 'vitest';
import { buildDocument, type RawPart } from '../../ingest/index.ts';
import { checkNumbers, type NumberFinding } from '../index.ts';

const table = (caption: string, ...rows: readonly (readonly string[])[]): RawPart[] => [
  { kind: 'paragraph', text: caption, caption: true },
  { kind: 'table', rows: rows.map((row) => row.map((text) => ({ text }))) },
];
const found = (sentence: string, parts: readonly RawPart[]): NumberFinding[] =>
  checkNumbers({
    documents: [
      buildDocument({
        name: 'report.txt',
        kind: 'text',
        hash: 'sha256:0',
        parts: [{ kind: 'paragraph', text: sentence }, ...parts],
        notes: [],
      }),
    ],
  });
const conflicts = (sentence: string, parts: readonly RawPart[]): string[] =>
  found(sentence, parts)
    .filter(({ outcome }) => outcome === 'conflict')
    .map(({ check }) => check);

const regions = table(
  'Revenue by region',
  ['', 'Europe', 'Asia', 'Americas', 'Total'],
  ['2023', '180', '120', '100', '400'],
  ['2024', '200', '160', '128', '488'],
);
const utility = table(
  'Income statement (£ million)',
  ['', '2023', '2024'],
  ['Generation', '110.0', '101.2'],
  ['Retail supply', '120.1', '126.6'],
  ['Revenue', '230.1', '227.8'],
  ['Fuel and purchased power', '90.4', '95.0'],
  ['Staff', '40.0', '44.8'],
  ['Operating costs', '130.4', '139.8'],
  ['EBITDA', '99.7', '88.0'],
  ['EBITDA margin (%)', '43.3%', '38.6%'],
);
const quarters = table(
  'Quarterly results ($ million)',
  ['', 'Q3 2023', 'Q2 2024', 'Q3 2024'],
  ['Revenue', '110', '120', '150'],
  ['Costs', '80', '90', '100'],
);
const activity = table(
  'Activity',
  ['Indicator', '2023', '2024'],
  ['Admissions', '12,400', '13,020'],
  ['Stores at year end', '286', '291'],
  ['Length of stay (days)', '4.2', '3.9'],
);

describe('a share of a whole', () => {
  it.each([
    'Europe made up 51 % of revenue in 2024.',
    'With 51 % of total revenue, Europe remained the largest region in 2024.',
    "Europe's share of revenue was 51 % in 2024.",
  ])('“%s” is held against the part and the whole', (sentence) => {
    expect(conflicts(sentence, regions)).toEqual(['share']);
    expect(conflicts(sentence.replace('51', '41'), regions)).toEqual([]);
  });

  it('of a table without a total is that of all its parts', () => {
    const parts = table(
      'Revenue by region',
      ['', 'Europe', 'Asia', 'Americas'],
      ['2023', '180', '120', '100'],
      ['2024', '200', '160', '128'],
    );
    expect(found('Europe made up 51 % of revenue in 2024.', parts)).toContainEqual(
      expect.objectContaining({
        check: 'share',
        outcome: 'conflict',
        arithmetic: '200 / (200 + 160 + 128) = 40.98 %, stated 51 %',
      }),
    );
  });

  it('a growth verb inside “made up” is none, and “of its revenue” is of no total', () => {
    expect(conflicts('Europe made up 41 % of revenue in 2024 (2023: 45 %).', regions)).toEqual([]);
    expect(conflicts('Europe spent 12 % of its revenue on research in 2024.', regions)).toEqual([]);
  });
});

describe('a share of a total that adds up', () => {
  const services = table(
    'Service revenue ($ million)',
    ['', '2024', '2023'],
    ['Mobile', '19.9', '18.0'],
    ['Television', '20.2', '20.0'],
    ['Enterprise', '30.2', '29.0'],
    ['Total service revenue', '70.3', '67.0'],
  );

  it.each([
    ['Mobile provided 28.3 % of service revenue in 2024.', '28.3', '38.3'],
    ['As a share of service revenue, television stood at 28.7 % in 2024.', '28.7', '18.7'],
    ['In 2024 43.0 % of service revenue was attributable to enterprise.', '43.0', '33.0'],
    ['Television contributed just over a quarter of service revenue in 2024.', 'a quarter', 'half'],
    ['Mobile contributed less than half of service revenue in 2024.', 'less than half', 'more than half'],
  ])('“%s” is held against it, and the total is no part of itself', (sentence, right, wrong) => {
    expect(conflicts(sentence, services)).toEqual([]);
    expect(conflicts(sentence.replace(right, wrong), services)).toEqual(['share']);
  });

  it('“roughly a third of” a part says nothing of the whole', () => {
    expect(conflicts('Roughly a third of mobile relates to the north in 2024.', services)).toEqual([]);
  });
});

describe('a budget', () => {
  const budget = table(
    'Budget monitoring 2024 (£ million)',
    ['Line', 'Budget', 'Actual', 'Variance', 'Variance %'],
    ['Nursing pay', '20.0', '21.0', '1.0', '5.0%'],
    ['Drugs', '14.0', '12.6', '-1.4', '-10.0%'],
    ['Total', '34.0', '33.6', '-0.4', '-1.2%'],
  );

  it.each([
    ['Nursing pay came in 5.0 % over budget.', '5.0', '15.0', 'growth'],
    ['Drugs exceeded its budget of £14.0 million by 10.0 %.', 'exceeded', 'fell short of', 'direction'],
    [
      'Nursing pay cost £21.0 million in 2024 compared with the £20.0 million budgeted.',
      '£21.0 million',
      '£21.0 billion',
      'units',
    ],
    [
      'Actual spending on drugs in 2024 was £12.6 million, against a budget of £14.0 million.',
      '£14.0',
      '£17.0',
      'statement-against-table',
    ],
  ])('“%s” is told from what came', (sentence, one, other, check) => {
    const [right, wrong] =
      check === 'direction' ? [sentence.replace(one, other), sentence] : [sentence, sentence.replace(one, other)];
    expect(conflicts(right, budget)).toEqual([]);
    expect(conflicts(wrong, budget)).toEqual([check]);
  });
});

describe('growth without a base', () => {
  it.each(['Revenue grew by 25 % in Q3 2024.', 'Revenue grew by 36.4 % in Q3 2024.'])(
    '“%s” may be against the last quarter or that of the year before',
    (sentence) => {
      expect(conflicts(sentence, quarters)).toEqual([]);
    },
  );

  it('is a conflict when it agrees with neither, and both are shown', () => {
    expect(found('Revenue grew by 51 % in Q3 2024.', quarters)).toContainEqual(
      expect.objectContaining({
        check: 'growth',
        outcome: 'conflict',
        arithmetic: '(150 − 110) / 110 = 36.36 %; (150 − 120) / 120 = 25 %, stated 51 %',
      }),
    );
  });
});

describe('lines of tables', () => {
  it.each([
    ['Retail supply revenue was £126.6 million in 2024.', '£126.6 million', '£146.6 million'],
    ['Fuel and purchased power for 2024 stood at £95.0 million.', '95.0', '85.1'],
    ['Generation fell by 8.0 % in 2024.', '8.0', '18.0'],
    ['Staff came to £44.8 million in 2024.', '£44.8 million', '£44.8 thousand'],
    ['The EBITDA margin narrowed by 470 basis points in 2024.', '470', '270'],
  ])('“%s” is read off its row', (sentence, right, wrong) => {
    expect(conflicts(sentence, utility)).toEqual([]);
    expect(conflicts(sentence.replace(right, wrong), utility)).toHaveLength(1);
  });

  it.each([
    ['Admissions rose by 5 % to 13,020 in 2024.', '5 %', '15 %'],
    ['In 2024 we recorded 13,020 admissions.', '13,020', '14,020'],
    ['The store count was 291 in 2024.', '291', '391'],
    ['The length of stay decreased in 2024.', 'decreased', 'increased'],
  ])('“%s” counts what no list of measures knows', (sentence, right, wrong) => {
    expect(conflicts(sentence, activity)).toEqual([]);
    expect(conflicts(sentence.replace(right, wrong), activity)).toHaveLength(1);
  });

  it.each([
    ['Retail supply (£126.6 million in 2024) developed as planned.', '£126.6', '£136.6'],
    ['In 2024 £126.6 million was attributable to retail supply.', '126.6', '136.6'],
    ['Generation crept down to £101.2 million in 2024.', 'down', 'up'],
    ['There was a decrease in EBITDA in 2024.', 'a decrease', 'an increase'],
  ])('“%s” states it in passing', (sentence, right, wrong) => {
    expect(conflicts(sentence, utility)).toEqual([]);
    expect(conflicts(sentence.replace(right, wrong), utility)).toHaveLength(1);
  });

  it.each(['EBITDA doubled in 2024.', 'EBITDA more than halved in 2024.'])('“%s” is plainly not so', (sentence) => {
    expect(conflicts(sentence, utility)).toHaveLength(1);
  });

  it.each([
    'Consensus had looked for EBITDA of £95.0 million in 2024.',
    'Five years ago EBITDA was £70.0 million.',
    'Management had budgeted EBITDA of £93.0 million for 2024.',
  ])('“%s” is no statement of what was', (sentence) => {
    expect(conflicts(sentence, utility)).toEqual([]);
  });

  it('costs that are shown as negative grow like others, whatever the column of changes is called', () => {
    const costs = (fuel: string): RawPart[] =>
      table(
        'Costs ($ million)',
        ['', '2024', '2023', 'Var. %'],
        ['Jet fuel', '(30.7)', '(26.5)', fuel],
        ['Staff', '(49.9)', '(43.2)', '15.5%'],
        ['Leases', '(57.5)', '(49.9)', '15.2%'],
      );
    expect(conflicts('See below.', costs('15.8%'))).toEqual([]);
    expect(conflicts('See below.', costs('23.7%'))).toEqual(['growth']);
  });

  it('the second subject of a sentence is not held against the first', () => {
    expect(
      conflicts(
        'While generation fell 8.0 % to £101.2 million in 2024, marketing rose 3.0 % to £7.0 million.',
        utility,
      ),
    ).toEqual([]);
  });

  it('a row of years under a row of measures heads the columns', () => {
    const segments = table(
      'Segments ($ million)',
      ['', 'Revenue', 'Revenue', 'EBIT', 'EBIT'],
      ['Segment', '2024', '2023', '2024', '2023'],
      ['Bakery', '547.9', '505.4', '60.0', '55.0'],
      ['Chilled', '200.0', '190.0', '20.0', '21.0'],
      ['Group', '747.9', '695.4', '80.0', '76.0'],
    );
    expect(conflicts('Revenue in Bakery stood at $547.9 million in 2024.', segments)).toEqual([]);
    expect(conflicts('Revenue in Bakery stood at $505.4 million in 2024.', segments)).toEqual(['period']);
  });
});

describe('figures of one sentence', () => {
  it.each([
    [
      'Passengers rose from 1.20 million in 2023 to 1.38 million in 2024, an increase of 15 %.',
      '15 %',
      '25 %',
      'growth',
    ],
    [
      'Revenue increased by $1.2 billion, or 9 %, to $14.4 billion in 2023 from $13.2 billion in 2022.',
      '$1.2',
      '$1.5',
      'difference',
    ],
    ['Revenue increased $1.2 billion, or 9 %, to $14.4 billion in 2023.', '9 %', '19 %', 'growth'],
    ['Donations dropped 4.4 % to €107.1 million in 2024, from €112.0 million in 2023.', 'dropped', 'rose', 'direction'],
    ['The margin narrowed 500 bps in 2024, from 17.5 % to 12.5 %.', '500', '840', 'difference'],
    [
      'The margin gained 4.3 percentage points to 54.7 per cent in 2023 (2022: 50.4 per cent).',
      '4.3',
      '7.2',
      'difference',
    ],
  ])('“%s” agree with each other', (sentence, right, wrong, check) => {
    expect(conflicts(sentence, [])).toEqual([]);
    expect(conflicts(sentence.replace(right, wrong), [])).toContain(check);
  });
});

describe('what is stated twice', () => {
  it.each([
    [
      'Free reserves came to $66.8 million in 2022.',
      'Free reserves of $53.6 million in 2022 were in line with the plan.',
    ],
    ['Borrowings amounted to €35.8m in FY2024.', 'At €40.1m in FY2024, borrowings mainly reflects loans.'],
    [
      'Year-end 2023 deferred income: USD 21.6 million.',
      'As described above, deferred income for 2023 was USD 17.6 million.',
    ],
  ])('“%s” and “%s” are a conflict though no table knows the measure', (one, other) => {
    expect(conflicts(one, [{ kind: 'paragraph', text: other }])).toEqual(['text-against-text']);
  });

  it('word for word but for one amount, it is a conflict in a long report, too', () => {
    const told = (amount: string): string =>
      'On 29 December 2021 the underwriters exercised their option for 1,489,658 units at $10.00 each for gross ' +
      `proceeds of ${amount}.`;
    expect(conflicts(told('$14,896,580'), [{ kind: 'paragraph', text: told('$14,598,648') }])).toContain(
      'text-against-text',
    );
    expect(conflicts(told('$14,896,580'), [{ kind: 'paragraph', text: told('$14,896,580') }])).toEqual([]);
  });

  it('is none where two tables or two lines show both values', () => {
    expect(
      conflicts('Europe had revenue of $200 thousand in 2024.', [
        { kind: 'paragraph', text: 'Asia had revenue of $160 thousand in 2024.' },
        ...table('Revenue by region ($ thousand)', ['Region', '2024'], ['Europe', '200'], ['Asia', '160']),
      ]),
    ).toEqual([]);
  });

  it('also in two tables that otherwise show the same', () => {
    const again = (value: string): RawPart[] =>
      table(
        'Revenue by stream',
        ['', '2024', '2023'],
        ['Marketplace', '944', value],
        ['Services', '456', '418'],
        ['Licences', '623', '534'],
      );
    expect(conflicts('See below.', [...again('1,031'), ...again('1,133')])).toEqual(['text-against-text']);
    expect(conflicts('See below.', [...again('1,031'), ...again('1,031')])).toEqual([]);
  });
});

it('What one number of a sentence is known to be of, the other is of, too', () => {
  const long = Array.from({ length: 160 }, (_, index): RawPart => ({
    kind: 'paragraph',
    text: `Paragraph ${index} says nothing of numbers.`,
  }));
  const sentence = 'Net sales increased by $147 million, or 4 %, compared to the prior year.';
  const parts = [
    ...long,
    ...table(
      'Rigid packaging ($ in millions)',
      ['', '2023', '2022'],
      ['Net sales', '3,540', '3,393'],
      ['Rebates', '1,100', '1,000'],
    ),
  ];
  expect(conflicts(sentence, parts)).toEqual([]);
  expect(conflicts(sentence.replace('4 %', '9 %'), parts)).toEqual(['growth']);
  expect(found(sentence, parts)).toContainEqual(
    expect.objectContaining({ arithmetic: '3,540 − 3,393 = 147 million, stated $147 million' }),
  );
});

it('A percentage whose sign stands in the header carries it in the arithmetic', () => {
  const shares = table(
    'Mix',
    ['Region', 'Share (%)'],
    ['Europe', '43.0'],
    ['Asia', '33.0'],
    ['Americas', '27.0'],
    ['Total', '100.0'],
  );
  expect(found('See below.', shares)).toContainEqual(
    expect.objectContaining({
      check: 'sum',
      outcome: 'conflict',
      arithmetic: '43.0 % + 33.0 % + 27.0 % = 103 %, stated 100.0 %',
    }),
  );
});
