import { describe, expect, it } from 'vitest';
import { documentOf } from '@agonhq/test/support/analysis-setup.ts';
import { checkClaim, checkNumbers } from '../index.ts';

const outcomes = (table: string[][], text: string, title = 'Income statement (USD million)'): string[] => {
  const dossier = { documents: [documentOf('report.md', ['# Report', title, table])] };
  const claim = { id: 'claim-01', text, kind: 'assertion' as const, domain: '', importance: 1, origin: null };
  return checkClaim(claim, dossier).map(({ outcome, arithmetic }) => `${outcome}: ${arithmetic}`);
};

describe('a column is bound to what is said of it, and to nothing else', () => {
  const restated = [
    ['', '2023 as previously reported', '2023 as restated', '2024'],
    ['Revenue', '410', '400', '460'],
    ['Gross profit', '150', '140', '190'],
  ];
  it.each([
    ['As previously reported, revenue was $410 million in 2023.', ['holds: 410, stated $410 million']],
    ['As previously reported, revenue was $400 million in 2023.', ['conflict: 410, stated $400 million']],
    ['As restated, revenue was $400 million in 2023.', ['holds: 400, stated $400 million']],
    ['As restated, revenue was $410 million in 2023.', ['conflict: 400, stated $410 million']],
    ['Revenue was $405 million in 2023.', []],
    ['Revenue was $470 million in 2024.', ['conflict: 460, stated $470 million']],
  ])('restated or first reported: %s', (text, found) => {
    expect(outcomes(restated, text)).toEqual(found);
  });

  const quarters = [
    ['', 'Q3 2024', 'Nine months ended September 30, 2024', 'YTD 2023', '2023'],
    ['Revenue', '120', '340', '300', '400'],
    ['Gross profit', '50', '140', '120', '150'],
  ];
  it.each([
    ['Revenue was $340 million for the nine months ended September 30, 2024.', ['holds: 340, stated $340 million']],
    ['Revenue was $340 million in the first nine months of 2024.', ['holds: 340, stated $340 million']],
    ['Revenue was $120 million in the third quarter of 2024.', ['holds: 120, stated $120 million']],
    ['Revenue was $350 million in the first nine months of 2024.', ['conflict: 340, stated $350 million']],
    ['Revenue was $470 million in 2024.', []],
    ['Year-to-date 2023 revenue was $300 million.', ['holds: 300, stated $300 million']],
    ['Revenue was $300 million in 2023.', ['conflict: 400, stated $300 million']],
  ])('a quarter, the year to date or a full year: %s', (text, found) => {
    expect(outcomes(quarters, text)).toEqual(found);
  });

  it('a year of 52 weeks is the one that the report calls so', () => {
    const weeks = [
      ['', '53 weeks ended February 3, 2024', '52 weeks ended January 28, 2023'],
      ['Net sales', '970', '870'],
      ['Cost of sales', '500', '480'],
    ];
    const said = 'The 53 weeks ended February 3, 2024 (“Fiscal 2023”) had one week more.';
    const text = 'Net sales were $870 million in fiscal 2023.';
    expect(outcomes(weeks, text)).toEqual([]);
    const dossier = { documents: [documentOf('report.md', ['# Report', said, 'Sales (USD million)', weeks, text])] };
    expect(checkNumbers(dossier).map(({ outcome, arithmetic }) => `${outcome}: ${arithmetic}`)).toContain(
      'conflict: 970, stated $870 million',
    );
  });
});

describe('a conflict needs the same measure', () => {
  const table = [
    ['', '2023', '2024'],
    ['Current income tax expense', '90', '100'],
    ['Deferred tax assets', '30', '40'],
    ['Marketable securities', '700', '800'],
    ['Net loan-to-deposit ratio', '83.2%', '90.0%'],
  ];
  it.each([
    ['Income tax expense was $140 million in 2024.', []],
    ['Net deferred tax assets were $20 million in 2024.', []],
    ['In 2024, marketable securities had an unrealized loss of $12 million.', []],
    ['The loan-to-deposit ratio was 91.6% in 2024.', []],
    ['Marketable securities were $830 million in 2024.', ['conflict: 800, stated $830 million']],
    ['Deferred tax assets increased in 2024 by $10 million.', ['holds: 40 − 30 = 10, stated $10 million']],
  ])('%s', (text, found) => {
    expect(outcomes(table, text, 'Key figures (USD million)')).toEqual(found);
  });
});
