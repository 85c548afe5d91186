import { describe, expect, test } from 'vitest';
import type { Analysis } from '@agonhq/documents';
import type { FindingEdit } from '@agonhq/judges/job/findings';
import {
  analysisFixtures,
  consistentAnalysis,
  emptyAnalysis,
  hostileAnalysis,
  largeAnalysis,
  quarterlyAnalysis,
  singleAnalysis,
} from '@agonhq/test/fixtures/analyses.ts';
import { documentsJob } from '@agonhq/documents';
import { drawReportPage } from '../../report/report-page.tsx';

const decode = (page: string) =>
  page
    .replace(/<style>.*?<\/style>/gs, '')
    .replace(/<sup.*?<\/sup>|<[^>]*>/gs, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const page = (analysis: Analysis, extras: Parameters<typeof drawReportPage>[0]['extras'] = {}) =>
  drawReportPage({ job: { id: 'documents', title: 'Documents' }, answer: analysis, extras }, '');
const text = (analysis: Analysis) => decode(page(analysis)).replace(/\s+/g, ' ');
const part = (html: string, id: string) =>
  html.slice(html.indexOf(`id="${id}"`), html.indexOf('</article>', html.indexOf(`id="${id}"`)));
/** All that is marked as this passage, piece by piece. */
const markedAs = (html: string, number: number) =>
  [...html.matchAll(/<mark[^>]*data-marks="([^"]*)"[^>]*>(.*?)<\/mark>/gs)]
    .filter(([, passages]) => passages!.split(' ').includes(`passage-${number}`))
    .map(([, , words]) => decode(words!))
    .join('');

describe('the page of an analysis', () => {
  test('has every statement, premise, attack, reply, finding, quotation, note, reason and hash of the trace', () => {
    const shown = text(quarterlyAnalysis);
    const pieces: string[] = [];
    const machinery = new Set([
      'inputHash',
      'kind',
      'role',
      'label',
      'job',
      'source',
      'sources',
      'text',
      'narrative',
      'section',
      'block',
      'check',
      'term',
      'of',
      'at',
      'name',
      'address',
      'hash',
      'temperature',
      'retrieval',
      'subject',
    ]);
    const seals = new Set(quarterlyAnalysis.claims.flatMap(({ seal, id }) => [seal, id]));
    JSON.stringify(quarterlyAnalysis, (key, value: unknown) => {
      if (machinery.has(key) && typeof value !== 'number') return undefined;
      if (typeof value === 'string' && !/^[a-z0-9-]+(?:#\d)?$/.test(value) && !seals.has(value))
        pieces.push(value.replace(/\s+/g, ' '));
      return value;
    });
    expect(pieces.length).toBeGreaterThan(150);
    expect(pieces.filter((piece) => !shown.includes(piece))).toEqual([]);
    for (const { subject } of quarterlyAnalysis.claims) expect(shown).toContain(subject.text);
  });

  test('begins with the decision brief: outlook, counts, every claim with its verdict, conflicts, risks, questions', () => {
    const brief = decode(page(quarterlyAnalysis).split('>Claims and verdicts<')[0]!).replace(/\s+/g, ' ');
    for (const words of [
      'Outlook for 2 documents',
      'Negative',
      '2 Contradicted',
      '4 conflicts',
      'Two of the three most important claims are contradicted.',
      'growth is 15 % and not 51 %',
      'Warranty cases at Aurora fell from 96 to 71.',
      'Verified',
      'Unsupported',
      'Undecided',
      '36 + 61 + 20 = 117, stated 127',
      'A recall has begun',
      'What did the channel programme sell?',
    ])
      expect(brief).toContain(words);
  });

  test('marks the cited words in the document: for a claim, against it, both, or where a claim comes from', () => {
    const html = page(quarterlyAnalysis);
    const toneOf = (words: string) =>
      new RegExp(`<mark[^>]*class="[^"]*bg-([a-z]+)-ground[^"]*"[^>]*>${words}</mark>`).exec(html)?.[1];
    expect(toneOf('51 %')).toBe('both');
    expect(toneOf('Our service quality is the best in the industry\\.')).toBe('caution');
    expect(toneOf('a weak pound')).toBe('implicit');
    expect(toneOf('a satisfaction of 8\\.1 out of 10')).toBe('exoneration');
    for (const words of ['cited for a claim', 'cited against a claim, or in conflict', 'source of a claim'])
      expect(html).toContain(words);
  });

  test('shows tables as tables, with headers, merged cells, addresses, and the cited cells marked', () => {
    const html = page(quarterlyAnalysis);
    expect(html).toMatch(
      /<th scope="col" rowSpan="1" colSpan="2" title="B1"[^>]*><p[^>]*>Third quarter<\/p><\/th><\/tr>/,
    );
    expect(html).toMatch(
      /<td title="C5" class="[^"]*text-right[^"]*"><p[^>]*><mark[^>]*bg-risk-ground[^>]*>127<\/mark>/,
    );
    expect(html).toMatch(/<caption[^>]*>Revenue by region, in millions of USD<\/caption>/);
    expect(text(quarterlyAnalysis)).toContain('Sheet Income statement');
  });

  test('leads from an attack to the premise and to the attacked sentence, and from there to everybody who cites it', () => {
    const html = page(quarterlyAnalysis);
    const attack = html.slice(html.indexOf('id="claim-1-attack-1"'), html.indexOf('id="claim-1-attack-2"'));
    expect(attack).toMatch(/<a href="#claim-1-premise-1"[^>]*>premise 1<\/a>/);
    const [, attacked] = /premise 1<\/a> <a href="#mark-(\d+)"/.exec(attack)!;
    expect(markedAs(html, Number(attacked))).toContain('over the third quarter of 2023.');
    const [, quoters] = html.slice(html.indexOf('>Quoted passages<')).split(`href="#mark-${attacked}"`);
    expect(quoters!.split('</li>')[0]).toMatch(/<a href="#claim-1-premise-1"[^>]*>Claim 1, premise 1<\/a>/);
  });

  test('leads from a number check to each of its cells', () => {
    const html = page(quarterlyAnalysis);
    const check = html.slice(html.indexOf('id="number-4"'));
    const marks = [
      ...check.slice(0, check.indexOf('</ol>', check.indexOf('</ol>') + 1)).matchAll(/href="#mark-(\d+)"/g),
    ];
    expect(marks.map(([, number]) => markedAs(html, Number(number)))).toEqual(['127', '36', '61', '20']);
  });

  test('puts conflicts before what holds, each with its arithmetic', () => {
    const numbers = text(quarterlyAnalysis).split('recomputed by code')[1]!;
    expect(numbers.indexOf('The document states127')).toBeGreaterThan(0);
    expect(numbers.indexOf('The document states127')).toBeLessThan(numbers.indexOf('1 check that holds'));
    expect(numbers.indexOf('1 check that holds')).toBeLessThan(numbers.indexOf('(1.5 − 1.0) / 1.0'));
    expect(text(emptyAnalysis)).toContain('No conflict was found.');
  });

  test('shows searches for what is missing: terms, blocks read, near matches, accepted or refused', () => {
    const shown = text(quarterlyAnalysis);
    expect(shown).toContain('absence confirmedSearched 12 blocks for “partner revenue”, “channel sales”: not found.');
    expect(shown).toContain('absence rejectedSearched 12 blocks for “currency”, “exchange rate”: found 2 times.');
    expect(shown).toContain('near match for “exchange rate”');
  });

  test('shows rebuttals, concessions and what still stands', () => {
    const shown = decode(part(page(quarterlyAnalysis), 'claim-2')).replace(/\s+/g, ' ');
    expect(shown).toContain('Concedes attack 1');
    expect(shown).toContain('Rebuts attack 2');
    expect(shown).toMatch(/Attack 3 on the claim itself \d+: fallacy still stands/);
    expect(shown).toContain('Still standing: attack 1, attack 3.');
    expect(shown).toContain('Supported by the dossier? Yes, partial support');
    expect(shown).toContain('Decided by an attack that stands and matters');
  });

  test('shows struck quotations struck through, role collapse, stand-ins, and what was read by OCR', () => {
    const html = page(quarterlyAnalysis);
    expect(html).toMatch(/<s class="[^"]*">ranked first by independent analysts<\/s>/);
    expect(html).not.toContain('“ranked first');
    expect(part(html, 'claim-4')).toContain('not really tested');
    expect(part(html, 'claim-5')).not.toContain('not really tested');
    expect(part(html, 'claim-7').match(/a fallback was used/g)).toHaveLength(4);
    expect(part(html, 'claim-7')).toContain('Needs human review.');
    expect(html).toMatch(/Page 2<span class="[^"]*">\s*read by OCR/);
    expect(html).not.toMatch(/Page 1<span/);
  });

  test('lists what was not debated, and leads to the block', () => {
    const html = page(quarterlyAnalysis);
    const coverage = html.slice(html.indexOf('>Not debated</h2>'));
    expect(coverage).toContain('Headcount was stable.');
    expect(coverage).toContain('href="#document-1-block-10"');
    expect(text(consistentAnalysis)).toContain('Every such block yielded a claim.');
  });

  test('tells the user’s own claims, judges without a debate, and a dossier without a claim', () => {
    expect(decode(part(page(quarterlyAnalysis), 'claim-4'))).toContain('the user’s own claim');
    expect(text(singleAnalysis)).toContain('The single agent’s check');
    expect(page(singleAnalysis)).toMatch(/<s class="[^"]*">500 units<\/s>/);
    expect(text(emptyAnalysis)).toContain('No claim was found.');
    expect(text(emptyAnalysis)).toContain('No brief was written.');
  });

  test('of three hundred pages shows what is cited with what stands around it, and an outline of the rest', () => {
    const large = largeAnalysis();
    const html = page(large);
    expect(large.documents[0]!.text.length).toBeGreaterThan(600_000);
    expect(html.length).toBeLessThan(200_000);
    const shown = decode(html);
    expect(shown).toContain('Part 150 closed with an amount of 1149 units.');
    expect(shown).toMatch(/\d+ blocks not shown, pages 1 to 14\d/);
    expect(shown).toMatch(/Note 2: matters of part 1 · Note 3: matters of part 1 · .* · and \d+ more headings/);
  });

  test('of a paragraph of two hundred kilobytes and a table of three thousand rows shows what is cited', () => {
    expect(hostileAnalysis.documents[0]!.text.length).toBeGreaterThan(200_000);
    const html = page(hostileAnalysis);
    expect(html.length).toBeLessThan(400_000);
    expect(decode(html)).toMatch(/characters not shown/);
    expect(decode(html)).toMatch(/1,\d{3} rows not shown/);
    expect(html).toMatch(/<mark[^>]*bg-(?:risk|both)-ground[^>]*>NEEDLE<\/mark>/);
    expect(html).not.toMatch(/<script|<img/);
  });

  test.each(Object.entries({ ...analysisFixtures, large: largeAnalysis(60) }))(
    'of %s leads nowhere but to itself, and is the same every time',
    (_, analysis) => {
      const report = page(analysis);
      const ids = [...report.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
      const links = [...report.matchAll(/href="([^"]+)"/g)].map(([, address]) => address!);
      expect(links.filter((link) => !link.startsWith('#') || !ids.includes(link.slice(1)))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(report.match(/<h1[ >]/g)).toHaveLength(1);
      for (const tag of [
        'section',
        'article',
        'div',
        'ul',
        'ol',
        'li',
        'table',
        'tbody',
        'tr',
        'td',
        'th',
        'details',
        'mark',
        'bdi',
        'span',
        'svg',
        'header',
      ]) {
        expect(
          report
            .split(`<${tag}`)
            .slice(1)
            .filter((rest) => /^[\s>]/.test(rest)).length,
          tag,
        ).toBe(report.split(`</${tag}>`).length - 1);
      }
      expect(page(analysis)).toBe(report);
    },
  );

  test.each([
    ['answers of turns', { answer: null }],
    [
      'answers that hold anything',
      {
        answer: {
          premises: 7,
          attacks: [null, { premise: 'x', point: 3 }],
          replies: [[]],
          support: 'yes',
          standing: ['a', 2],
        },
      },
    ],
  ])('is written even with odd %s', (_, odd) => {
    const changed = {
      ...quarterlyAnalysis,
      claims: quarterlyAnalysis.claims.map((claim) => ({
        ...claim,
        transcript: claim.transcript.map((entry) => (entry.kind === 'turn' ? { ...entry, ...odd } : entry)),
      })),
    };
    expect(page(changed)).toContain('Negative');
    for (const format of ['markdown', 'notice'] as const)
      expect(documentsJob.report[format](changed, {})).toContain('Negative');
  });

  test('is written even when a table says that it has no end', () => {
    const documents = quarterlyAnalysis.documents.map((document) => ({
      ...document,
      blocks: document.blocks.map((block) =>
        block.table ? { ...block, table: { ...block.table, rows: 2 ** 40, columns: 2 ** 40 } } : block,
      ),
    }));
    expect(page({ ...quarterlyAnalysis, documents })).toContain('Third quarter');
  });
});

test('a caption that stands above its table already is not said twice', () => {
  const [report, workbook] = quarterlyAnalysis.documents;
  const blocks = report!.blocks.map((block) =>
    block.table ? { ...block, table: { ...block.table, caption: 'while demand in the Americas was flat.' } } : block,
  );
  expect(
    page({ ...quarterlyAnalysis, documents: [{ ...report!, blocks }, workbook!] }).match(/<caption/g),
  ).toHaveLength(1);
  expect(page(quarterlyAnalysis).match(/<caption/g)).toHaveLength(2);
});

test('what a person made of a finding stands beside the claim and the check that it is about, as text', () => {
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
  const html = page(quarterlyAnalysis, {
    edits: [
      edit(first!.id, { wording: 'Growth was 15 %, not 51 %.', note: 'Ask the | auditor <b>.' }),
      edit(second!.id, { leftOut: true }),
      edit('number-4', { wording: 'Staff adds up to 117.' }),
    ],
  });
  for (const words of ['A person’s words: Ana Silva, 2026-03-04.', 'Growth was 15 %, not 51 %.'])
    expect(part(html, 'claim-1')).toContain(words);
  expect(part(html, 'claim-1')).toContain('Note: Ask the | auditor &lt;b&gt;.');
  expect(part(html, 'claim-2')).toContain('Left out of tables, brief and annotated copy.');
  expect(part(html, 'claim-3')).not.toContain('A person’s words');
  expect(html.slice(html.indexOf('id="number-4"'))).toContain('Staff adds up to 117.');
  expect(html.split('<h2')[0]).toContain('Ana Silva: Growth was 15 %, not 51 %.');
});
