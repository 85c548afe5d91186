import { describe, expect, it } from 'vitest';
import { documentOf } from '@agonhq/test/support/analysis-setup.ts';
import type { Dossier } from '../document.ts';
import { checkNumbers } from './index.ts';

/* What filings are full of, and what is no error of theirs: each with an error of the same kind that is one. */

const report = (...parts: (string | string[][])[]): Dossier => ({
  documents: [documentOf('report.md', ['# Report', ...parts])],
});
const conflicts = (dossier: Dossier): string[] =>
  checkNumbers(dossier)
    .filter(({ outcome }) => outcome === 'conflict')
    .map(({ arithmetic }) => arithmetic);
/** So long that what it does not name is not guessed. */
const long = (...parts: (string | string[][])[]): Dossier =>
  report(...parts, ...Array.from({ length: 160 }, (_, at) => `The note of page ${at} is for information alone.`));

describe('tables', () => {
  it('An opening balance is no result of the lines above it, whatever they happen to come to', () => {
    const flows = (end: string): string[][] => [
      ['', '2023', '2022'],
      ['Proceeds from advances', '16,000', '21,450'],
      ['Net cash provided by financing activities', '16,000', '21,450'],
      ['Net increase (decrease) in cash', '(2,067)', '(4,700)'],
      ['Cash - beginning of the year', '2,067', '13,555'],
      ['Cash - end of the year', '0', end],
    ];
    expect(conflicts(report('Cash flows (USD)', flows('8,855')))).toEqual([]);
  });

  it('A part that only one year has counts, whatever it is called', () => {
    const assets = (total: string): string[][] => [
      ['', '2023', '2022'],
      ['Cash', '20,773', '1,275,616'],
      ['Receivables', '74,833', '583,368'],
      ['Inventory', '4,849,600', '5,122,564'],
      ['Assets per discontinued operations, current', '-', '241,544'],
      ['Total current assets', '4,945,206', total],
    ];
    expect(conflicts(report('Balance sheet (USD)', assets('7,223,092')))).toEqual([]);
  });

  it('A change within a roll-forward is not the change between its later balances', () => {
    const rolled = [
      ['Balance as of December 31, 2021', '$4,702'],
      ['Investments', '2,709'],
      ['Distributions', '(382)'],
      ['Change in fair value', '(16)'],
      ['Balance as of December 31, 2022', '$7,013'],
      ['Investments', '89'],
      ['Distributions', '(379)'],
      ['Change in fair value', '(1,210)'],
      ['Balance as of December 31, 2023', '$5,513'],
    ];
    expect(conflicts(report('Ventures at fair value (in thousands)', rolled))).toEqual([]);
  });
});

describe('sentences', () => {
  it.each([
    [
      'two things that rose, one of them by a combined amount',
      'Fees increased by a combined $3.0 million, or 12.6%, and staffing charges increased $2.1 million, or 25.3%.',
    ],
    [
      'a gain among expenses',
      'Other operating expenses were a gain of $9.7 million in 2023 as compared to $16.7 million in 2022, a decrease of $26.4 million.',
    ],
    [
      'amounts that are rounded to thousands',
      'Interest on deposits increased $233,000, or 44.2%, to $759,000 in 2023 from $526,000 in 2022.',
    ],
  ])('%s', (_, text) => {
    expect(conflicts(report(text))).toEqual([]);
  });

  it('but a rate that no rounding explains is a conflict', () => {
    const text = 'Interest on deposits increased $233,000, or 42.4%, to $759,000 in 2023 from $526,000 in 2022.';
    expect(conflicts(report(text))).toEqual(['($759,000 − $526,000) / $526,000 = 44.3 %, stated 42.4%']);
  });

  it('The number of a note is no amount', () => {
    const balance = [
      ['', '2023', '2022'],
      ['Accrued expenses', '10,817', '9,000'],
      ['Trade payables', '4,000', '3,100'],
    ];
    const note = '7. ACCRUED EXPENSES In 2023 and 2022, the company has accrued expenses as following:';
    expect(checkNumbers(report('Liabilities (USD)', balance, note))).toEqual([]);
  });

  it('What stands behind an “and” between two nouns is no statement of its own', () => {
    const before = (loss: string): Dossier =>
      report(
        'Income before income taxes and loss on equity method investments was $29.2 million in 2024.',
        `In 2024, loss on equity method investments was ${loss}.`,
        'The loss on equity method investments was $1.6 million in 2024.',
      );
    expect(conflicts(before('$1.6 million'))).toEqual([]);
    expect(conflicts(before('$1.9 million'))).not.toEqual([]);
  });

  it('Sentences with other figures throughout speak of one segment after the other', () => {
    const say = (margin: string, earlier: string): string =>
      `Our operating margin, based on revenue, net of subcontractor costs, was ${margin} in the first quarter of ` +
      `fiscal 2024 compared to ${earlier} in the first quarter of fiscal 2023.`;
    expect(conflicts(long(say('14.3%', '14.9%'), say('12.5%', '13.1%')))).toEqual([]);
    expect(conflicts(long(say('14.3%', '14.9%'), say('12.5%', '14.9%')))).toEqual(['14.3% ≠ 12.5%']);
  });

  it('Two amounts that both stand in tables of the period are of two things', () => {
    const shown = (other: string): string[][] => [
      ['', '2024', '2023'],
      ['Loss on equity method investments', '1.6', '1.2'],
      ['Loss on equity method investments and other interests', other, '2.2'],
    ];
    const said = (other: string): Dossier =>
      long(
        'Results (USD million)',
        shown(other),
        'In 2024, losses on equity method interests were $1.6 million.',
        'The losses on equity method interests were $2.9 million in 2024.',
      );
    expect(conflicts(said('2.9'))).toEqual([]);
    expect(conflicts(said('3.4'))).toEqual(['$1.6 million ≠ $2.9 million']);
  });
});
