import { describe, expect, it } from 'vitest';
import { documentOf } from '@agonhq/test/support/analysis-setup.ts';
import type { Claim } from '../../analysis.ts';
import { checkWholeClaim } from '../index.ts';

const dossier = {
  documents: [
    documentOf('report.md', [
      '# Depot report 2024',
      'Parcels by depot (thousand)',
      [
        ['Depot', '2021', '2022', '2023', '2024'],
        ['Ashby', '40.0', '44.0', '50.0', '61.0'],
        ['Barrow', '80.0', '76.0', '70.0', '64.0'],
        ['Calder Falls', '20.0', '30.0', '25.0', '35.0'],
        ['Total', '140.0', '150.0', '145.0', '160.0'],
      ],
    ]),
  ],
};
const claim = (text: string): Claim => ({
  id: 'claim-01',
  text,
  kind: 'assertion',
  domain: '',
  importance: 1,
  origin: null,
});
const check = (text: string) => checkWholeClaim(claim(text), dossier);

describe('a statement is computed from the cells that it speaks of', () => {
  it.each([
    ['Parcels in Ashby came to 61.0 thousand in 2024.', 'Parcels in Ashby came to 63.0 thousand in 2024.'],
    ['Parcels in Ashby rose by 22 % from 2023 to 2024.', 'Parcels in Ashby rose by 27 % from 2023 to 2024.'],
    ['Parcels in Barrow fell in 2024.', 'Parcels in Barrow rose in 2024.'],
    ['Barrow accounted for 40 % of all parcels in 2024.', 'Barrow accounted for 44 % of all parcels in 2024.'],
    [
      'In 2021, parcels in Barrow were 2.0 times those of Ashby.',
      'In 2021, parcels in Barrow were 2.6 times those of Ashby.',
    ],
    ['Parcels in Ashby averaged 48.75 thousand per year.', 'Parcels in Ashby averaged 52.75 thousand per year.'],
    [
      'Together, Ashby and Barrow had parcels of 125.0 thousand in 2024.',
      'Together, Ashby and Barrow had parcels of 119.0 thousand in 2024.',
    ],
    [
      'In 2024, parcels in Barrow exceeded those in Ashby by 3.0 thousand.',
      'In 2024, parcels in Barrow exceeded those in Ashby by 9.0 thousand.',
    ],
    ['In 2024, Barrow had more parcels than Ashby.', 'In 2024, Ashby had more parcels than Barrow.'],
    ['Barrow had the highest parcels of all depots in 2024.', 'Ashby had the highest parcels of all depots in 2024.'],
    ['Ashby ranked second in parcels in 2024.', 'Calder Falls ranked second in parcels in 2024.'],
    ['Parcels in Barrow peaked in 2021.', 'Parcels in Barrow peaked in 2023.'],
    ['Parcels in Ashby rose in every year.', 'Parcels in Calder Falls rose in every year.'],
    ['Parcels in Barrow declined without interruption.', 'Parcels in Calder Falls declined without interruption.'],
    ['Between 2023 and 2024, parcels rose in two depots.', 'Between 2023 and 2024, parcels rose in three depots.'],
    [
      'In 2024, parcels were higher in Barrow than in any other depot.',
      'In 2024, parcels were higher in Ashby than in any other depot.',
    ],
    ['No other depot had higher parcels than Barrow in 2024.', 'No other depot had higher parcels than Ashby in 2024.'],
    ['Barrow led all depots in parcels in 2024.', 'Calder Falls led all depots in parcels in 2024.'],
    ['2021 was the best year for parcels in Barrow.', '2024 was the best year for parcels in Barrow.'],
    ['The peak of parcels in Barrow came in 2021.', 'The peak of parcels in Barrow came in 2024.'],
    ['Second place in parcels went to Ashby in 2024.', 'Second place in parcels went to Barrow in 2024.'],
    [
      'Parcels in Ashby and Barrow totalled 125.0 thousand in 2024.',
      'Parcels in Ashby and Barrow totalled 135.0 thousand in 2024.',
    ],
    ['Barrow represented 40 % of overall parcels in 2024.', 'Barrow represented 44 % of overall parcels in 2024.'],
    [
      'In 2024, parcels in Ashby were 3.0 thousand below those of Barrow.',
      'In 2024, parcels in Ashby were 9.0 thousand below those of Barrow.',
    ],
    [
      'Ashby’s parcels were 10 % higher in 2022 than in 2021.',
      'Ashby’s parcels were 22 % higher in 2022 than in 2021.',
    ],
    ['Barrow reduced its parcels by 5 % in 2022.', 'Barrow reduced its parcels by 9 % in 2022.'],
    [
      'Ashby recorded a 10 % increase in parcels in 2022 over 2021.',
      'Ashby recorded a 15 % increase in parcels in 2022 over 2021.',
    ],
    [
      'Compared with 2021, Barrow reported falling parcels in 2022.',
      'Compared with 2021, Barrow reported rising parcels in 2022.',
    ],
    ['Parcels in Ashby exceeded 60 thousand in 2024.', 'Parcels in Ashby exceeded 62 thousand in 2024.'],
    [
      'From 2023 to 2024, parcels in Calder Falls grew faster than in Ashby.',
      'From 2023 to 2024, parcels in Ashby grew faster than in Calder Falls.',
    ],
  ])('“%s” holds, “%s” does not', (right, wrong) => {
    expect(check(right)).toMatchObject({ cover: 'whole', findings: [{ outcome: 'holds' }] });
    expect(check(wrong)).toMatchObject({ cover: 'none', findings: [{ outcome: 'conflict' }] });
  });

  it.each([
    ['Parcels in Barrow fell to 64.0 thousand in 2024.', 'Parcels in Barrow grew to 64.0 thousand in 2024.'],
    [
      'Parcels in Ashby climbed further to 61.0 thousand in 2024.',
      'Parcels in Ashby dropped to 61.0 thousand in 2024.',
    ],
    ['Parcels in Barrow fell from 70.0 to 64.0 thousand.', 'Parcels in Barrow rose from 70.0 to 64.0 thousand.'],
  ])('“%s” holds, and “%s” has the right number with the wrong word', (right, wrong) => {
    const [holds, conflicts] = [check(right), check(wrong)];
    expect(holds.cover).toBe('whole');
    expect(holds.findings.map(({ outcome }) => outcome)).not.toContain('conflict');
    expect(conflicts.cover).toBe('none');
    expect(conflicts.findings.map(({ outcome }) => outcome)).toEqual(expect.arrayContaining(['holds', 'conflict']));
  });

  it.each([
    ['In 2024, parcels in Ashby exceeded 62 thousand.', '61.0, stated > 62 thousand'],
    ['In 2024, parcels in Ashby were below 60 thousand.', '61.0, stated < 60 thousand'],
    ['In 2024, parcels in Ashby were at least 62 thousand.', '61.0, stated ≥ 62 thousand'],
    ['In 2024, parcels in Ashby were at most 60 thousand.', '61.0, stated ≤ 60 thousand'],
    ['In 2024, Ashby had more parcels than Barrow.', '61.0 ≤ 64.0'],
    ['In 2024, Barrow had fewer parcels than Ashby.', '64.0 ≥ 61.0'],
  ])('“%s” is held against %s', (text, arithmetic) => {
    expect(check(text).findings[0]).toMatchObject({ outcome: 'conflict', arithmetic });
  });

  it('the expression, its bindings and its arithmetic can be read', () => {
    const [finding] = check('Barrow accounted for 44 % of all parcels in 2024.').findings;
    expect(finding).toMatchObject({
      check: 'share',
      program: 'ratio(Barrow[FY2024], Total[FY2024]) = 44 %',
      arithmetic: '64.0 / 160.0 = 40 %, stated 44 %',
      bindings: [{ term: 'Barrow[FY2024]' }, { term: 'Total[FY2024]' }],
    });
    expect(finding!.bindings![0]!.why).toContain('row “Barrow”, column “2024”');
  });

  it.each([
    ['an entity that no table has', 'Parcels in Dunmore came to 61.0 thousand in 2024.'],
    ['a measure that no table has', 'Complaints in Ashby came to 61.0 in 2024.'],
    ['a word that narrows the measure down', 'Damaged parcels in Ashby came to 61.0 thousand in 2024.'],
    ['a period that no table has', 'Parcels in Ashby came to 61.0 thousand in 2019.'],
    ['a forecast', 'Parcels in Ashby are expected to reach 70.0 thousand in 2024.'],
  ])('%s binds to nothing, and neither holds nor conflicts', (_, text) => {
    expect(check(text)).toMatchObject({ cover: 'none', findings: [] });
  });

  it('a word that objects have by nature is a word like any other', () => {
    expect(check('The constructor of Ashby had no valueOf in 2024.').findings).toEqual([]);
  });

  it('a cause is not shown by the number beside it', () => {
    expect(check('Parcels in Ashby rose by 22 % in 2024, driven by online trade.').cover).toBe('part');
  });
});

