import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, describe, expect, test } from 'vitest';
import { quarterlyAnalysis } from '@agonhq/test/fixtures/analyses.ts';
import { startFakeBoardroom } from '@agonhq/test/support/fake-boardroom.ts';
import { analysed, boardroomSetup } from '@agonhq/test/support/analysis-setup.ts';
import { figuresXlsx, reportPdf, sentences } from '@agonhq/test/support/report-files.ts';
import { renderReport, renderReportFile } from '@agonhq/core/app';
import { writeReport } from '@agonhq/test/support/write-report.ts';
import { findTurns } from '@agonhq/engine/debate';
import type { Evidence } from '@agonhq/engine/evidence';
import { ground, readAnalysis, type Analysis } from '@agonhq/documents';
import { ingestDossier } from '@agonhq/documents/ingest';
import { renderAnalysis } from './render-analysis.ts';

/* Nobody reads a quotation that is not in the documents without seeing that it was struck, whatever the format. */

const invented = [
  'Profits doubled in every region.',
  'The auditors praised the figures.',
  'Analysts agree that it will last.',
  'No region lost a customer.',
  'Growth of 151 % was confirmed.',
];
const board = await startFakeBoardroom({
  'factor-agent': {
    claims: [sentences.total, sentences.flawed, sentences.driver].map((quote) => ({
      claim: quote,
      quote,
      kind: 'assertion',
      domain: 'sales',
      importance: 0.9,
    })),
  },
  opening: {
    statement: 'It is so.',
    premises: [
      { premise: 'It says so.', evidence: [sentences.total, invented[0]!] },
      { premise: 'All say so.', evidence: [invented[1]!] },
    ],
    score: 0.9,
  },
  'cross-examination': {
    statement: 'It is not so.',
    attacks: [
      { premise: 1, kind: 'contradiction', point: 'It does not last.', evidence: [invented[2]!], missing: [] },
      { premise: 2, kind: 'outlier', point: 'One region.', evidence: ['APAC', invented[3]!], missing: [] },
    ],
    score: 0.4,
  },
  synthesis: {
    statement: 'It says so.',
    support: { why: 'It says so.', evidence: [sentences.total, invented[4]!], holds: true, strength: 'full' },
    contradiction: { why: '', evidence: [], holds: false },
    standing: [2],
    confidence: 0.8,
    score: 0.9,
  },
});
afterAll(() => board.close());
const dossier = await ingestDossier(
  [
    { name: 'report.pdf', bytes: await reportPdf({ growth: sentences.flawed }) },
    { name: 'figures.xlsx', bytes: await figuresXlsx() },
  ],
  { readImageText: null },
);
const argued = await analysed(dossier, boardroomSetup(board));

const evidenceOf = ({ claims, transcript }: Analysis): { evidence: Evidence; numbers: Analysis['numbers'] }[] => [
  ...findTurns(transcript)
    .flatMap(({ evidence }) => evidence)
    .map((evidence) => ({ evidence, numbers: [] })),
  ...claims.flatMap(({ transcript: turns, verdict, numbers }) =>
    [...findTurns(turns), verdict].flatMap((spoken) => spoken.evidence).map((evidence) => ({ evidence, numbers })),
  ),
];
const struckIn = (analysis: Analysis) =>
  [
    ...new Set(
      evidenceOf(analysis)
        .filter(({ evidence }) => !evidence.verified)
        .map(({ evidence }) => evidence.quote),
    ),
  ].toSorted();
const textsOf = (analysis: Analysis) =>
  [
    ...analysis.documents.map(({ text }) => text),
    ...analysis.claims.flatMap(({ sources }) => sources.map(({ text }) => text)),
  ].map(flat);
const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
const decoded = (html: string) =>
  flat(
    html
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&amp;', '&'),
  );

async function pdfText(analysis: Analysis): Promise<string> {
  const task = getDocument({ data: await renderReportFile(analysis, 'pdf'), verbosity: 0 });
  const page = await (await task.promise).getPage(1);
  const { items } = await page.getTextContent();
  await task.destroy();
  return flat(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : '')).join(''));
}

describe.each([
  ['a debate that invents', argued],
  ['a trace with struck quotations', quarterlyAnalysis],
])('of %s every citation shown is verified or visibly struck', (_, analysis) => {
  const struck = struckIn(analysis);
  const stands = (quote: string) => textsOf(analysis).some((text) => text.includes(flat(quote)));

  test('in the JSON: what is verified is in the documents character by character, what is not has no place', async () => {
    const read = readAnalysis(await renderReport(analysis, 'json'), 'trace.json');
    expect(struck.length).toBeGreaterThan(0);
    for (const { evidence, numbers } of evidenceOf(read)) {
      const grounding = ground(evidence, read, numbers);
      if (!evidence.verified) expect([grounding, 'start' in evidence]).toEqual([null, false]);
      else if (grounding!.told) expect(stands(evidence.quote)).toBe(true);
      else expect(grounding!.quote).toBe(evidence.quote);
    }
  });

  test('in the page: struck through, and never as a quotation', async () => {
    const page = await renderReport(analysis, 'html');
    const quoted = [...page.matchAll(/<a href="#mark-\d+"[^>]*><span[^>]*>([^<]*)<\/span>/gs)].map(([, quote]) =>
      decoded(quote!).replace(/^“|”$/g, ''),
    );
    const crossed = [...page.matchAll(/<s class="[^"]*">(.*?)<\/s>/gs)].map(([, quote]) => decoded(quote!));
    expect([...new Set(crossed)].toSorted()).toEqual(struck);
    expect(quoted.length).toBeGreaterThan(10);
    expect(quoted.filter((quote) => !quote.split(' … ').every(stands))).toEqual([]);
  });

  test('in Markdown: with ~~Quotes~~ and the reason', () => {
    const lines = writeReport(analysis, 'markdown')
      .split('\n')
      .filter((line) => /^- (?:~~)?Quotes/.test(line));
    for (const quote of struck)
      expect(
        lines.filter((line) => line.includes(quote)).every((line) => /^- ~~Quotes~~ .*: struck: /.test(line)),
      ).toBe(true);
    const crossed = lines.filter((line) => line.startsWith('- ~~'));
    expect(struck.filter((quote) => !crossed.some((line) => line.includes(quote)))).toEqual([]);
    expect(crossed.filter((line) => !struck.some((quote) => line.includes(quote)))).toEqual([]);
    expect(lines.length).toBeGreaterThan(crossed.length);
  });

  test('in the brief, as PDF and as text, and on the terminal: not at all', async () => {
    const shown = [
      await pdfText(analysis),
      flat(writeReport(analysis, 'notice')),
      ...[60, 80, 140].map((width) => flat(renderAnalysis(analysis, width).join(' '))),
    ];
    for (const text of shown) expect(struck.filter((quote) => text.includes(quote))).toEqual([]);
  });
});
