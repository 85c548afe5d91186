import { describe, expect, it } from 'vitest';
import { buildDocument, type RawPart } from '../ingest/index.ts';
import { checkNumbers, type NumberFinding } from './index.ts';

const table = (caption: string, ...rows: readonly (readonly string[])[]): RawPart[] => [
  { kind: 'paragraph', text: caption, caption: true }, { kind: 'table', rows: rows.map((row) => row.map((text) => ({ text }))) },
];
const found = (sentence: string, parts: readonly RawPart[]): NumberFinding[] => checkNumbers({ documents: [buildDocument({
  name: 'report.txt', kind: 'text', hash: 'sha256:0', parts: [{ kind: 'paragraph', text: sentence }, ...parts], notes: [],
})] });
const conflicts = (sentence: string, parts: readonly RawPart[]): string[] => found(sentence, parts).filter(({ outcome }) => outcome === 'conflict').map(({ check }) => check);

const regions = table('Revenue by region', ['', 'Europe', 'Asia', 'Americas', 'Total'], ['2023', '180', '120', '100', '400'], ['2024', '200', '160', '128', '488']);
const utility = table('Income statement (£ million)', ['', '2023', '2024'], ['Generation', '110.0', '101.2'], ['Retail supply', '120.1', '126.6'], ['Revenue', '230.1', '227.8'], ['Fuel and purchased power', '90.4', '95.0'], ['Staff', '40.0', '44.8'],
  ['Operating costs', '130.4', '139.8'], ['EBITDA', '99.7', '88.0'], ['EBITDA margin (%)', '43.3%', '38.6%']);
const quarters = table('Quarterly results ($ million)', ['', 'Q3 2023', 'Q2 2024', 'Q3 2024'], ['Revenue', '110', '120', '150'], ['Costs', '80', '90', '100']);
const activity = table('Activity', ['Indicator', '2023', '2024'], ['Admissions', '12,400', '13,020'], ['Stores at year end', '286', '291'], ['Length of stay (days)', '4.2', '3.9']);

describe('a share of a whole', () => {
  it.each([
    'Europe made up 51 % of revenue in 2024.', 'With 51 % of total revenue, Europe remained the largest region in 2024.', "Europe's share of revenue was 51 % in 2024.",
  ])('“%s” is held against the part and the whole', (sentence) => {
    expect(conflicts(sentence, regions)).toEqual(['share']);
    expect(conflicts(sentence.replace('51', '41'), regions)).toEqual([]);
  });

  it('of a table without a total is that of all its parts', () => {
    const parts = table('Revenue by region', ['', 'Europe', 'Asia', 'Americas'], ['2023', '180', '120', '100'], ['2024', '200', '160', '128']);
    expect(found('Europe made up 51 % of revenue in 2024.', parts)).toContainEqual(expect.objectContaining({
      check: 'share', outcome: 'conflict', arithmetic: '200 / (200 + 160 + 128) = 40.98 %, stated 51 %',
    }));
  });

  it('a growth verb inside “made up” is none, and “of its revenue” is of no total', () => {
    expect(conflicts('Europe made up 41 % of revenue in 2024 (2023: 45 %).', regions)).toEqual([]);
    expect(conflicts('Europe spent 12 % of its revenue on research in 2024.', regions)).toEqual([]);
  });
});

describe('growth without a base', () => {
  it.each(['Revenue grew by 25 % in Q3 2024.', 'Revenue grew by 36.4 % in Q3 2024.'])('“%s” may be against the last quarter or that of the year before', (sentence) => {
    expect(conflicts(sentence, quarters)).toEqual([]);
  });

  it('is a conflict when it agrees with neither, and both are shown', () => {
    expect(found('Revenue grew by 51 % in Q3 2024.', quarters)).toContainEqual(expect.objectContaining({
      check: 'growth', outcome: 'conflict', arithmetic: '(150 − 110) / 110 = 36.36 %; (150 − 120) / 120 = 25 %, stated 51 %',
    }));
  });
});

