import path from 'node:path';
import { createAgon, renderReportFile } from '@agonhq/core/app';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, test } from 'vitest';
import { analysisFixtures, quarterlyAnalysis } from '@agonhq/test/fixtures/analyses.ts';
import type { Analysis } from '../index.ts';
import { inStandardLetters } from './standard-letters.ts';

interface Read {
  pages: string[];
  title: unknown;
  /** Texts that reach over the edge of their page. */
  outside: string[];
}

async function read(analysis: Analysis): Promise<Read> {
  const task = getDocument({ data: await renderReportFile(analysis, 'pdf'), verbosity: 0 });
  const pdf = await task.promise;
  const found: Read = { pages: [], title: ((await pdf.getMetadata()).info as { Title?: unknown }).Title, outside: [] };
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const items = (await page.getTextContent()).items.filter((item) => 'str' in item);
    found.pages.push(
      items
        .map(({ str, hasEOL }) => str + (hasEOL ? ' ' : ''))
        .join('')
        .replace(/\s+/g, ' '),
    );
    found.outside.push(
      ...items
        .filter(
          ({ transform, width: across }) =>
            transform[4] < 0 || transform[4] + across > width || transform[5] < 0 || transform[5] > height,
        )
        .map(({ str }) => str),
    );
  }
  await task.destroy();
  return found;
}

describe('the PDF brief', () => {
  test('leads with what is wrong, then what could not be shown: whole, with places and arithmetic', async () => {
    const { pages, title } = await read(quarterlyAnalysis);
    const text = pages.join(' ');
    const parts = [
      'Negative outlook',
      'What is wrong',
      'Aurora Instruments’ revenue grew by 51 % from the third quarter of 2023 to the third quarter of 2024.',
      '(4,600 – 4,000) / 4,000 = 15.0 %, stated 51 %',
      'aurora-figures.xlsx, sheet Income statement, C3',
      'Sum: 36 + 61 + 20 = 117, stated 127',
      'What holds only in part',
      'What could not be shown',
      'Undecided',
      'Warranty cases at Aurora fell from 96 to 71.',
      'A recall has begun',
      'What did the channel programme sell?',
      'The sheet “Scratch” is hidden',
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(title).toBe('Decision brief: aurora-q3-2024.pdf, aurora-figures.xlsx');
    for (const page of pages) expect(page).toContain(quarterlyAnalysis.seal);
  });

  test('is the same bytes for the same trace', async () => {
    expect(await renderReportFile(quarterlyAnalysis, 'pdf')).toEqual(await renderReportFile(quarterlyAnalysis, 'pdf'));
  });

  test('has as many pages as it takes: nothing is cut, and nothing leaves its page', async () => {
    const long = 'A rather long sentence that says very little about a great many things. '.repeat(20).trim();
    const claims = Array.from({ length: 80 }, (_, index) => ({
      ...quarterlyAnalysis.claims[index % 7]!,
      subject: { ...quarterlyAnalysis.claims[index % 7]!.subject, text: `Claim ${index}: ${long}` },
    }));
    const huge = 'One word after another fills the pages. '.repeat(400).trim();
    const { pages, outside } = await read({
      ...quarterlyAnalysis,
      claims,
      outlook: { ...quarterlyAnalysis.outlook, brief: huge, risks: [long], questions: [] },
    });
    const text = pages
      .map((page) => page.replace(/Page \d+ of \d+\..*$/u, ''))
      .join(' ')
      .replace(/\s+/g, ' ');
    for (const { subject } of claims) expect(text).toContain(subject.text.slice(0, 200));
    expect(text.split('great many things.').length - 1).toBe(81 * 20);
    expect(text.split('fills the pages.').length - 1).toBe(400);
    expect(pages.length).toBeGreaterThan(10);
    expect(outside).toEqual([]);
  });

  test('of a real report, read back, has every sentence whole', async () => {
    const agon = await createAgon({}, { only: ['documents'], environment: {} });
    const analysis = await agon.analyze([
      path.join(import.meta.dirname, '../../../console/src/jobs/documents/samples/harbour-lane-2024.pdf'),
    ]);
    await agon.close();
    const { pages, outside } = await read(analysis);
    const plain = (text: string) => inStandardLetters(text).replace(/\s+/g, ' ').trim();
    const text = plain(pages.map((page) => page.replace(/Page \d+ of \d+\..*$/u, '')).join(' '));
    const conflicts = analysis.numbers.filter(({ outcome }) => outcome === 'conflict');
    const said = [
      analysis.outlook.brief,
      ...analysis.claims.map(({ subject }) => subject.text),
      ...analysis.claims.flatMap(({ verdict }) => (verdict.label === 'contradicted' ? [] : [verdict.rule.why])),
      ...conflicts.map(({ arithmetic }) => arithmetic),
    ];
    expect(said.length).toBeGreaterThan(20);
    expect(said.map(plain).filter((sentence) => !text.includes(sentence))).toEqual([]);
    expect(text).not.toMatch(/…/u);
    expect(outside).toEqual([]);
  });

  test('has one page where that is enough', async () => {
    const outlook = { ...quarterlyAnalysis.outlook, questions: [] };
    const { pages } = await read({ ...quarterlyAnalysis, outlook, claims: quarterlyAnalysis.claims.slice(0, 2) });
    expect(pages).toHaveLength(1);
  });

  test('shows by number what its fonts lack', async () => {
    const { pages } = await read({
      ...quarterlyAnalysis,
      outlook: { ...quarterlyAnalysis.outlook, brief: 'Łódź: 利益率は改善した' },
    });
    expect(pages[0]).toContain('[U+0141]ód[U+017A]: [8 characters that this font lacks]');
  });

  test('does not say a conflict twice: a risk in the same words is left to the arithmetic', async () => {
    const { statement } = quarterlyAnalysis.numbers.find(({ outcome }) => outcome === 'conflict')!;
    const { pages } = await read({
      ...quarterlyAnalysis,
      outlook: { ...quarterlyAnalysis.outlook, risks: [statement, 'A recall has begun'] },
    });
    expect(pages.join(' ').split(statement)).toHaveLength(2);
    expect(pages.join(' ')).toContain('A recall has begun');
  });

  test.each(Object.entries(analysisFixtures))('of %s stays on its pages', async (_, analysis) => {
    expect((await read(analysis)).outside).toEqual([]);
  });
});
