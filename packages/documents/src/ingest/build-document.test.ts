import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitIntoChunks } from '../claims/chunk-dossier.ts';
import { formatBlockId, type ReportDocument } from '../document.ts';
import { buildDocument } from './build-document.ts';
import type { RawPart } from './raw.ts';

const build = (parts: RawPart[]) => buildDocument({ name: 'a.txt', kind: 'text', hash: 'sha256:0', parts, notes: [] });
const letters = (text: string) => text.toWellFormed().replace(/[\s|]/gu, '');

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('Revenue grew.', 'Acme Inc.', '\n', ' ', 'U.S.', '收入。', '15 %', '|', '🙂'))
    .map((words) => words.join(' ')),
);
const cells = fc.option(fc.record({ text: texts, value: fc.integer() }), { nil: null });
const parts: fc.Arbitrary<RawPart[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('paragraph' as const, 'list' as const), text: texts }),
    fc.record({ kind: fc.constant('heading' as const), text: texts, level: fc.integer({ min: 1, max: 6 }) }),
    fc.record({
      kind: fc.constant('table' as const),
      rows: fc.array(fc.array(cells, { maxLength: 4 }), { maxLength: 5 }),
    }),
  ),
  { maxLength: 8 },
);

function assertSound(document: ReportDocument): void {
  let end = 0;
  for (const [index, block] of document.blocks.entries()) {
    expect(block.id).toBe(`b${index + 1}`);
    expect(block.start).toBe(index === 0 ? 0 : end + 2);
    end = block.end;
    let at = block.start;
    for (const sentence of block.sentences) {
      expect(sentence.start).toBeGreaterThanOrEqual(at);
      expect(sentence.end).toBeGreaterThan(sentence.start);
      at = sentence.end;
    }
    expect(at).toBeLessThanOrEqual(block.end);
    const covered = block.sentences.map((sentence) => document.text.slice(sentence.start, sentence.end)).join('');
    expect(letters(covered)).toBe(letters(document.text.slice(block.start, block.end)));
    for (const cell of block.table?.cells ?? []) expect(document.text.slice(cell.start, cell.end)).toBe(cell.text);
  }
  expect(document.text.length).toBe(end);
}

describe('a document', () => {
  test('has blocks, sentences and cells whose characters are their text, in order, and loses no letter', () => {
    fc.assert(
      fc.property(parts, (raw) => {
        const document = build(raw);
        assertSound(document);
        const given = raw.flatMap((part) =>
          part.rows ? part.rows.flatMap((row) => row.map((cell) => cell?.text ?? '')) : [part.text ?? ''],
        );
        expect(letters(document.text)).toBe(letters(given.join('')));
      }),
    );
  });

  test('joins blocks by a blank line, rows by a line break and cells by a bar', () => {
    const document = build([
      { kind: 'heading', text: 'Results' },
      { kind: 'table', rows: [[{ text: 'a' }, { text: '' }, { text: 'c' }], [{ text: '1' }]] },
    ]);
    expect(document.text).toBe('Results\n\na |  | c\n1 |  | ');
  });

  test('knows the headings over each block', () => {
    const document = build([
      { kind: 'heading', text: 'Report', level: 1 },
      { kind: 'heading', text: 'Costs', level: 2 },
      { kind: 'paragraph', text: 'x' },
      { kind: 'heading', text: 'Sales', level: 2 },
      { kind: 'paragraph', text: 'y' },
      { kind: 'heading', text: 'Notes', level: 1 },
      { kind: 'paragraph', text: 'z' },
    ]);
    expect(document.blocks.filter((block) => block.kind === 'paragraph').map((block) => block.section)).toEqual([
      ['Report', 'Costs'],
      ['Report', 'Sales'],
      ['Notes'],
    ]);
  });

  test('gives a sentence the share of its lines that it covers', () => {
    const box = { page: 1, x: 100, y: 50, width: 200, height: 10 };
    const document = build([
      {
        kind: 'paragraph',
        text: 'One is a.\nTwo is b. Three',
        lineBoxes: [
          { start: 0, end: 10, box },
          { start: 10, end: 25, box: { ...box, y: 62, width: 150 } },
        ],
      },
    ]);
    expect(document.blocks[0]!.sentences.map((sentence) => sentence.boxes)).toEqual([
      [{ page: 1, x: 100, y: 50, width: 180, height: 10 }],
      [{ page: 1, x: 100, y: 62, width: 90, height: 10 }],
      [{ page: 1, x: 200, y: 62, width: 50, height: 10 }],
    ]);
  });

  test('keeps a merged cell once, and nothing at the places it covers', () => {
    const document = build([
      {
        kind: 'table',
        rows: [
          [{ text: 'Year', span: { rows: 1, columns: 2 } }, null],
          [{ text: 'a' }, { text: '1' }],
        ],
      },
    ]);
    expect(document.blocks[0]!.table!.cells.map(({ row, column, span }) => ({ row, column, span }))).toEqual([
      { row: 0, column: 0, span: { rows: 1, columns: 2 } },
      { row: 1, column: 0, span: undefined },
      { row: 1, column: 1, span: undefined },
    ]);
  });
});

describe('chunks', () => {
  test('hold every letter, in order, within the limit, each with its blocks', () => {
    fc.assert(
      fc.property(parts, fc.integer({ min: 2, max: 60 }), (raw, most) => {
        const document = build(raw);
        const chunks = splitIntoChunks(document, most);
        let end = 0;
        for (const chunk of chunks) {
          expect(chunk.start).toBeGreaterThanOrEqual(end);
          expect(chunk.end - chunk.start).toBeLessThanOrEqual(most);
          expect(chunk.text).toBe(document.text.slice(chunk.start, chunk.end));
          const touched = document.blocks
            .filter((block) => block.start < chunk.end && block.end > chunk.start)
            .map((block) => formatBlockId(document, block));
          expect(chunk.blocks).toEqual(touched);
          end = chunk.end;
        }
        expect(letters(chunks.map((chunk) => chunk.text).join(''))).toBe(letters(document.text));
      }),
    );
  });

  test('keep sections together, then paragraphs, then sentences', () => {
    const paragraph = 'Revenue grew. Costs fell. Margins rose.';
    const document = build([
      { kind: 'heading', text: 'One' },
      { kind: 'paragraph', text: paragraph },
      { kind: 'heading', text: 'Two' },
      { kind: 'paragraph', text: paragraph },
    ]);
    expect(splitIntoChunks(document, 1000).map((chunk) => chunk.blocks.length)).toEqual([4]);
    expect(splitIntoChunks(document, 60).map((chunk) => chunk.text)).toEqual([
      `One\n\n${paragraph}`,
      `Two\n\n${paragraph}`,
    ]);
    expect(splitIntoChunks(document, 30).map((chunk) => chunk.text)).toEqual([
      'One\n\nRevenue grew. Costs fell.',
      'Margins rose.',
      'Two\n\nRevenue grew. Costs fell.',
      'Margins rose.',
    ]);
  });
});
