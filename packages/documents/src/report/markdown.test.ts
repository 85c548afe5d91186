import { renderReport } from '@agonhq/core/app';
import { writeReport } from '@agonhq/test/support/write-report.ts';
import { describe, expect, test } from 'vitest';
import {
  emptyAnalysis,
  hostileAnalysis,
  largeAnalysis,
  quarterlyAnalysis,
  singleAnalysis,
} from '@agonhq/test/fixtures/analyses.ts';
import type { FindingEdit } from '@agonhq/judges/job/findings';
import { withoutCode } from '@agonhq/test/support/markdown-prose.ts';

const report = (analysis: typeof quarterlyAnalysis) => writeReport(analysis, 'markdown');

describe('the Markdown of an analysis', () => {
  test(
    'has the brief, the claims, the exchange, the searches, the numbers, the coverage, the documents and how ' +
      'to check them',
    () => {
      const text = report(quarterlyAnalysis);
      for (const words of [
        '# Outlook: Negative',
        '| 1 | `Aurora Instruments’ revenue grew by 51 % from the third quarter of 2023 to the third quarter of ' +
          '2024.` | **Contradicted** |',
        '4 number conflicts',
        '### Claim 2: Mixed',
        '**Decided by an attack that stands and matters.**',
        '**Attack 1** on premise 2: Missing data, **still stands**.',
        '**Absence accepted.** Looked for `partner revenue`, `channel sales` in 12 blocks: not found.',
        '**Absence rejected.**',
        '(near match of `exchange rate`)',
        '**Concedes** attack 1.',
        '**Does the dossier say so?** Yes, partial support.',
        'Attacks that still stand: 1, 3.',
        '~~Quotes~~ `ranked first by independent analysts`: struck',
        '**Role collapse.**',
        '**Fallback.** This seat gave no usable answer',
        'The user’s own claim.',
        '**Needs human review.**',
        '**Check 4, Sum: conflict.** `The functions add up to 117 in September; the total says 127.`',
        'operating income over revenue is 10.0 %.` Concerns claim 3.',
        '`127` in `aurora-figures.xlsx, sheet Staff, C5`',
        'Headcount was stable.',
        'Read by OCR, letters may be wrong: page 2.',
        'A link to another workbook was not followed.',
        'agon verify trace.json',
        quarterlyAnalysis.seal,
      ])
        expect(text).toContain(words);
    },
  );

  test('cites cells by their addresses, rows of a PDF by their numbers, and says what code told', () => {
    const text = report(quarterlyAnalysis);
    expect(text).toContain('`Revenue | 4,000 | 4,600` in `aurora-figures.xlsx, sheet Income statement, A3 to C3`');
    expect(text).toContain('`APAC | 1.0 | 1.5 | +50 %` in `aurora-q3-2024.pdf, page 1, row 4`');
    expect(text).toContain(', a row written as a sentence, in `aurora-q3-2024.pdf, page 1, row 4`');
    expect(text).toContain(
      '`(4,600 − 4,000) / 4,000 = 15.0 %, stated 51 %`, a number check, in `aurora-q3-2024.pdf, page 1`',
    );
  });

  test('of a long dossier has what is cited only', () => {
    const text = report(largeAnalysis());
    expect(text.length).toBeLessThan(20_000);
    expect(text).toContain('Part 150 closed with an amount of 1149 units.');
  });

  test('of judges without a debate, and of nothing, says so', () => {
    expect(report(singleAnalysis)).toContain('By one agent’s check of each claim, without a debate.');
    expect(report(emptyAnalysis)).toContain('0 claims');
  });

  test('keeps all that is untrusted in code, where nothing is a link, a mention or markup', () => {
    const hostile = '# h\n```\n@admin <img src=x> [a](javascript:1) #1 https://example.org | ~~~';
    const attacked = JSON.parse(JSON.stringify(quarterlyAnalysis), (key, value: unknown) =>
      typeof value === 'string' && !['kind', 'role', 'job', 'outcome', 'block', 'source'].includes(key)
        ? value + hostile
        : value,
    ) as typeof quarterlyAnalysis;
    for (const format of ['markdown', 'notice'] as const) {
      for (const analysis of [attacked, hostileAnalysis])
        expect(withoutCode(writeReport(analysis, format))).not.toMatch(/@admin|<img|<script|javascript|https?:|#1/);
    }
  });
});

describe('a person’s words on findings', () => {
  const [first, second] = quarterlyAnalysis.claims.map(({ subject }) => subject);
  const edit = (finding: string, words: Partial<FindingEdit>): FindingEdit => ({
    case: quarterlyAnalysis.id,
    finding,
    wording: null,
    note: null,
    leftOut: false,
    by: 'Ana Silva',
    at: new Date('2026-03-04T10:00:00Z'),
    ...words,
  });
  const edits = [
    edit(first!.id, { wording: 'Growth was 15 %, not 51 %.', note: 'Ask the | auditor <b>.' }),
    edit(second!.id, { leftOut: true }),
    edit('number-4', { wording: 'Staff adds up to 117.' }),
  ];

  test('stand in Markdown beside what the machine says, under their name, and nothing is left out', () => {
    const text = writeReport(quarterlyAnalysis, 'markdown', { edits });
    const claim = text.slice(text.indexOf('### Claim 1:'), text.indexOf('### Claim 2:'));
    for (const words of [
      first!.text,
      '**A person’s words for the report.** `Ana Silva` (2026-03-04)',
      '`In the words of Ana Silva: Growth was 15 %, not 51 %.`',
      '`Note by Ana Silva: Ask the | auditor <b>.`',
    ])
      expect(claim).toContain(words);
    const other = text.slice(text.indexOf('### Claim 2:'), text.indexOf('### Claim 3:'));
    expect(other).toContain(second!.text);
    expect(other).toContain('Left out of tables, brief and annotated copy.');
    const numbers = text.slice(text.indexOf('**Check 4, Sum: conflict.**'));
    expect(numbers).toContain('`In the words of Ana Silva: Staff adds up to 117.`');
    expect(withoutCode(text)).not.toContain('<b>');
    expect(report(quarterlyAnalysis)).not.toContain('words for the report');
  });

  test('are in the brief too, which has nothing that was left out', () => {
    const text = writeReport(quarterlyAnalysis, 'notice', { edits });
    expect(text).toContain(first!.text);
    expect(text).toContain('In the words of Ana Silva: Growth was 15 %, not 51 %.');
    expect(text).toContain('; `In the words of Ana Silva: Staff adds up to 117.`');
    expect(text).not.toContain(`| 2 | `);
    expect(text).not.toContain(second!.text);
    expect(writeReport(quarterlyAnalysis, 'notice')).toContain(second!.text);
  });
});

test('the notice of an analysis is its decision brief', () => {
  const text = writeReport(quarterlyAnalysis, 'notice');
  for (const words of [
    '# Outlook: Negative',
    '**Risks**',
    '**Open questions**',
    '**Numbers in conflict**',
    quarterlyAnalysis.seal,
  ])
    expect(text).toContain(words);
  expect(text).not.toContain('Cross-examination');
  expect(text.length).toBeLessThan(5000);
});

test('the JSON of an analysis is the trace itself', async () => {
  expect(JSON.parse(await renderReport(quarterlyAnalysis, 'json'))).toEqual(quarterlyAnalysis);
});
