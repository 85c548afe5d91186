import { describe, expect, test } from 'vitest';
import { buildDocument, type RawPart } from './index.ts';

const rows = [
  ['', '2024', '2023'],
  ['Revenue', '4,600', '4,000'],
  ['Costs', '3,100', '3,000'],
].map((row) => row.map((text) => ({ text })));
const captionUnder = (...above: RawPart[]) =>
  buildDocument({
    name: 'a.pdf',
    kind: 'pdf',
    hash: '',
    parts: [...above, { kind: 'table', rows }],
    notes: [],
  }).blocks.at(-1)!.table!.caption ?? null;
const paragraph = (text: string): RawPart => ({ kind: 'paragraph', text });

describe('what stands above a table', () => {
  test.each([
    'Revenue reached $5 million in 2024.',
    'Our investments in euros were sold.',
    'The gross margin improved to 41 %, and management expects it to improve further in the coming year.',
  ])('is no caption when it is a sentence of the prose: %s', (text) => {
    expect(captionUnder(paragraph(text))).toBeNull();
  });

  test.each([
    'Income statement (in millions of USD)',
    'Table 3. Revenue was restated in 2024.',
    'Income statement of Example Corp.',
    '(in thousands)',
    'All amounts are stated in thousands of euros.',
    'Revenue and costs were as follows (in millions).',
    'The following table presents our revenue, which we had restated.',
    'The components of the decrease were as follows:',
    'Revenue has been restated (in thousands of USD).',
  ])('is its caption: %s', (text) => {
    expect(captionUnder(paragraph(text))).toBe(text);
  });

  test('is read up to the prose', () => {
    expect(
      captionUnder(
        paragraph('Revenue reached $5 million in 2024.'),
        { kind: 'heading', text: 'Results' },
        paragraph('(in thousands)'),
      ),
    ).toBe('Results (in thousands)');
    expect(
      captionUnder({ kind: 'heading', text: 'Results' }, paragraph('Revenue reached $5 million in 2024.')),
    ).toBeNull();
  });
});
