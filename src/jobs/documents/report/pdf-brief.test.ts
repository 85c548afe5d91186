import { renderPdfBrief } from '../../../app/index.ts';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, test } from 'vitest';
import { analysisFixtures, quarterlyAnalysis } from '../../../../test/fixtures/analyses.ts';
import type { Analysis } from '../index.ts';

interface Read {
  pages: string[];
  title: unknown;
  /** Texts that reach over the edge of their page. */
  outside: string[];
}

async function read(analysis: Analysis): Promise<Read> {
  const task = getDocument({ data: await renderPdfBrief(analysis), verbosity: 0 });
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
  test(
    'has on one page the outlook, every claim with its verdict, the conflicts with their arithmetic, risks, ' +
      'questions and the seal',
    async () => {
      const { pages, title } = await read(quarterlyAnalysis);
      expect(pages).toHaveLength(1);
      for (const words of [
        'Negative outlook',
        'Decision brief: aurora-q3-2024.pdf, aurora-figures.xlsx',
        'Contradicted',
        'Verified strong',
        'Undecided',
        'Warranty cases at Aurora fell from 96 to 71.',
        'Decided by an attack that stands and matters',
        '(4,600 – 4,000) / 4,000 = 15.0 %, stated 51 %',
        'Sum: 36 + 61 + 20 = 117, stated 127',
        'A recall has begun',
        'What did the channel programme sell?',
        quarterlyAnalysis.seal,
      ])
        expect(pages[0]).toContain(words);
      expect(title).toBe('Decision brief: aurora-q3-2024.pdf, aurora-figures.xlsx');
    },
  );

  test('is the same bytes for the same trace', async () => {
    expect(await renderPdfBrief(quarterlyAnalysis)).toEqual(await renderPdfBrief(quarterlyAnalysis));
  });

  test('has one page, however much there is: every part has its share, and it says that there is more', async () => {
    const long = 'A rather long sentence that says very little about a great many things. '.repeat(20);
    const claims = Array.from({ length: 80 }, (_, index) => ({
      ...quarterlyAnalysis.claims[index % 7]!,
      subject: { ...quarterlyAnalysis.claims[index % 7]!.subject, text: `${index} ${long}` },
    }));
    const { pages, outside } = await read({
      ...quarterlyAnalysis,
      claims,
      outlook: {
        ...quarterlyAnalysis.outlook,
        brief: long.repeat(5),
        risks: Array.from({ length: 30 }, () => long),
        questions: [long],
      },
    });
    expect(pages).toHaveLength(1);
    for (const words of [
      'Claims and verdicts',
      'and 73 more in the full report',
      'Numbers in conflict',
      'Risks',
      'and 28 more in the full report',
      'Open questions',
      quarterlyAnalysis.seal,
    ])
      expect(pages[0]).toContain(words);
    expect(outside).toEqual([]);
  });

  test('names every one of a dozen long claims and three questions', async () => {
    const long =
      'Given a strong start to the year, the company now expects its revenue to increase, and its costs to fall. '.repeat(
        3,
      );
    const claims = Array.from({ length: 12 }, (_, index) => ({
      ...quarterlyAnalysis.claims[0]!,
      numbers: [],
      subject: { ...quarterlyAnalysis.claims[0]!.subject, text: `Claim ${index + 1}: ${long}` },
    }));
    const { pages } = await read({
      ...quarterlyAnalysis,
      claims,
      numbers: [],
      outlook: {
        ...quarterlyAnalysis.outlook,
        brief: long.repeat(4),
        risks: [],
        questions: ['1', '2', '3'].map((number) => `Question ${number}: ${long}`),
      },
    });
    expect(pages).toHaveLength(1);
    for (const words of [
      ...claims.map((_, index) => `Claim ${index + 1}: Given`),
      'Question 1',
      'Question 2',
      'Question 3',
    ])
      expect(pages[0]).toContain(words);
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
    expect(pages[0]!.split(statement)).toHaveLength(2);
    expect(pages[0]).toContain('A recall has begun');
  });

  test.each(Object.entries(analysisFixtures))('of %s stays on its page', async (_, analysis) => {
    const { pages, outside } = await read(analysis);
    expect(pages).toHaveLength(1);
    expect(outside).toEqual([]);
  });
});
