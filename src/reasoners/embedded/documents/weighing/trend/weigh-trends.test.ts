import { describe, expect, it } from 'vitest';
import { readDocument, type Dossier } from '../../../../../jobs/documents/index.ts';
import { weighTrends } from './weigh-trends.ts';

async function dossierOf(name: string, text: string): Promise<Dossier> {
  return { documents: [await readDocument(new TextEncoder().encode(text), name, { readImageText: null })] };
}

const regions = await dossierOf(
  'regions.md',
  `# Revenue by region

| Region | 2022 | 2023 | 2024 |
|---|---|---|---|
| Asia | 110 | 120 | 126 |
| Europe | 90 | 100 | 112 |
| Americas | 210 | 205 | 198 |
| Africa | 20 | 40 | 40 |
| Total | 430 | 465 | 476 |
`,
);
const long = await dossierOf(
  'long.csv',
  `region,year,revenue,headcount
Asia,2023,120,40
Asia,2024,126,38
Europe,2023,100,30
Europe,2024,112,31
`,
);
const quarters = await dossierOf(
  'quarters.csv',
  `Quarter,Orders,Returns
Q1 2024,100,9
Q2 2024,110,8
Q3 2024,121,7
`,
);

const outcome = (claim: string, dossier: Dossier): string => {
  const signal = weighTrends(claim, dossier);
  return signal === null ? 'silent' : signal.weight > 0 ? 'holds' : 'fails';
};

describe('a claim about things over time, against a table of periods', () => {
  it.each([
    ['Asia grew.', 'holds'],
    ['Asia shrank.', 'fails'],
    ['Revenue in Asia fell in 2024.', 'fails'],
    ['Americas declined in 2024.', 'holds'],
    ['Asia and Europe grew in 2024.', 'holds'],
    ['Asia and Americas grew in 2024.', 'fails'],
    ['Asia grew faster than Europe.', 'fails'],
    ['Europe grew faster than Asia.', 'holds'],
    ['Asia grew more slowly than Europe in 2024.', 'silent'],
    ['Asia grew slower than Europe in 2024.', 'holds'],
    ['Europe outgrew Asia in 2024.', 'holds'],
    ['Asia outpaced Europe in 2024.', 'fails'],
    ['Revenue in Asia was higher than in Europe in 2024.', 'holds'],
    ['Revenue in Europe was higher than in Asia in 2024.', 'fails'],
    ['Europe exceeded Asia in 2024.', 'fails'],
    ['Asia outperformed Americas in 2024.', 'silent'], // It grew more, and is lower.
    ['Africa outperformed Europe in 2024.', 'fails'],
    ['Americas had the highest revenue in 2024.', 'holds'],
    ['Asia had the highest revenue in 2024.', 'fails'],
    ['Africa had the lowest revenue in 2024.', 'holds'],
    ['Europe was the fastest growing region in 2024.', 'holds'],
    ['Asia was the fastest growing region in 2024.', 'fails'],
    ['Africa doubled in 2023.', 'holds'],
    ['Asia doubled in 2024.', 'fails'],
    ['Africa was flat in 2024.', 'holds'],
    ['Europe was flat in 2024.', 'fails'],
    ['Asia fell by 5% in 2024.', 'fails'],
    ['Asia shrank in 2024, due to a weak currency.', 'fails'],
  ])('%s %s', (claim, expected) => {
    expect(outcome(claim, regions)).toBe(expected);
  });

  it.each([
    'Asia grew by 5% in 2024.', // The amount is the number tools' business.
    'Asia will shrink.',
    'Asia did not grow.',
    'Headcount in Asia fell.',
    'Oceania grew.',
    'Asia grew in 2021.',
    'The marketing team in Asia shrank.',
    'Asia grew, and costs fell.',
  ])('%s is left to others', (claim) => {
    expect(outcome(claim, regions)).toBe('silent');
  });

  it('reads rows that are periods, with a column of names or without', () => {
    expect(outcome('Asia grew faster than Europe in revenue.', long)).toBe('fails');
    expect(outcome('Headcount in Asia fell in 2024.', long)).toBe('holds');
    expect(outcome('Asia grew.', long)).toBe('silent'); // Revenue did, headcount did not.
    expect(outcome('Orders rose.', quarters)).toBe('holds');
    expect(outcome('Returns rose in Q3 2024.', quarters)).toBe('fails');
    expect(outcome('Orders exceeded returns in Q2 2024.', quarters)).toBe('holds');
  });

  it('quotes the rows, and tells what they say', () => {
    expect(weighTrends('Asia grew faster than Europe.', regions)).toMatchObject({
      kind: 'table',
      quotes: ['Asia | 110 | 120 | 126', 'Europe | 90 | 100 | 112'],
      why: 'Asia went from 120 to 126 (+5 %); Europe went from 100 to 112 (+12 %)',
    });
  });
});
