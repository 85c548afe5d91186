import { writeReport } from '@agonhq/test/support/write-report.ts';
import { describe, expect, test } from 'vitest';
import {
  analysisFixtures,
  consistentAnalysis,
  emptyAnalysis,
  hostileAnalysis,
  largeAnalysis,
  quarterlyAnalysis,
  singleAnalysis,
} from '@agonhq/test/fixtures/analyses.ts';
import type { Analysis } from '../index.ts';

const decode = (page: string) =>
  page
    .replace(/<style>.*?<\/style>|<script>.*?<\/script>/gs, '')
    .replace(/<sup.*?<\/sup>|<[^>]*>/gs, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const page = (analysis: Analysis) => writeReport(analysis, 'html');
const text = (analysis: Analysis) => decode(page(analysis)).replace(/\s+/g, ' ');
const part = (html: string, id: string) =>
  html.slice(html.indexOf(`id="${id}"`), html.indexOf('</article>', html.indexOf(`id="${id}"`)));
const markedIn = (html: string, number: number) => {
  const [before] = html.split(`<sup class="reference" id="mark-${number}">`);
  return before!.slice(before!.lastIndexOf('<mark'));
};

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

  test(
    'begins with the decision brief: outlook, counts, every claim with its verdict, conflicts, risks, ' +
      'questions, seal',
    () => {
      const brief = decode(page(quarterlyAnalysis).split('<section')[1]!).replace(/\s+/g, ' ');
      for (const words of [
        'Outlook for 2 documents',
        'Negative',
        '2 contradicted',
        '4 conflicts',
        'Two of the three most important claims are contradicted.',
        'growth is 15 % and not 51 %',
        'Warranty cases at Aurora fell from 96 to 71.',
        'Verified strong',
        'Unsupported',
        'Undecided',
        '36 + 61 + 20 = 117, stated 127',
        'A recall has begun',
        'What did the channel programme sell?',
        quarterlyAnalysis.seal,
      ])
        expect(brief).toContain(words);
    },
  );

  test('marks the cited words in the document: for a claim, against it, both, or where a claim comes from', () => {
    const html = page(quarterlyAnalysis);
    expect(html).toMatch(/<mark class="both"[^>]*>51 %<\/mark>/);
    expect(html).toMatch(/<mark class="implicit"[^>]*>Our service quality is the best in the industry\.<\/mark>/);
    expect(html).toMatch(/<mark class="neutral"[^>]*>a weak pound<\/mark>/);
    expect(html).toMatch(/<mark class="exoneration"[^>]*>a satisfaction of 8\.1 out of 10<\/mark>/);
  });

  test('shows tables as tables, with headers, merged cells, addresses, and the cited cells marked', () => {
    const html = page(quarterlyAnalysis);
    expect(html).toMatch(/<th scope="col"\s+title="B1" rowspan="1" colspan="2">Third quarter<\/th><\/tr>/);
    expect(html).toMatch(/<td class="number" title="C5"><mark class="risk"[^>]*>127<\/mark>/);
    expect(html).toContain('<caption><bdi lang="">Revenue by region, in millions of USD</bdi></caption>');
    expect(text(quarterlyAnalysis)).toContain('Sheet Income statement');
  });

  test(
    'leads from an attack to the premise and to the attacked sentence, and from there back to everybody who ' +
      'cites it',
    () => {
      const html = page(quarterlyAnalysis);
      const attack = html.slice(html.indexOf('id="claim-1-attack-1"'), html.indexOf('id="claim-1-attack-2"'));
      expect(attack).toContain('<a href="#claim-1-premise-1">premise 1</a>');
      const [, attacked] = /the attacked words: <a class="number-tag" href="#mark-(\d+)"/.exec(attack)!;
      expect(markedIn(html, Number(attacked))).toContain('over the third quarter of 2023.');
      const back = html.slice(
        html.indexOf(`id="mark-${attacked}"`),
        html.indexOf('</sup>', html.indexOf(`id="mark-${attacked}"`)),
      );
      expect(back).toContain('href="#claim-1-premise-1"');
      expect(back).toContain('title="Claim 1, premise 1"');
    },
  );

  test('leads from a number check to each of its cells', () => {
    const html = page(quarterlyAnalysis);
    const check = html.slice(
      html.indexOf('36 + 61 + 20', html.indexOf('id="numbers"')),
      html.indexOf('</li></ol>', html.indexOf('id="numbers"')),
    );
    const marks = [...check.matchAll(/href="#mark-(\d+)"/g)].map(([, number]) =>
      decode(markedIn(html, Number(number))),
    );
    expect(marks).toEqual(['127', '36', '61', '20']);
  });

  test('puts conflicts before what holds, each with its arithmetic', () => {
    const numbers = text(quarterlyAnalysis).split('recomputed by code')[1]!;
    expect(numbers.indexOf('stated 127')).toBeLessThan(numbers.indexOf('1 check that holds'));
    expect(numbers.indexOf('1 check that holds')).toBeLessThan(numbers.indexOf('(1.5 − 1.0) / 1.0 = 50.0 %'));
    expect(text(emptyAnalysis)).toContain('No conflict was found.');
  });

  test('shows searches for what is missing: terms, blocks read, near matches, accepted or refused', () => {
    const shown = text(quarterlyAnalysis);
    expect(shown).toContain('absence accepted Looked for partner revenue, channel sales in 12 blocks: not found.');
    expect(shown).toContain('absence rejected Looked for currency, exchange rate in 12 blocks: found 2 times.');
    expect(shown).toContain('near match of exchange rate');
  });

  test('shows rebuttals, concessions and what still stands', () => {
    const shown = decode(part(page(quarterlyAnalysis), 'claim-2')).replace(/\s+/g, ' ');
    expect(shown).toContain('Concedes attack 1');
    expect(shown).toContain('Rebuts attack 2');
    expect(shown).toContain('Attack 3: Fallacy still stands Attacks the claim itself');
    expect(shown).toContain('Still stand: attack 1, attack 3.');
    expect(shown).toContain('Does the dossier say so? Yes, partial support');
    expect(shown).toContain('Decided by an attack that stands and matters');
  });

  test('shows struck quotations struck through, role collapse, stand-ins, and what was read by OCR', () => {
    const html = page(quarterlyAnalysis);
    expect(html).toMatch(/<s class="quote"[^>]*>ranked first by independent analysts<\/s>/);
    expect(html).not.toMatch(/<q class="quote"[^>]*>ranked first/);
    expect(part(html, 'claim-4')).toContain('Role collapse.');
    expect(part(html, 'claim-5')).not.toContain('Role collapse.');
    expect(part(html, 'claim-7').match(/Fallback\./g)).toHaveLength(4);
    expect(part(html, 'claim-7')).toContain('Needs human review.');
    expect(html).toMatch(/Page 2 <span class="badge material">read by OCR/);
    expect(html).not.toMatch(/Page 1 <span class="badge material">/);
  });

  test('lists what was not debated, and leads to the block', () => {
    const html = page(quarterlyAnalysis);
    const coverage = html.slice(html.indexOf('<h2>Not debated</h2>'));
    expect(coverage).toContain('Headcount was stable.');
    expect(coverage).toContain('href="#document-1-block-10"');
    expect(text(consistentAnalysis)).toContain('Every such block yielded a claim.');
  });

  test('tells the user’s own claims, judges without a debate, and a dossier without a claim', () => {
    expect(decode(part(page(quarterlyAnalysis), 'claim-4'))).toContain('the user’s own claim');
    expect(text(singleAnalysis)).toContain('The single agent’s check');
    expect(page(singleAnalysis)).toMatch(/<s class="quote"[^>]*>500 units<\/s>/);
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
    expect(html).toMatch(/<mark class="(?:risk|both)"[^>]*>NEEDLE<\/mark>/);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<img/);
  });

  test.each(Object.entries({ ...analysisFixtures, large: largeAnalysis(60) }))(
    'of %s leads nowhere but to itself, and is the same every time',
    (_, analysis) => {
      const report = page(analysis);
      const ids = [...report.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
      const links = [...report.matchAll(/href="([^"]+)"/g)].map(([, address]) => address!);
      expect(links.filter((link) => !link.startsWith('#') || !ids.includes(link.slice(1)))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(report.match(/<h1>/g)).toHaveLength(1);
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
    for (const format of ['html', 'markdown', 'notice'] as const)
      expect(writeReport(changed, format)).toContain('Negative');
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
    page({ ...quarterlyAnalysis, documents: [{ ...report!, blocks }, workbook!] }).match(/<caption>/g),
  ).toHaveLength(1);
  expect(page(quarterlyAnalysis).match(/<caption>/g)).toHaveLength(2);
});