describe('lines of tables', () => {
  it.each([
    ['Retail supply revenue was £126.6 million in 2024.', '£126.6 million', '£146.6 million'], ['Fuel and purchased power for 2024 stood at £95.0 million.', '95.0', '85.1'],
    ['Generation fell by 8.0 % in 2024.', '8.0', '18.0'], ['Staff came to £44.8 million in 2024.', '£44.8 million', '£44.8 thousand'], ['The EBITDA margin narrowed by 470 basis points in 2024.', '470', '270'],
  ])('“%s” is read off its row', (sentence, right, wrong) => {
    expect(conflicts(sentence, utility)).toEqual([]);
    expect(conflicts(sentence.replace(right, wrong), utility)).toHaveLength(1);
  });

  it.each([
    ['Admissions rose by 5 % to 13,020 in 2024.', '5 %', '15 %'], ['In 2024 we recorded 13,020 admissions.', '13,020', '14,020'], ['The store count was 291 in 2024.', '291', '391'],
    ['The length of stay decreased in 2024.', 'decreased', 'increased'],
  ])('“%s” counts what no list of measures knows', (sentence, right, wrong) => {
    expect(conflicts(sentence, activity)).toEqual([]);
    expect(conflicts(sentence.replace(right, wrong), activity)).toHaveLength(1);
  });

  it('the second subject of a sentence is not held against the first', () => {
    expect(conflicts('While generation fell 8.0 % to £101.2 million in 2024, marketing rose 3.0 % to £7.0 million.', utility)).toEqual([]);
  });

  it('a row of years under a row of measures heads the columns', () => {
    const segments = table('Segments ($ million)', ['', 'Revenue', 'Revenue', 'EBIT', 'EBIT'], ['Segment', '2024', '2023', '2024', '2023'], ['Bakery', '547.9', '505.4', '60.0', '55.0'], ['Chilled', '200.0', '190.0', '20.0', '21.0'], ['Group', '747.9', '695.4', '80.0', '76.0']);
    expect(conflicts('Revenue in Bakery stood at $547.9 million in 2024.', segments)).toEqual([]);
    expect(conflicts('Revenue in Bakery stood at $505.4 million in 2024.', segments)).toEqual(['period']);
  });
});

describe('figures of one sentence', () => {
  it.each([
    ['Passengers rose from 1.20 million in 2023 to 1.38 million in 2024, an increase of 15 %.', '15 %', '25 %', 'growth'],
    ['Revenue increased by $1.2 billion, or 9 %, to $14.4 billion in 2023 from $13.2 billion in 2022.', '$1.2', '$1.5', 'difference'],
    ['Revenue increased $1.2 billion, or 9 %, to $14.4 billion in 2023.', '9 %', '19 %', 'growth'],
    ['Donations dropped 4.4 % to €107.1 million in 2024, from €112.0 million in 2023.', 'dropped', 'rose', 'direction'],
    ['The margin narrowed 500 bps in 2024, from 17.5 % to 12.5 %.', '500', '840', 'difference'],
    ['The margin gained 4.3 percentage points to 54.7 per cent in 2023 (2022: 50.4 per cent).', '4.3', '7.2', 'difference'],
  ])('“%s” agree with each other', (sentence, right, wrong, check) => {
    expect(conflicts(sentence, [])).toEqual([]);
    expect(conflicts(sentence.replace(right, wrong), [])).toContain(check);
  });
});

describe('what is stated twice', () => {
  it.each([
    ['Free reserves came to $66.8 million in 2022.', 'Free reserves of $53.6 million in 2022 were in line with the plan.'], ['Borrowings amounted to €35.8m in FY2024.', 'At €40.1m in FY2024, borrowings mainly reflects loans.'],
    ['Year-end 2023 deferred income: USD 21.6 million.', 'As described above, deferred income for 2023 was USD 17.6 million.'],
  ])('“%s” and “%s” are a conflict though no table knows the measure', (one, other) => {
    expect(conflicts(one, [{ kind: 'paragraph', text: other }])).toEqual(['text-against-text']);
  });

  it('is none where two tables or two lines show both values', () => {
    expect(conflicts('Europe had revenue of $200 thousand in 2024.', [{ kind: 'paragraph', text: 'Asia had revenue of $160 thousand in 2024.' }, ...table('Revenue by region ($ thousand)', ['Region', '2024'], ['Europe', '200'], ['Asia', '160'])])).toEqual([]);
  });

  it('also in two tables that otherwise show the same', () => {
    const again = (value: string): RawPart[] => table('Revenue by stream', ['', '2024', '2023'], ['Marketplace', '944', value], ['Services', '456', '418'], ['Licences', '623', '534']);
    expect(conflicts('See below.', [...again('1,031'), ...again('1,133')])).toEqual(['text-against-text']);
    expect(conflicts('See below.', [...again('1,031'), ...again('1,031')])).toEqual([]);
  });
});

it('A percentage whose sign stands in the header carries it in the arithmetic', () => {
  const shares = table('Mix', ['Region', 'Share (%)'], ['Europe', '43.0'], ['Asia', '33.0'], ['Americas', '27.0'], ['Total', '100.0']);
  expect(found('See below.', shares)).toContainEqual(expect.objectContaining({ check: 'sum', outcome: 'conflict', arithmetic: '43.0 % + 33.0 % + 27.0 % = 103 %, stated 100.0 %' }));
});