describe('a table that nothing names', () => {
  const rows = [
    ['Depot', '2023', '2024'],
    ['Ashby', '50.0', '61.0'],
    ['Barrow', '70.0', '64.0'],
    ['Calder Falls', '25.0', '35.0'],
  ];
  const about = (...parts: Parameters<typeof documentOf>[1]) => ({ documents: [documentOf('report.md', parts)] });
  const outcomes = (text: string, own = about('# Annual review', rows)) =>
    checkWholeClaim(claim(text), own).findings.map(({ outcome }) => outcome);

  it.each([
    ['Parcels in Ashby came to 61.0 in 2024.', 'Parcels in Ashby came to 63.0 in 2024.'],
    ['Parcels in Ashby rose by 22 % from 2023 to 2024.', 'Parcels in Ashby rose by 27 % from 2023 to 2024.'],
    ['In 2024, Barrow had more parcels than Ashby.', 'In 2024, Ashby had more parcels than Barrow.'],
  ])('is what a sentence says of its lines: “%s” holds, “%s” does not', (right, wrong) => {
    expect([outcomes(right), outcomes(wrong)]).toEqual([['holds'], ['conflict']]);
  });

  it('has one name: what is said of something else neither holds nor conflicts', () => {
    const said = about('# Annual review', 'Parcels in Ashby came to 61.0 in 2024.', rows);
    expect(outcomes('Parcels in Barrow came to 66.0 in 2024.', said)).toEqual(['conflict']);
    expect(outcomes('Complaints in Barrow came to 66.0 in 2024.', said)).toEqual([]);
  });

  it('is not guessed where two have the same lines, or another one has the name', () => {
    expect(
      outcomes('Parcels in Ashby came to 63.0 in 2024.', about('# Annual review', rows, 'And then.', rows)),
    ).toEqual([]);
    const complaints = [
      ['Depot', 'Complaints 2024'],
      ['Ashby', '3'],
    ];
    expect(
      outcomes('Complaints in Ashby came to 63.0 in 2024.', about('# Annual review', rows, 'And then.', complaints)),
    ).not.toContain('holds');
  });
});
